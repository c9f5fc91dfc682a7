// Numbers in dictated text, in figures or words: "vinte e três" is 23, "doze trinta e quatro" is 12 and 34.
import { type NumberWords, numberWordsOf } from './number-words.ts'
import { type DictationLanguage, dictationLanguage, type Token, tokensIn } from './tokens.ts'

/** A token, or a number made of several tokens. `digits` keeps leading zeros; '' if it is not a number. */
export type Item = Token & { readonly digits: string }

/** Tokens, with number words combined. */
export const itemsIn = (text: string, language: string): Item[] =>
  withNumbers(tokensIn(text), dictationLanguage(language))

/** All digits, in figures or words, in order. */
export const digitsIn = (text: string, language: string): string =>
  itemsIn(text, language)
    .map(({ digits }) => digits)
    .join('')

function withNumbers(tokens: readonly Token[], language: DictationLanguage): Item[] {
  const words = numberWordsOf(language)
  const items: Item[] = []
  for (let i = 0; i < tokens.length; ) {
    const token = tokens[i] as Token
    const found = numberAt(tokens, i, words)
    const last = tokens[(found?.next ?? i + 1) - 1] as Token
    items.push({
      ...token,
      ...(found && found.next > i + 1 ? { raw: `${token.raw} ${last.raw}`, text: '' } : {}),
      type: found ? 'figures' : token.type,
      digits: found?.digits ?? '',
    })
    i = Math.max(i + 1, found?.next ?? 0)
  }
  return items
}

type Found = { digits: string; next: number }

function numberAt(tokens: readonly Token[], at: number, words: NumberWords): Found | null {
  return repeatedAt(tokens, at, words) ?? composedAt(tokens, at, words)
}

/** "double five" is 55, "dois zeros" is 00. */
function repeatedAt(tokens: readonly Token[], at: number, words: NumberWords): Found | null {
  const [first, second] = [tokens[at], tokens[at + 1]]
  if (first?.type === 'mark' || !second || second.type === 'mark') return null
  const times = words.repeats.get(first?.text ?? '')
  const digit = times ? numberOf(second, words) : words.plurals.get(second.text)
  const count = times ?? numberOf(first, words)
  if (digit === undefined || digit > 9 || count === undefined || count < 2 || count > 9) return null
  return { digits: String(digit).repeat(count), next: at + 2 }
}

const numberOf = (token: Token | undefined, words: NumberWords): number | undefined =>
  token?.type === 'figures' && token.text.length <= 9
    ? Number(token.text)
    : token?.type === 'word'
      ? words.values.get(token.text)
      : undefined

/** Combines hundreds, tens, units and multipliers into one number. */
function composedAt(tokens: readonly Token[], at: number, words: NumberWords): Found | null {
  const first = tokens[at] as Token
  const alone = multiplierAlone(first, words)
  if (first.type === 'mark' || (alone === undefined && !isNumber(tokens, at, words))) return null
  let total = 0
  let group = alone === undefined ? (numberOf(first, words) ?? 0) : 0
  let room = alone === undefined ? roomAfter(first, group) : 1000
  let next = at + 1
  if (alone !== undefined) total = alone
  // A long run of figures is kept as it is.
  let isComposed = alone !== undefined
  for (;;) {
    const multiplier = multiplierAt(tokens, next, words)
    if (multiplier !== undefined && group > 0 && group < 1000 && next > at) {
      if (multiplier === 100) group *= 100
      else {
        total += group * multiplier
        group = 0
      }
      room = multiplier === 100 ? 100 : 1000
      next += 1
      isComposed = true
      continue
    }
    const part = partAt(tokens, next, { words, room })
    if (!part) break
    group += part.value
    room = roomAfter(tokens[part.next - 1] as Token, part.value)
    next = part.next
    isComposed = true
  }
  return { digits: isComposed || first.type === 'word' ? String(total + group) : ascii(first.text), next }
}

/** "mil e quinhentos", "a hundred and five": a multiplier without a number before it. */
const multiplierAlone = (token: Token, words: NumberWords): number | undefined =>
  token.type === 'word' && !token.text.startsWith('mill') && !token.text.startsWith('milh')
    ? words.multipliers.get(token.text)
    : undefined

const multiplierAt = (tokens: readonly Token[], at: number, words: NumberWords): number | undefined => {
  const token = tokens[at]
  return token?.type === 'word' ? words.multipliers.get(token.text) : undefined
}

/** The next part of a number must be smaller than this. */
function roomAfter(token: Token, value: number): number {
  if (value === 0 || token.text === 'cem' || token.text === 'cien') return 1
  if (value % 100 === 0 && value < 1000) return 100
  return value % 10 === 0 && value >= 20 && value < 100 ? 10 : 1
}

type PartContext = { words: NumberWords; room: number }

/** A smaller number that continues the previous one. Figures need a connector: "20 3" is two numbers. */
function partAt(
  tokens: readonly Token[],
  at: number,
  { words, room }: PartContext,
): { value: number; next: number } | null {
  if (room === 1) return null
  const isConnected = words.connectors.has(tokens[at]?.raw.toLowerCase() ?? '')
  const isHyphen = tokens[at]?.text === '-' && tokens[at - 1]?.type === 'word'
  const place = isConnected || isHyphen ? at + 1 : at
  const [before, token] = [tokens[at - 1], tokens[place]]
  if (!token || (!isConnected && (token.type !== 'word' || before?.type !== 'word'))) return null
  // "cento e vinte" in words and "100 e 20" in figures; "07" is never a part.
  if (token.type === 'figures' && token.text.startsWith('0')) return null
  const value = numberOf(token, words)
  if (value === undefined || value === 0 || value >= room) return null
  if (!isConnected && !isHyphen && !isNumber(tokens, place, words)) return null
  return { value, next: place + 1 }
}

/** "um" is a number next to other numbers or at the end of a phrase; in "um momento" it is an article. */
function isNumber(tokens: readonly Token[], at: number, words: NumberWords): boolean {
  const token = tokens[at] as Token
  if (token.type === 'figures') return true
  if (!words.values.has(token.text)) return false
  if (!words.ambiguous.has(token.text)) return true
  const [before, after] = [tokens[at - 1], tokens[at + 1]]
  const isBeside = (other: Token | undefined) =>
    other !== undefined && (other.type === 'figures' || words.values.has(other.text) || words.repeats.has(other.text))
  if (isBeside(before) || isBeside(after) || words.multipliers.has(before?.text ?? '')) return true
  // "C um D": on a plate.
  if (isLetter(before) && isLetter(after)) return token.text !== 'o'
  // An English "oh" alone is an exclamation.
  if (token.text === 'oh' || token.text === 'o') return false
  if (words.multipliers.has(after?.text ?? '')) return true
  return !after || after.type === 'mark' || words.separators.has(after.text)
}

const isLetter = (token: Token | undefined) => token?.type === 'word' && token.raw.length === 1

const ascii = (digits: string): string =>
  /^[0-9]*$/.test(digits) ? digits : [...digits].map((digit) => String(Number(digit) || 0)).join('')
