// More tests of the natural voice: words, speed, concurrent streams, replies and the path of other processors.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { listen, needsInt8, preparedKokoro } from '../../../test/prepared-kokoro.ts'
import { pitchHz } from '../../../test/sound-measures.ts'
import { messagesTo, workersOf } from '../../../test/speech/workers.ts'
import { levelDb } from '../../audio/pcm.ts'
import { type KokoroTts, openKokoroTts } from './kokoro.ts'
import type { Job } from './worker.ts'

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
const say = (text: string, voiceId = 'pf_dora', speed = 1) => listen(kokoro.speak(text, { voiceId, speed }, never))
const LONG =
  'Sua consulta ficou marcada para terça-feira, dia quatorze de outubro. Vou mandar uma mensagem com o endereço, e se precisar mudar é só responder.'

async function wordsOf(voiceId: string): Promise<string> {
  const words: string[] = []
  for await (const frame of kokoro.speak(LONG, { voiceId }, never)) if (frame.words) words.push(frame.words)
  return words.join(' ')
}

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

const voiceOf = (job: Job): string => {
  if (job.do === 'close') return ''
  return job.do === 'window' ? job.clip.voiceId : job.utterance.voiceId
}

// Compares the order of runs, not of frames: on a slow machine frames are held back until all can play without a gap.
test('two concurrent streams both play in full with every word once, synthesised in turn and not in sequence', async () => {
  const jobs = messagesTo<Job>(workers)
  const voices = ['pf_dora', 'pm_alex']
  assert.deepEqual(await Promise.all(voices.map(wordsOf)), [LONG, LONG])
  const order = jobs.map(voiceOf)
  const [a = '', b = ''] = voices
  assert.ok(order.indexOf(b) < order.lastIndexOf(a) && order.indexOf(a) < order.lastIndexOf(b), order.join(' '))
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

test('the plain path of unsuitable processors speaks as long and as loud as the fast one', needsInt8, async () => {
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
