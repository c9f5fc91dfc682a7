// The voices of engines, kept for a while: a call must not wait for a vendor's list, nor fail without one.
import type { Tts, Voice } from '../voice/ports.ts'

const KEPT_MS = 600_000

type Kept = { voices: readonly Voice[]; atMs: number }

/** By the engine's own function, which the wrappers of an engine share. */
const kept = new WeakMap<Tts['voices'], Kept>()

export const knownVoices = ({ voices }: Tts): readonly Voice[] | undefined => kept.get(voices)?.voices

/** An old list is better than none. */
export async function voicesOf(tts: Tts, nowMs: number, signal: AbortSignal): Promise<readonly Voice[]> {
  const before = kept.get(tts.voices)
  if (before && nowMs - before.atMs < KEPT_MS) return before.voices
  try {
    const voices = await tts.voices(signal)
    kept.set(tts.voices, { voices, atMs: nowMs })
    return voices
  } catch (error) {
    if (before && !signal.aborted) return before.voices
    throw error
  }
}

/** Of a BCP 47 tag: pt for pt-BR. */
export const mainLanguage = (tag: string): string => (tag.split('-')[0] as string).toLowerCase()

const genders: Readonly<Record<string, Voice['gender']>> = {
  female: 'female',
  feminine: 'female',
  male: 'male',
  masculine: 'male',
}

/** Null for anything but female and male. */
export const genderOf = (text: string | null | undefined): Voice['gender'] => genders[text?.toLowerCase() ?? ''] ?? null

const MAX_PAGES = 10

/** The voices of a vendor that lists them page by page. `after`: the mark of the next page; null or undefined on the last one. */
export async function voicePages(
  read: (after: string | undefined) => Promise<{ voices: Voice[]; after: string | null | undefined }>,
): Promise<Voice[]> {
  const all: Voice[] = []
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const found = await read(after)
    all.push(...found.voices)
    if (!found.after) break
    after = found.after
  }
  return all
}

/** The provider's voice for a language: the same region, else the same language, else any. */
export function voiceForLanguage(voices: readonly Voice[], language: string): Voice | undefined {
  return (
    voices.find((voice) => voice.language.toLowerCase() === language.toLowerCase()) ??
    voices.find((voice) => mainLanguage(voice.language) === mainLanguage(language)) ??
    voices[0]
  )
}
