// The language that is spoken now, for whoever asks.
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { firstLanguage, type Language, localeOf, rememberLanguage } from './language.ts'
import type { Words } from './words.ts'

type Speaking = { language: Language; locale: string; choose(language: Language): void }
const Context = createContext<Speaking | null>(null)

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
  return <Context value={value}>{children}</Context>
}

export function useLanguage(): Speaking {
  const speaking = use(Context)
  if (!speaking) throw new Error('useLanguage outside of Speaks')
  return speaking
}

/** The words of a page in the language that is spoken now. */
export const useWords = <W,>(all: Words<W>): W => all[useLanguage().language]
