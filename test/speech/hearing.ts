// The tests' embedded recognizer: prepared once, in a folder shared by all test files and later runs.
import { join } from 'node:path'
import { prepareWhisper } from '../../src/speech/whisper/prepare.ts'
import type { Stt, Transcript } from '../../src/voice/ports.ts'
import { frames } from '../sounds.ts'

const never = new AbortController().signal

/** A platform finds the prepared models here. */
export const models = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'ramal-models')

export async function preparedWhisper(): Promise<string> {
  const folder = join(models, 'whisper')
  await prepareWhisper(folder, () => {}, never)
  return folder
}

type Heard = { pcm: Int16Array; rateHz: number }
type Options = Parameters<Stt['transcribe']>[1]

export async function transcripts(ears: Stt, { pcm, rateHz }: Heard, options: Options, signal = never) {
  const all: Transcript[] = []
  for await (const heard of ears.transcribe(frames(pcm, rateHz), options, signal)) all.push(heard)
  return all
}

/** Resolves with the recognized words, or an empty text. */
export const hear = async (ears: Stt, sound: Heard, language: string): Promise<string> =>
  (await transcripts(ears, sound, { language })).at(-1)?.text ?? ''
