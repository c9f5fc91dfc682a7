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

/** espeak's name of a BCP 47 language: by its region where that matters, else by its first part. */
export function espeakLanguage(language: string): string {
  const wanted = language.toLowerCase()
  return languages[wanted] ?? languages[wanted.slice(0, 2)] ?? 'pt-br'
}

/** `+f3` is a variant of a voice: another pitch and another throat. */
export const espeakVoice = (language: string, gender: Voice['gender']): string =>
  `${espeakLanguage(language)}${gender === 'female' ? '+f3' : ''}`
