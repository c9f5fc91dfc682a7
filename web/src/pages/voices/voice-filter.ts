// Filters voices. Pure.
import { baseLanguage, type Voice } from '../../components/voice-providers.ts'

export type VoiceFilter = { language: string | null; gender: string | null; text: string }

/** Search ignores case and accents. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export function filterVoices(voices: readonly Voice[], { language, gender, text }: VoiceFilter): Voice[] {
  const wanted = plain(text.trim())
  return voices.filter(
    (voice) =>
      (!language || baseLanguage(voice.language) === language) &&
      (!gender || voice.gender === gender) &&
      plain(`${voice.name} ${voice.id} ${typeof voice.description === 'string' ? voice.description : ''}`).includes(
        wanted,
      ),
  )
}

/** Unique two-letter codes. */
export const languagesOf = (voices: readonly Voice[]): string[] => [
  ...new Set(voices.map((voice) => baseLanguage(voice.language))),
]
