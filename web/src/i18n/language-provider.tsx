// The language that is spoken now, for whoever asks.
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { firstLanguage, type Language, localeOf, rememberLanguage } from './language.ts'
import type { Texts } from './texts.ts'

type LanguageContext = { language: Language; locale: string; choose(language: Language): void }
const LanguageReactContext = createContext<LanguageContext | null>(null)

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
  return <LanguageReactContext value={value}>{children}</LanguageReactContext>
}

export function useLanguage(): LanguageContext {
  const speaking = use(LanguageReactContext)
  if (!speaking) throw new Error('useLanguage outside of Speaks')
  return speaking
}

/** The words of a page in the language that is spoken now. */
export const useTexts = <W,>(all: Texts<W>): W => all[useLanguage().language]
