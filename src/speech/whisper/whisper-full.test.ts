// More tests of embedded recognition: every sample rate and noise, hints, close and preparation.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { robotSpeech, sounds } from '../../../test/sounds.ts'
import { preparedWhisper, transcripts } from '../../../test/speech/hearing.ts'
import { resample } from '../../audio/resample.ts'
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
  folder = await preparedWhisper()
  ears = await openWhisper({ folder })
})
after(async () => {
  await ears.close()
  await rm(home, { recursive: true })
})

const hear = (pcm: Int16Array, rateHz: number, language: string, hints: string[] = []) =>
  transcripts(ears, { pcm, rateHz }, { language, hints })

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
})

test('a hint helps to recognise a name, and does not appear when nobody says it', async () => {
  const noise = sounds['white noise']?.(8000, 2) as Int16Array
  assert.equal((await hear(noise, 8000, 'en', ['Ramal']))[0]?.text, '')
  const pcm = await robotSpeech('I want to talk about Ramal, the phone system.', 'en-us', 16000)
  const [without] = await hear(pcm, 16000, 'en')
  const [withHint] = await hear(pcm, 16000, 'en', ['Ramal'])
  assert.doesNotMatch(without?.text ?? '', /Ramal/)
  assert.match(withHint?.text ?? '', /Ramal/)
})

test('close during inference waits for the step and ends queued utterances', async () => {
  const other = await openWhisper({ folder, threads: 1 })
  const clip = sounds['white noise']?.(8000, 5) as Int16Array
  const heard = [1, 2].map(() => transcripts(other, { pcm: clip, rateHz: 8000 }, { language: 'en' }))
  await new Promise(setImmediate)
  await other.close()
  assert.deepEqual(await Promise.all(heard), [[], []])
  await assert.rejects(transcripts(other, { pcm: clip, rateHz: 8000 }, { language: 'en' }), /closed/)
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
