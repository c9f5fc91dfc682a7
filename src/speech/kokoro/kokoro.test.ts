// The natural voice through its port: audio quality, latency, abort and concurrency.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { workersOf } from '../../../test/speech/workers.ts'
import { levelDb, longestSilenceMs, peakOf, pitchHz } from '../../audio/measure.ts'
import { monotonicMs } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import { type KokoroTts, openKokoroTts } from './kokoro.ts'
import { listen, preparedKokoro, testVoices } from './testing.ts'

let kokoro: KokoroTts
before(async () => {
  kokoro = await openKokoroTts({ ...(await preparedKokoro()), way: 'fast' })
})
after(() => kokoro.close())

const never = new AbortController().signal
const say = (text: string, voiceId = 'pf_dora', speed = 1) => listen(kokoro.speak(text, { voiceId, speed }, never))
const LONG =
  'Sua consulta ficou marcada para terça-feira, dia quatorze de outubro. Vou mandar uma mensagem com o endereço, e se precisar mudar é só responder.'

test('it offers the prepared voices', async () => {
  const ids = (await kokoro.voices(never)).map((voice) => voice.id)
  assert.deepEqual(ids.toSorted(), testVoices.toSorted())
  assert.equal(kokoro.way, 'fast')
})

test('in each language a sentence has the duration, level and pauses of speech, without clipping', async () => {
  const texts: [string, string][] = [
    ['pf_dora', 'Não encontrei nenhum horário disponível na quinta-feira pela manhã.'],
    ['af_heart', 'I could not find any free time on Thursday morning.'],
    ['ef_dora', 'No encontré ningún horario disponible el jueves.'],
  ]
  for (const [voiceId, text] of texts) {
    const { pcm, rateHz } = await say(text, voiceId)
    const seconds = pcm.length / rateHz
    assert.equal(rateHz, 24_000)
    assert.ok(seconds > text.length * 0.04 && seconds < text.length * 0.09, `${voiceId}: ${seconds} s`)
    assert.ok(levelDb(pcm) > -30 && levelDb(pcm) < -12, `${voiceId}: ${levelDb(pcm)} dB`)
    assert.ok(peakOf(pcm) > 0.15 && peakOf(pcm) < 0.999, `${voiceId}: peak ${peakOf(pcm)}`)
    assert.ok(longestSilenceMs(pcm, rateHz) < 500, `${voiceId}: silent for ${longestSilenceMs(pcm, rateHz)} ms`)
  }
})

test('the first audio is sent long before the last is synthesised, and every word is reported once', async () => {
  const shares: number[] = []
  // The best of three: a pause of the machine does not count.
  for (let time = 0; time < 3 && !shares.some((share) => share < 0.5); time++) {
    const start = monotonicMs()
    let firstMs = 0
    const words: string[] = []
    for await (const frame of kokoro.speak(LONG, { voiceId: 'pf_dora' }, never)) {
      firstMs ||= monotonicMs() - start
      if (frame.words) words.push(frame.words)
    }
    assert.equal(words.join(' '), LONG)
    shares.push(firstMs / (monotonicMs() - start))
  }
  assert.ok(Math.min(...shares) < 0.5, `the first sound came after ${shares} of the time`)
})

test('speed changes duration and not pitch', async () => {
  const text = 'O nosso endereço fica na Avenida Paulista.'
  const normal = await say(text)
  for (const [speed, least, most] of [
    [0.5, 1.6, 2.3],
    [2, 0.4, 0.65],
  ] as const) {
    const { pcm, rateHz } = await say(text, 'pf_dora', speed)
    const ratio = pcm.length / normal.pcm.length
    assert.ok(ratio > least && ratio < most, `speed ${speed}: ${ratio} as long`)
    const pitch = pitchHz(pcm, rateHz) / pitchHz(normal.pcm, normal.rateHz)
    assert.ok(Math.abs(pitch - 1) < 0.15, `speed ${speed}: pitch ${pitch}`)
  }
})

test('an abort ends the stream at once, and the next one is served', async () => {
  const stop = new AbortController()
  let frames = 0
  for await (const _ of kokoro.speak(LONG, { voiceId: 'pf_dora' }, stop.signal)) {
    frames++
    stop.abort()
  }
  assert.equal(frames, 1)
  assert.ok((await say('Pronto.')).pcm.length > 5000)
})

