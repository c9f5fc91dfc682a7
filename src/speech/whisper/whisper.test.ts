// Embedded speech recognition with the real model: a sentence of each language, noise, aborts and overload. More tests
// are in whisper-full.test.ts.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { robotSpeech, sounds } from '../../../test/sounds.ts'
import { preparedWhisper, transcripts } from '../../../test/speech/hearing.ts'
import { workersOf } from '../../../test/speech/workers.ts'
import { readWav } from '../../audio/wav.ts'
import type { AudioFrame } from '../../voice/ports.ts'
import { dataType, readModel } from '../onnx/protobuf.ts'
import { areSignedProductsExact, productsOf } from '../onnx/signed-products.ts'
import { wordErrors } from '../word-errors.ts'
import { whisperFiles } from './folder.ts'
import { openWhisper, type WhisperStt } from './whisper.ts'

const never = new AbortController().signal
let folder: string
let ears: WhisperStt
let workers: Worker[]
before(async () => {
  folder = await preparedWhisper()
  const started = await workersOf(() => openWhisper({ folder, maxWaiting: 2 }))
  ears = started.opened
  workers = started.workers
})
after(() => ears.close())

const hear = (pcm: Int16Array, rateHz: number, language: string, signal = never) =>
  transcripts(ears, { pcm, rateHz }, { language }, signal)
const sound = (name: string, seconds: number, rateHz = 8000): Int16Array =>
  sounds[name]?.(rateHz, seconds) ?? assert.fail(name)

test('all products have weights that this processor multiplies exactly', async () => {
  const wanted = (await areSignedProductsExact()) ? dataType.int8 : dataType.uint8
  for (const name of [whisperFiles.encoder, whisperFiles.decoder]) {
    const { graph } = await readModel(join(folder, name))
    const kinds = productsOf(graph).map(({ inputs }) => graph.initializers.get(inputs[1] ?? '')?.type)
    assert.ok(kinds.length >= 36, `${name} has ${kinds.length} products`)
    assert.deepEqual([...new Set(kinds)], [wanted], name)
  }
})

/**
 * espeak-ng is hard to understand: this tests that the parts fit, not the accuracy. Portuguese is tested with a
 * recorded voice.
 */
test('most words of each language are recognised', async () => {
  const recorded = readWav(await readFile(new URL('../sample/bom-dia.wav', import.meta.url)))
  const robot = async (text: string, voice: string) => ({ pcm: await robotSpeech(text, voice, 16_000), rateHz: 16_000 })
  const [english, spanish] = ['I want to talk about the phone system.', 'Buenos días. Quiero hablar con el gerente.']
  for (const [language, text, { pcm, rateHz }] of [
    ['pt-BR', 'Bom dia, eu queria marcar uma consulta.', recorded],
    ['en-US', english, await robot(english, 'en-us')],
    ['es-ES', spanish, await robot(spanish, 'es')],
  ] as const) {
    const [heard, ...more] = await hear(pcm, rateHz, language)
    assert.equal(more.length, 0)
    assert.equal(heard?.isFinal, true)
    const { errors, words } = wordErrors(text, heard?.text ?? '', language)
    assert.ok(errors / words <= 0.5, `${language}: ${heard?.text}`)
    assert.ok((heard?.confidence ?? 0) > 0.36 && (heard?.confidence ?? 1) < 1)
  }
})

test('after a question, silence and noise are no answer to it', async () => {
  const asked = { language: 'pt-BR', prompt: 'Posso confirmar a consulta?', hints: ['Unimed'] }
  for (const name of Object.keys(sounds))
    for (const { text, hasSpeech } of await transcripts(ears, { pcm: sound(name, 1), rateHz: 8000 }, asked))
      assert.deepEqual([text, name === 'busy tone' || !hasSpeech], ['', true], name)
  assert.deepEqual(await hear(new Int16Array(0), 8000, 'pt'), [{ text: '', isFinal: true }])
})

test('an urgent utterance goes before the waiting ones, also where others would be refused', async () => {
  const order: string[] = []
  const one = async (name: string, isUrgent: boolean) => {
    const heard = { pcm: sound('white noise', 1), rateHz: 8000 }
    for (const _ of await transcripts(ears, heard, { language: 'en', isUrgent })) order.push(name)
  }
  await Promise.all([
    one('running', false),
    one('first', false),
    one('second', false),
    one('urgent', true),
    one('also urgent', true),
  ])
  assert.deepEqual(order, ['running', 'urgent', 'also urgent', 'first', 'second'])
})

test('a language that Whisper does not know is refused by name', async () => {
  await assert.rejects(hear(new Int16Array(8000).fill(5000), 8000, 'xx'), /language xx/)
})

test('an abort ends recognition at once, before, during and after the audio, and frees the worker', async () => {
  const long = sound('melody', 20, 16_000)
  assert.deepEqual(await hear(long, 16_000, 'pt', AbortSignal.abort()), [])

  const waiting = new AbortController()
  let isReturned = false
  const endless: AsyncIterable<AudioFrame> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: async () => {
        isReturned = true
        return { done: true, value: undefined }
      },
    }),
  }
  const first = ears.transcribe(endless, { language: 'pt' }, waiting.signal)[Symbol.asyncIterator]().next()
  waiting.abort()
  assert.equal((await first).done, true)
  assert.equal(isReturned, true)

  const running = new AbortController()
  const result = hear(long, 16_000, 'pt', running.signal)
  setImmediate(() => running.abort())
  assert.deepEqual(await result, [], 'what was recognised is not waited for')
  assert.equal((await hear(sound('silence', 1), 8000, 'pt'))[0]?.text, '')
})

test('utterances beyond the queue limit are refused and the others are transcribed', async () => {
  const clip = sound('white noise', 1)
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => hear(clip, 8000, 'en')))
  assert.deepEqual(
    all.map((result) => (result.status === 'fulfilled' ? result.value[0]?.text : String(result.reason.message))),
    ['', '', '', 'The speech recogniser is busy', 'The speech recogniser is busy'],
  )
})

test('a thread that dies is replaced, and the next utterance is transcribed', async () => {
  assert.equal(workers.length, 1)
  await workers[0]?.terminate()
  const pcm = await robotSpeech('I want to talk about the phone system.', 'en-us', 16_000)
  const heard = await hear(pcm, 16_000, 'en')
  assert.match(heard.map(({ text }) => text).join(' '), /phone/)
})

test('a folder that is not prepared is refused with a reason', async () => {
  await assert.rejects(openWhisper({ folder: join(folder, 'absent') }), /ENOENT/)
})
