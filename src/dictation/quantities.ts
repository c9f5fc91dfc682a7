// Quantities in spoken text: "vinte e cinco mil, trezentos e dez", "dois milhões e meio", "half a dozen", "3,5 mil".
// spoken-numbers.ts keeps every digit that was said; here numbers have a value.
import { type NumberWords, numberWordsOf } from './number-words.ts'
import { type DictationLanguage, dictationLanguage, type Token, tokensIn } from './tokens.ts'

/** `from` and `to`: its tokens, without the last. */
export type Quantity = {
  readonly value: number
  readonly from: number
  readonly to: number
  /** "um", "a", "una" alone: as likely an article. */
  readonly isArticle: boolean
  /** It can be read in two ways, such as "1,500" in Portuguese. */
  readonly isUnclear: boolean
  /** As written, if it is in figures without separators. */
  readonly figures: string | null
}

/** Nobody says more in words. */
const MAX_VALUE = 1e13

export type Said = { readonly tokens: readonly Token[]; readonly quantities: readonly Quantity[] }

/** A number at a token: its value and the token after it. */
type Part = { value: number; to: number; isUnclear?: boolean; isArticle?: boolean }
type Line = { tokens: readonly Token[]; words: NumberWords; code: DictationLanguage }

export function quantitiesIn(text: string, language: string): Said {
  const code = dictationLanguage(language)
  const tokens = withoutFillers(tokensIn(text), code)
  const line = { tokens, words: numberWordsOf(code), code }
  const quantities: Quantity[] = []
  for (let i = 0; i < tokens.length; ) {
    const found = quantityAt(line, i)
    if (found) quantities.push(found)
    i = found?.to ?? i + 1
  }
  return { tokens, quantities }
}

/** Hesitations inside a number: "vinte e, hum, cinco". */
const fillers: Readonly<Record<DictationLanguage, ReadonlySet<string>>> = {
  pt: new Set('hum hmm ahn ah ha eh uhm uh ne'.split(' ')),
  en: new Set('um uh uhm er erm hmm eh'.split(' ')),
  es: new Set('eh em mm hmm este ah'.split(' ')),
}

/** A filler takes the comma or dots after it along. */
function withoutFillers(tokens: readonly Token[], code: DictationLanguage): Token[] {
  const isFiller = (token: Token | undefined) => token?.type === 'word' && fillers[code].has(token.text)
  return tokens.filter((token, i) => {
    const isPause = token.type === 'mark' && /^[,.…]$/.test(token.text)
    return !isFiller(token) && !(isPause && (isFiller(tokens[i - 1]) || isFiller(tokens[i + 1])))
  })
}

function quantityAt(line: Line, from: number): Quantity | null {
  let part = scaledAt(line, from)
  if (!part) return null
  let smallest = part.scale
  let { value, to, isUnclear = false } = part
  const isArticle = part.isArticle === true
  while (smallest > 1) {
    part = continuedAt(line, to, smallest)
    if (!part) break
    value += part.value
    to = part.to
    isUnclear ||= part.isUnclear === true
    smallest = part.scale
  }
  const first = line.tokens[from]
  const figures = to === from + 1 && first?.type === 'figures' ? first.text : null
  // "duzentos mil vírgula cinco"
  const whole = decimalsAfter(line, { value, to })
  const isChoice = [line.tokens[from - 1], line.tokens[to]].some((one) => line.words.choices.has(one?.text ?? ''))
  const isTooLarge = figures === null && whole.value > MAX_VALUE
  const isVague = isUnclear || isTooLarge || isApproximate(line, from, whole.to)
  return { value: whole.value, from, to: whole.to, isArticle: isArticle && !isChoice, isUnclear: isVague, figures }
}

/** "vinte e poucos", "more than a thousand". */
function isApproximate({ tokens, words }: Line, from: number, to: number): boolean {
  const after = words.connectors.has(tokens[to]?.raw.toLowerCase() ?? '') || tokens[to]?.text === '-' ? to + 1 : to
  if (words.vague.has(tokens[after]?.text ?? '')) return true
  // "at least $200", "pelo menos uns 400"
  let end = from
  while (/^(?:[$€£]|r|us)$/.test(tokens[end - 1]?.text ?? '') || words.about.has(tokens[end - 1]?.text ?? '')) end--
  return words.bounds.some((phrase) => {
    const bound = phrase.split(' ')
    return bound.every((word, i) => tokens[end - bound.length + i]?.text === word)
  })
}

