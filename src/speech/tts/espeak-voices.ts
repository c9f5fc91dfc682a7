// Maps our voices to espeak-ng voices of the same language and gender.
import type { Voice } from '../../voice/ports.ts'

const languages: Readonly<Record<string, string>> = {
  pt: 'pt-br',
  'pt-pt': 'pt',
  en: 'en-us',
  'en-gb': 'en-gb',
  es: 'es-419',
  'es-es': 'es',
}

/** espeak's name for a BCP 47 language: with the region where it matters, else the first subtag. */
export function espeakLanguage(language: string): string {
  const wanted = language.toLowerCase()
  return languages[wanted] ?? languages[wanted.slice(0, 2)] ?? 'pt-br'
}

/** `+f3` is a voice variant: different pitch and timbre. */
export const espeakVoice = (language: string, gender: Voice['gender']): string =>
  `${espeakLanguage(language)}${gender === 'female' ? '+f3' : ''}`
