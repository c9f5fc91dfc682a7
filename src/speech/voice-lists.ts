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

/** The provider's voice for a language: the same region, else the same language, else any. */
export function voiceForLanguage(voices: readonly Voice[], language: string): Voice | undefined {
  const main = (tag: string) => tag.split('-')[0]?.toLowerCase()
  return (
    voices.find((voice) => voice.language.toLowerCase() === language.toLowerCase()) ??
    voices.find((voice) => main(voice.language) === main(language)) ??
    voices[0]
  )
}