type Scaled = Part & { scale: number }

/** A number below a thousand, or such a number with its scale: "vinte e cinco mil", "two and a half million". */
function scaledAt(line: Line, at: number): Scaled | null {
  const count = halfBefore(line, at) ?? withHalf(line, countAt(line, at))
  if (!count) {
    const alone = line.words.multipliers.get(wordAt(line, at))
    return alone === undefined || alone > 1000 ? null : scaled(line, { value: 1, to: at }, at)
  }
  return scaled(line, count, count.to)
}

/** The scale words at `at`, applied to the count: "mil", "mil millones", "dozen". */
function scaled({ tokens, words }: Line, count: Part, at: number): Scaled {
  let [scale, to] = [1, at]
  for (; to < tokens.length; to++) {
    const token = tokens[to] as Token
    const next = words.multipliers.get(token.text) ?? words.collectives.get(token.text) ?? (isK(tokens, to) ? 1000 : 1)
    if (token.type !== 'word' || next === 1 || (scale > 1 && next <= scale)) break
    scale *= next
  }
  if (scale === 1) return { ...count, scale }
  const { isArticle: _, ...rest } = count
  const half = halfAfter({ tokens, words }, to)
  // "dois mil e meio" is two thousand five hundred to some.
  const isUnclear = rest.isUnclear === true || (half !== null && scale === 1000)
  const value = rest.value * scale + (half === null ? 0 : scale / 2)
  return { value: rounded(value), to: half ?? to, isUnclear, scale: half === null ? scale : 1 }
}

/** "5k", "fifteen K" */
const isK = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.text === 'k' && (tokens[at]?.isTight === true || tokens[at]?.raw === 'K')

/** The rest after a scale: "mil E QUINHENTOS", "vinte e cinco mil, TREZENTOS E DEZ". */
function continuedAt(line: Line, at: number, scale: number): Scaled | null {
  const { tokens, words } = line
  const hasComma = tokens[at]?.text === ','
  const isJoined = words.connectors.has(tokens[hasComma ? at + 1 : at]?.raw.toLowerCase() ?? '')
  const part = scaledAt(line, at + Number(hasComma) + Number(isJoined))
  if (!part || part.value === 0 || part.value >= scale || part.scale >= scale || !Number.isInteger(part.value))
    return null
  // After a comma a small number may be another one: "mil, dois, três".
  const hasMore = tokens[part.to]?.text === ',' && countAt(line, part.to + 1) !== null
  return hasComma && !isJoined && (part.value < 10 || (part.value < 100 && hasMore)) ? null : part
}

/** "meio milhão", "half a dozen". */
function halfBefore({ tokens, words }: Line, at: number): Part | null {
  if (!words.halves.has(tokens[at]?.text ?? '')) return null
  const to = words.units.has(tokens[at + 1]?.text ?? '') ? at + 2 : at + 1
  const unit = tokens[to]?.text ?? ''
  return (words.multipliers.get(unit) ?? words.collectives.get(unit) ?? 0) > 10 ? { value: 0.5, to } : null
}

/** The token after "e meio", "and a half"; null if it is not said here. */
function halfAfter({ tokens, words }: Pick<Line, 'tokens' | 'words'>, at: number): number | null {
  if (!words.connectors.has(tokens[at]?.raw.toLowerCase() ?? '')) return null
  const place = tokens[at + 1]?.text === 'a' ? at + 2 : at + 1
  return words.halves.has(tokens[place]?.text ?? '') ? place + 1 : null
}

function withHalf(line: Line, count: Part | null): Part | null {
  const half = count && Number.isInteger(count.value) ? halfAfter(line, count.to) : null
  return count && half !== null ? { ...count, value: count.value + 0.5, to: half, isArticle: false } : count
}

function countAt(line: Line, at: number): Part | null {
  const whole = figuresAt(line, at) ?? groupAt(line, at)
  return whole && decimalsAfter(line, whole)
}

const wordAt = ({ tokens }: Line, at: number): string => (tokens[at]?.type === 'word' ? (tokens[at]?.text ?? '') : '')

