// Embedded speech recognition with the real model: speech, noise, aborts, overload and preparation.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { frames, robotSpeech, sounds } from '../../../test/sounds.ts'
import { workersOf } from '../../../test/speech/workers.ts'
import { resample } from '../../audio/resample.ts'
import type { AudioFrame, Transcript } from '../../voice/ports.ts'
import { wordErrors } from '../word-errors.ts'
import { isWhisperPrepared, sourceGraphs, whisperFiles } from './folder.ts'
import { prepareWhisper } from './prepare.ts'
import { openWhisper, type WhisperStt } from './whisper.ts'

const never = new AbortController().signal
let home: string
let folder: string
let ears: WhisperStt
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'whisper-'))
  folder = join(home, 'whisper')
  await prepareWhisper(folder, () => {}, never)
  ears = await openWhisper({ folder, maxWaiting: 2 })
})
after(async () => {
  await ears.close()
  await rm(home, { recursive: true })
})

async function hear(pcm: Int16Array, rateHz: number, language: string, signal = never, hints: string[] = []) {
  const all: Transcript[] = []
  for await (const heard of ears.transcribe(frames(pcm, rateHz), { language, hints }, signal)) all.push(heard)
  return all
}

/** espeak-ng is hard to understand, most of all in Portuguese: this tests that the parts fit, not the accuracy. */
const said = [
  { voice: 'en-us', language: 'en-US', text: 'I want to talk about the phone system.', rates: [8000, 16000] },
  {
    voice: 'es',
    language: 'es-ES',
    text: 'Buenos días. Quiero hablar con el gerente.',
    rates: [8000, 16000, 24000, 48000],
  },
]

test('most words of even a robotic voice are recognised, at every sample rate in use', async () => {
  for (const { voice, language, text, rates } of said) {
    const pcm = await robotSpeech(text, voice, 48000)
    for (const rateHz of rates) {
      const [heard, ...more] = await hear(resample(pcm, 48000, rateHz), rateHz, language)
      assert.equal(more.length, 0)
      assert.equal(heard?.isFinal, true)
      const { errors, words } = wordErrors(text, heard?.text ?? '', language)
      assert.ok(errors / words <= 0.5, `${language} at ${rateHz} Hz: ${heard?.text}`)
      assert.ok((heard?.confidence ?? 0) > 0.36 && (heard?.confidence ?? 1) < 1)
    }
  }
})

test('silence, noise, hum, tones and music give an empty transcript', async () => {
  for (const [name, sound] of Object.entries(sounds))
    for (const language of ['pt-BR', 'en-US'])
      assert.equal((await hear(sound(8000, 3), 8000, language))[0]?.text, '', `${name} in ${language}`)
  assert.deepEqual(await hear(new Int16Array(0), 8000, 'pt'), [{ text: '', isFinal: true }])
})

test('a hint helps to recognise a name, and does not appear when nobody says it', async () => {
  const noise = sounds['white noise']?.(8000, 2) as Int16Array
  assert.equal((await hear(noise, 8000, 'en', never, ['Ramal']))[0]?.text, '')
  const pcm = await robotSpeech('I want to talk about Ramal, the phone system.', 'en-us', 16000)
  const [without] = await hear(pcm, 16000, 'en')
  const [withHint] = await hear(pcm, 16000, 'en', never, ['Ramal'])
  assert.doesNotMatch(without?.text ?? '', /Ramal/)
  assert.match(withHint?.text ?? '', /Ramal/)
})

test('after a question, silence and noise are no answer to it', async () => {
  const asked = { language: 'pt-BR', prompt: 'Posso confirmar a consulta?', hints: ['Unimed'] }
  for (const [name, sound] of Object.entries(sounds))
    for await (const { text, hasSpeech } of ears.transcribe(frames(sound(8000, 1), 8000), asked, never))
      assert.deepEqual([text, name === 'busy tone' || !hasSpeech], ['', true], name)
})

