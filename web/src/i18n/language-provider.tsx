// Provides the current language and the texts in it.
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { firstLanguage, type Language, localeOf, rememberLanguage } from './language.ts'
import type { Texts } from './texts.ts'

type LanguageContext = { language: Language; locale: string; choose(language: Language): void }
const CurrentLanguage = createContext<LanguageContext | null>(null)

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage)
  const choose = useCallback((chosen: Language) => {
    rememberLanguage(chosen)
    setLanguage(chosen)
  }, [])
  useEffect(() => {
    document.documentElement.lang = localeOf[language]
  }, [language])
  const value = useMemo(() => ({ language, locale: localeOf[language], choose }), [language, choose])
  return <CurrentLanguage value={value}>{children}</CurrentLanguage>
}

export function useLanguage(): LanguageContext {
  const current = use(CurrentLanguage)
  if (!current) throw new Error('useLanguage outside of LanguageProvider')
  return current
}

/** The texts of a page in the current language. */
export const useTexts = <W,>(all: Texts<W>): W => all[useLanguage().language]
