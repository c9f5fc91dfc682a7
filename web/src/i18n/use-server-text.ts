// A hook that translates the server's English texts in records: states, details, reasons.
import { useCallback } from 'react'
import { useLanguage } from './language-provider.tsx'
import { type ServerTexts, translated } from './server-text.ts'

/** Returns a function that translates a server text; null stays null. */
export function useServerText(texts: ServerTexts): <T extends string | null | undefined>(text: T) => T | string {
  const { language } = useLanguage()
  return useCallback((text) => (text ? translated(text, language, texts) : text), [language, texts])
}