test('an urgent utterance goes before the waiting ones, also where others would be refused', async () => {
  const clip = sounds['white noise']?.(8000, 1) as Int16Array
  const order: string[] = []
  const one = async (name: string, isUrgent: boolean) => {
    for await (const _ of ears.transcribe(frames(clip, 8000), { language: 'en', isUrgent }, never)) order.push(name)
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
  const long = sounds.melody?.(16000, 20) as Int16Array
  assert.deepEqual(await hear(long, 16000, 'pt', AbortSignal.abort()), [])

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
  const result = hear(long, 16000, 'pt', running.signal)
  setImmediate(() => running.abort())
  assert.deepEqual(await result, [], 'what was recognised is not waited for')
  assert.equal((await hear(sounds.silence?.(8000, 1) as Int16Array, 8000, 'pt'))[0]?.text, '')
})

test('utterances beyond the queue limit are refused and the others are transcribed', async () => {
  const clip = sounds['white noise']?.(8000, 1) as Int16Array
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => hear(clip, 8000, 'en')))
  assert.deepEqual(
    all.map((result) => (result.status === 'fulfilled' ? result.value[0]?.text : String(result.reason.message))),
    ['', '', '', 'The speech recogniser is busy', 'The speech recogniser is busy'],
  )
})

test('close during inference waits for the step and ends queued utterances', async () => {
  const other = await openWhisper({ folder, threads: 1 })
  const clip = sounds['white noise']?.(8000, 5) as Int16Array
  const heard = [1, 2].map(async () => {
    const all: Transcript[] = []
    for await (const item of other.transcribe(frames(clip, 8000), { language: 'en' }, never)) all.push(item)
    return all
  })
  await new Promise(setImmediate)
  await other.close()
  assert.deepEqual(await Promise.all(heard), [[], []])
  await assert.rejects(async () => {
    for await (const _ of other.transcribe(frames(clip, 8000), { language: 'en' }, never)) assert.fail()
  }, /closed/)
})

test('a thread that dies is replaced, and the next utterance is transcribed', async () => {
  const { opened, workers } = await workersOf(() => openWhisper({ folder, threads: 1 }))
  await workers[0]?.terminate()
  const pcm = await robotSpeech('I want to talk about the phone system.', 'en-us', 16000)
  const heard: string[] = []
  for await (const { text } of opened.transcribe(frames(pcm, 16000), { language: 'en' }, never)) heard.push(text)
  assert.match(heard.join(' '), /phone/)
  await opened.close()
})

test('a folder that is not prepared is refused with a reason', async () => {
  await assert.rejects(openWhisper({ folder: join(home, 'absent') }), /ENOENT/)
})

test('a killed preparation leaves no partial folder, and the next one completes it', async () => {
  const other = join(home, 'killed')
  const program = join(home, 'killed-program.mjs')
  await writeFile(
    program,
    `import { prepareWhisper } from ${JSON.stringify(new URL('./prepare.ts', import.meta.url).href)}
    const atFour = (done) => done >= 0.4 && process.kill(process.pid, 'SIGKILL')
    await prepareWhisper(${JSON.stringify(other)}, atFour, new AbortController().signal)`,
  )
  const [, signal] = await once(spawn(process.execPath, [program]), 'exit')
  assert.equal(signal, 'SIGKILL')
  assert.equal((await readdir(home)).filter((name) => name.startsWith('killed.')).length, 1)
  assert.equal(await isWhisperPrepared(other), false)
  const steps: number[] = []
  await prepareWhisper(other, (done) => steps.push(done), never)
  assert.equal(await isWhisperPrepared(other), true)
  assert.deepEqual(
    steps,
    steps.toSorted((a, b) => a - b),
  )
  assert.equal(steps.at(-1), 1)

  await truncate(join(other, whisperFiles.decoder), 1000)
  assert.equal(await isWhisperPrepared(other), false)
  await prepareWhisper(other, () => {}, never)
  assert.equal(await isWhisperPrepared(other), true)
  const own = join(home, 'own-model')
  await mkdir(join(own, 'onnx'), { recursive: true })
  for (const name of Object.values(sourceGraphs)) await writeFile(join(own, name), 'another model')
  assert.equal(await isWhisperPrepared(other, own), false)
  await writeFile(join(other, 'manifest.json'), '{"version":0,"files":{}}')
  assert.equal(await isWhisperPrepared(other), false)
})

test('preparation stops on abort and leaves nothing', async () => {
  const other = join(home, 'stopped')
  const stop = new AbortController()
  await assert.rejects(
    prepareWhisper(other, () => stop.abort(), stop.signal),
    { name: 'AbortError' },
  )
  assert.deepEqual(
    (await readdir(home)).filter((name) => name.startsWith('stopped')),
    [],
  )
})