test('an abort before the first audio does not wait for the current run', async () => {
  const stop = new AbortController()
  const stream = kokoro.speak(LONG, { voiceId: 'pf_dora' }, stop.signal)[Symbol.asyncIterator]()
  const first = stream.next()
  stop.abort()
  assert.equal((await first).done, true)
})

test('two concurrent streams both play in full, interleaved and not in sequence', async () => {
  const order: string[] = []
  const tell = async (name: string) => {
    let samples = 0
    for await (const frame of kokoro.speak(LONG, { voiceId: 'pf_dora' }, never)) {
      samples += frame.pcm.length
      order.push(name)
    }
    return samples
  }
  const [a, b] = await Promise.all([tell('a'), tell('b')])
  assert.equal(a, b)
  assert.ok(order.indexOf('b') < order.lastIndexOf('a') && order.indexOf('a') < order.lastIndexOf('b'))
})

test('sentences of one reply are synthesised in order', async () => {
  const order: string[] = []
  const reply = {}
  const tell = async (text: string) => {
    for await (const _ of kokoro.speak(text, { voiceId: 'pf_dora', reply }, never)) order.push(text)
  }
  const all = ['Claro, um momento.', 'Achei o pedido.', 'Sai hoje.', 'Chega amanhã.', 'Serve?']
  await Promise.all(all.map(tell))
  assert.deepEqual([...new Set(order)], all)
  for (const [i, text] of all.entries())
    if (i > 0) assert.ok(order.indexOf(text) > order.lastIndexOf(all[i - 1] as string), text)
})

test('capacity is limited, and requests far beyond it are refused', async () => {
  const stop = new AbortController()
  assert.equal(kokoro.hasRoom(), true)
  const many = Array.from({ length: 30 }, () => listen(kokoro.speak(LONG, { voiceId: 'pf_dora' }, stop.signal)))
  const outcomes = Promise.allSettled(many)
  assert.equal(kokoro.hasRoom(), false)
  stop.abort()
  const refused = (await outcomes).flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  )
  assert.equal(refused.length, 6)
  assert.ok(refused.every((error) => error instanceof AppError && error.kind === 'unavailable'))
  assert.equal(kokoro.hasRoom(), true)
})

test('text with nothing to speak is an empty stream, and an unknown voice is not found', async () => {
  assert.equal((await say(' … ')).pcm.length, 0)
  await assert.rejects(say('Olá.', 'pm_nobody'), (error) => error instanceof AppError && error.kind === 'not_found')
})

test('on an unsuitable processor the plain path speaks too, clause by clause', async () => {
  const plain = await openKokoroTts({ ...(await preparedKokoro()), way: 'plain' })
  try {
    const { pcm, rateHz } = await listen(plain.speak('Olá, aqui é a Ana. Tudo bem?', { voiceId: 'pf_dora' }, never))
    const fast = await say('Olá, aqui é a Ana. Tudo bem?')
    assert.ok(Math.abs(pcm.length - fast.pcm.length) / rateHz < 0.1, `${pcm.length} and ${fast.pcm.length} samples`)
    assert.ok(Math.abs(levelDb(pcm) - levelDb(fast.pcm)) < 2)
  } finally {
    await plain.close()
  }
})

test('threads that die are replaced, and the next text is spoken', async () => {
  const { opened, workers } = await workersOf(async () => openKokoroTts({ ...(await preparedKokoro()), way: 'fast' }))
  for (const worker of workers) await worker.terminate()
  const { pcm } = await listen(opened.speak('Ainda estou aqui.', { voiceId: 'pf_dora' }, never))
  assert.ok(pcm.length > 5000)
  await opened.close()
})

test('close during speech waits for the run, ends the stream with an error, and leaves the process alive', async () => {
  const stream = listen(kokoro.speak(LONG, { voiceId: 'pf_dora' }, never))
  const ended = assert.rejects(stream, (error) => error instanceof AppError && error.kind === 'unavailable')
  await kokoro.close()
  await ended
  await assert.rejects(say('Olá.'), AppError)
})
