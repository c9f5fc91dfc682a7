// Parses a correction: the right part, the wrong part, and its place.
import { type CorrectionWords, correctionWordsOf } from './correction-words.ts'
import { dictationLanguage, MAX_LETTERS, type Token, tokensIn } from './tokens.ts'

/** `place`: the end, the start, or the index of a digit or group (negative: from the end). */
export type Instruction = { right: string; wrong: string | null; place: 'any' | 'end' | 'start' | number }

/** The characters of the value in a part of the text; '' if there are none. */
type ReadPart = (text: string) => string

/** Null if the text is not a correction. */
export function instructionIn(text: string, language: string, read: ReadPart): Instruction | null {
  const code = dictationLanguage(language)
  const words = correctionWordsOf(code)
  const [denial = ''] = words.no
  const plain = text.slice(0, MAX_LETTERS).replace(words.instead, ` ${denial === 'nao' ? 'não' : denial} `)
  const tokens = tokensIn(plain)
  return swapIn(tokens, words, read) ?? placeIn(tokens, words, read) ?? contrastIn(tokens, words, read)
}

const isOneOf = (token: Token, list: ReadonlySet<string>): boolean =>
  token.type === 'word' && (list.has(token.text) || list.has(token.raw.toLowerCase()))

/** "troca o três por seis". */
function swapIn(tokens: readonly Token[], { swap, by }: CorrectionWords, read: ReadPart): Instruction | null {
  const from = tokens.findIndex((token) => isOneOf(token, swap))
  const to = tokens.findIndex((token, i) => from !== -1 && i > from + 1 && isOneOf(token, by))
  if (to === -1) return null
  const [wrong, right] = [tokens.slice(from + 1, to), tokens.slice(to + 1)].map((each) => read(textOf(contentOf(each))))
  return wrong && right ? { wrong, right, place: 'any' } : null
}

/** "o final é 35", "o terceiro é oito", "the last two are 35". */
function placeIn(tokens: readonly Token[], words: CorrectionWords, read: ReadPart): Instruction | null {
  const lead = tokens.findIndex(
    (token) =>
      isOneOf(token, words.end) ||
      isOneOf(token, words.start) ||
      (token.type === 'word' && words.ordinals.has(token.text)),
  )
  const token = tokens[lead]
  if (!token) return null
  const after = rightIn(tokens.slice(lead + 1), words, read)
  // "é 35 no final"
  const right = after === '' ? rightIn(tokens.slice(0, lead), words, read) : after
  if (right === '') return null
  if (isOneOf(token, words.end)) return { right, wrong: null, place: 'end' }
  if (isOneOf(token, words.start)) return { right, wrong: null, place: 'start' }
  const position = words.ordinals.get(token.text) ?? 0
  return { right, wrong: null, place: position === -1 && right.length > 1 ? 'end' : position }
}

/** The last part that is not denied; a count may precede it. */
const rightIn = (tokens: readonly Token[], words: CorrectionWords, read: ReadPart): string =>
  clausesOf(tokens, words)
    .filter(({ isDenied }) => !isDenied)
    .map(({ text }) => read(text))
    .findLast((each) => each !== '') ?? ''

/** "é oito, não sete". */
function contrastIn(tokens: readonly Token[], words: CorrectionWords, read: ReadPart): Instruction | null {
  const clauses = clausesOf(tokens, words)
  const said = (isDenied: boolean) =>
    clauses
      .filter((each) => each.isDenied === isDenied)
      .map(({ text }) => read(text))
      .find((each) => each !== '')
  // "Não é oito não sete": the recognizer lost the commas of "não, é oito, não sete".
  const denied = clauses.map(({ text }) => read(text)).filter((each) => each !== '')
  if (denied.length === 2 && clauses.every(({ isDenied }) => isDenied))
    return { right: denied[0] as string, wrong: denied[1] as string, place: 'any' }
  const [wrong, right] = [said(true), said(false)]
  return wrong && right ? { wrong, right, place: 'any' } : null
}

const textOf = (tokens: readonly Token[]): string =>
  tokens.map(({ raw, isTight }) => (isTight ? raw : ` ${raw}`)).join('')

type Clause = { text: string; isDenied: boolean }

/** Clauses with content, each denied or not. A "não" before a comma denies the whole value, not a part. */
function clausesOf(tokens: readonly Token[], { no, is }: CorrectionWords): Clause[] {
  const found: { tokens: Token[]; isDenied: boolean }[] = [{ tokens: [], isDenied: false }]
  for (const [i, token] of tokens.entries()) {
    const isVerb = token.type === 'word' && is.has(token.raw.toLowerCase())
    const isBreak = token.type === 'mark' && [',', '.', ';'].includes(token.text) && !isInFigures(tokens, i)
    if (token.type === 'word' && no.has(token.text))
      found.push({ tokens: [], isDenied: tokens[i + 1]?.type !== 'mark' })
    // "não é sete" stays denied.
    else if (isVerb || isBreak) {
      if ((found.at(-1)?.tokens.length ?? 0) > 0) found.push({ tokens: [], isDenied: false })
    } else found.at(-1)?.tokens.push(token)
  }
  return found
    .map((each) => ({ text: textOf(contentOf(each.tokens)), isDenied: each.isDenied }))
    .filter((each) => each.text !== '')
}

const fillers: ReadonlySet<string> = new Set(
  'o a os as the el la los las letra digito numero letter digit number com with con'.split(' '),
)

/** Removes filler words. An "a" alone may be the letter. */
function contentOf(tokens: readonly Token[]): readonly Token[] {
  const rest = tokens.filter(({ type, text }) => type !== 'word' || !fillers.has(text))
  return rest.length === 0 && tokens.length === 1 && tokens[0]?.raw.length === 1 ? tokens : rest
}

const isInFigures = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.isTight === true && tokens[at + 1]?.isTight === true && tokens[at + 1]?.type === 'figures'
