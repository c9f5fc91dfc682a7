// The page's languages, and the stored choice.
export const languages = ['pt', 'en', 'es'] as const
export type Language = (typeof languages)[number]

export const languageNames: Readonly<Record<Language, string>> = { pt: 'Português', en: 'English', es: 'Español' }
/** BCP 47 tags, for dates, numbers and the `lang` attribute. */
export const localeOf: Readonly<Record<Language, string>> = { pt: 'pt-BR', en: 'en-US', es: 'es-ES' }

const KEY = 'ramal.language'
const isLanguage = (text: string | null | undefined): text is Language => languages.some((one) => one === text)

/** The stored choice, else the browser's first supported language, else Portuguese. */
export function firstLanguage(): Language {
  const chosen = localStorage.getItem(KEY)
  if (isLanguage(chosen)) return chosen
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'pt'
}

export const rememberLanguage = (language: Language) => localStorage.setItem(KEY, language)