/** A number below a thousand in words. */
function groupAt(line: Line, at: number): Part | null {
  const { tokens, words } = line
  const first = unitAt(line, at)
  if (first === undefined) return null
  let [value, to] = [first, at + 1]
  if (wordAt(line, to) === 'hundred' && value > 0 && value < 100) [value, to] = [value * 100, to + 1]
  const isArticle = to === at + 1 && words.units.has(wordAt(line, at))
  for (let room = roomAfter(tokens[to - 1], value); room > 1; room = roomAfter(tokens[to - 1], value)) {
    const isJoined = words.connectors.has(tokens[to]?.raw.toLowerCase() ?? '') || tokens[to]?.text === '-'
    const place = isJoined && tokens[to + 1]?.text === ',' ? to + 2 : isJoined ? to + 1 : to
    const more = words.values.get(wordAt(line, place)) ?? 0
    if (more === 0 || more >= room || wordAt(line, place) === 'meia') break
    value += more
    to = place + 1
  }
  return { value, to, isArticle }
}

function unitAt(line: Line, at: number): number | undefined {
  const { words } = line
  const text = wordAt(line, at)
  if (words.units.has(text)) return 1
  return text === 'meia' || text === 'oh' || text === 'o' ? undefined : words.values.get(text)
}

/** The next part of a number must be smaller than this. */
function roomAfter(token: Token | undefined, value: number): number {
  if (value === 0 || token?.text === 'cem' || token?.text === 'cien') return 1
  if (value % 100 === 0) return 100
  return value % 10 === 0 && value % 100 >= 20 ? 10 : 1
}

const MAX_DECIMALS = 6

/** "três vírgula zero cinco", "three point one four". */
function decimalsAfter(line: Line, whole: Part): Part {
  const { tokens, words } = line
  if (!words.decimals.has(wordAt(line, whole.to)) || !Number.isInteger(whole.value)) return whole
  let digits = ''
  let to = whole.to + 1
  for (let i = 0; i < MAX_DECIMALS; i++) {
    const token = tokens[to]
    const isZero = words.values.get(wordAt(line, to)) === 0
    const part = isZero ? { value: 0, to: to + 1 } : token?.type === 'figures' ? null : groupAt(line, to)
    if (token?.type === 'figures') digits += token.text
    else if (part) digits += String(part.value)
    else break
    to = part?.to ?? to + 1
  }
  return digits === '' ? whole : { value: Number(`${whole.value}.${digits}`), to }
}

/** Figures with separators: 1.500,00 and 1,500.00; which is which follows from their places, then from the language. */
function figuresAt({ tokens, code }: Line, at: number): Part | null {
  const first = tokens[at]
  if (first?.type !== 'figures') return null
  const parts = [first.text]
  const signs: string[] = []
  let to = at + 1
  while (/^[.,]$/.test(tokens[to]?.text ?? '') && tokens[to]?.isTight && isTightFigures(tokens[to + 1])) {
    signs.push(tokens[to]?.text ?? '')
    parts.push(tokens[to + 1]?.text ?? '')
    to += 2
  }
  const last = parts.at(-1) ?? ''
  const areThousands = parts.slice(1).every(({ length }) => length === 3) && new Set(signs).size === 1
  const areMixed = parts.slice(1, -1).every(({ length }) => length === 3) && new Set(signs.slice(0, -1)).size <= 1
  if (signs.length === 0) return { value: Number(first.text.slice(0, 15)), to }
  // A single separator before three digits: thousands, unless the language writes decimals so.
  if (areThousands) {
    const isDecimalSign = signs.length === 1 && signs[0] === (code === 'pt' ? ',' : code === 'en' ? '.' : '')
    return { value: Number(parts.join('').slice(0, 15)), to, isUnclear: isDecimalSign }
  }
  if (areMixed && (signs.length === 1 || signs.at(-1) !== signs[0]))
    return { value: Number(`${parts.slice(0, -1).join('')}.${last}`), to }
  return { value: Number(first.text.slice(0, 15)), to: at + 1, isUnclear: true }
}

const isTightFigures = (token: Token | undefined): boolean => token?.type === 'figures' && token.isTight

/** Without the noise of binary fractions. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6
