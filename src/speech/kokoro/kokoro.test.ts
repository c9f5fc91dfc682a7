// The natural voice through its port, on this processor's path: a sentence of each language, abort, capacity and lost
// threads. More tests are in kokoro-full.test.ts.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { listen, preparedKokoro, testVoices, wayHere } from '../../../test/prepared-kokoro.ts'
import { longestSilenceMs, peakOf } from '../../../test/sound-measures.ts'
import { workersOf } from '../../../test/speech/workers.ts'
import { levelDb } from '../../audio/pcm.ts'
import { AppError } from '../../base/errors/errors.ts'
import { type KokoroTts, openKokoroTts } from './kokoro.ts'

let kokoro: KokoroTts
let workers: Worker[]
before(async () => {
  const prepared = await preparedKokoro()
  const started = await workersOf(() => openKokoroTts(prepared))
  kokoro = started.opened
  workers = started.workers
})
after(() => kokoro.close())

const never = new AbortController().signal
const speak = (text: string, signal = never) => kokoro.speak(text, { voiceId: 'pf_dora' }, signal)
const CLAUSE = 'Só um momento, por favor.'

test('it offers the prepared voices, on the path for this processor', async () => {
  const ids = (await kokoro.voices(never)).map((voice) => voice.id)
  // Voices of an earlier preparation may also be present.
  assert.deepEqual(
    testVoices.filter((id) => !ids.includes(id)),
    [],
  )
  assert.equal(kokoro.way, wayHere)
})

test('in each language a sentence has the duration, level and pauses of speech, without clipping', async () => {
  const texts: [string, string][] = [
    ['pf_dora', 'Não encontrei nenhum horário na quinta-feira.'],
    ['af_heart', 'I could not find any free time on Thursday.'],
    ['ef_dora', 'No encontré ningún horario el jueves.'],
  ]
  for (const [voiceId, text] of texts) {
    const { pcm, rateHz } = await listen(kokoro.speak(text, { voiceId }, never))
    const seconds = pcm.length / rateHz
    assert.equal(rateHz, 24_000)
    assert.ok(seconds > text.length * 0.04 && seconds < text.length * 0.09, `${voiceId}: ${seconds} s`)
    assert.ok(levelDb(pcm) > -30 && levelDb(pcm) < -12, `${voiceId}: ${levelDb(pcm)} dB`)
    assert.ok(peakOf(pcm) > 0.15 && peakOf(pcm) < 0.999, `${voiceId}: peak ${peakOf(pcm)}`)
    assert.ok(longestSilenceMs(pcm, rateHz) < 500, `${voiceId}: silent for ${longestSilenceMs(pcm, rateHz)} ms`)
  }
})

test('an abort ends the stream at once', async () => {
  const stop = new AbortController()
  let frames = 0
  for await (const _ of speak(CLAUSE, stop.signal)) {
    frames++
    stop.abort()
  }
  assert.equal(frames, 1)
})

test('an abort before the first audio does not wait for the current run, and the next stream is served', async () => {
  const stop = new AbortController()
  const first = speak(CLAUSE, stop.signal)[Symbol.asyncIterator]().next()
  stop.abort()
  assert.equal((await first).done, true)
  assert.ok((await listen(speak('Pronto.'))).pcm.length > 5000)
})

test('requests beyond the capacity are refused, and there is room again when the others have left', async () => {
  const stop = new AbortController()
  const outcomes = Promise.allSettled(Array.from({ length: 30 }, () => listen(speak(CLAUSE, stop.signal))))
  assert.equal(kokoro.hasRoom(), false)
  stop.abort()
  const refused = (await outcomes).flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  )
  assert.equal(refused.length, 6)
  assert.ok(refused.every((error) => error instanceof AppError && error.kind === 'unavailable'))
  assert.ok((await listen(speak('Pronto.'))).pcm.length > 5000)
})

test('text with nothing to speak is an empty stream, and an unknown voice is not found', async () => {
  assert.equal((await listen(speak(' … '))).pcm.length, 0)
  const unknown = listen(kokoro.speak('Olá.', { voiceId: 'pm_nobody' }, never))
  await assert.rejects(unknown, (error) => error instanceof AppError && error.kind === 'not_found')
})

test('threads that die are replaced, and the next text is spoken', async () => {
  assert.ok(workers.length > 0)
  for (const worker of workers) await worker.terminate()
  assert.ok((await listen(speak('Ainda estou aqui.'))).pcm.length > 5000)
})

test('close during speech waits for the run, ends the stream with an error, and leaves the process alive', async () => {
  const stream = listen(speak(CLAUSE))
  const ended = assert.rejects(stream, (error) => error instanceof AppError && error.kind === 'unavailable')
  await kokoro.close()
  await ended
  assert.equal(kokoro.hasRoom(), false)
  await assert.rejects(listen(speak('Olá.')), AppError)
})
