// Tokenizes dictated text into words, figures and punctuation marks.
import { foldText } from '../base/text/text.ts'

export type DictationLanguage = 'pt' | 'en' | 'es'

/** Other languages are read as English. */
export function dictationLanguage(language: string): DictationLanguage {
  const main = language.slice(0, 2).toLowerCase()
  return main === 'pt' || main === 'es' ? main : 'en'
}

export type Token = {
  readonly type: 'word' | 'figures' | 'mark'
  /** As written. */
  readonly raw: string
  /** Without case and accents. */
  readonly text: string
  /** Directly follows the previous token, without a space. */
  readonly isTight: boolean
}

/** Longer than anything dictated in one piece. */
export const MAX_LETTERS = 500

const token = /(\p{Nd}+)|([\p{L}\p{M}]+)|(\S)/gu

export function tokensIn(text: string): Token[] {
  const tokens: Token[] = []
  let end = 0
  for (const match of text.slice(0, MAX_LETTERS).normalize('NFC').matchAll(token)) {
    const [raw, figures, word] = match
    const type = figures ? 'figures' : word ? 'word' : 'mark'
    tokens.push({ type, raw, text: foldText(raw), isTight: match.index === end && tokens.length > 0 })
    end = match.index + raw.length
  }
  return tokens
}

export const wordCount = (text: string): number => tokensIn(text).filter(({ type }) => type === 'word').length
