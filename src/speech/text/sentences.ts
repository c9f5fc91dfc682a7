// Splits text into sentences, also while it is streamed, and a long first sentence into a short clause and the rest, so
// that audio starts before the sentence is complete.
import { enAbbreviations, esAbbreviations, ptAbbreviations } from './abbreviations.ts'
import { clauseBreakWithin, firstClauseBreak } from './clause-breaks.ts'

export type Clause = { readonly text: string; readonly endsSentence: boolean }

export type SentenceOptions = {
  /** A first sentence longer than this yields its first clause. Infinity: never. */
  firstLimit?: number
  /** Maximum chunk length. */
  limit?: number
}

const FIRST_LIMIT = 40
const LIMIT = 400

/** Abbreviations that may end a sentence; the others precede a name or a number. */
const enders =
  /^(?:etc|ltda|s\.a|s\.l|jr|inc|co|corp|ltd|a\.m|p\.m|a\.c|d\.c|u\.s|u\.k|u\.s\.a|ph\.d|min|max|máx|mín|hab|uu|est|a)$/
const abbreviations = new Set(
  [ptAbbreviations, enAbbreviations, esAbbreviations]
    .flatMap(Object.keys)
    .flatMap((written) => written.toLowerCase().split(' '))
    .filter((part) => part.endsWith('.'))
    .map((part) => part.slice(0, -1))
    .filter((part) => !enders.test(part)),
)

const stop = /[.!?…]{1,8}["'”’»)\]]{0,3}(?=\s)|\n/g

/** Where the first sentence ends; -1 while unknown. If it is longer than the limit: any position beyond the limit. */
function endOfSentence(text: string, isWhole: boolean, limit: number): number {
  const within = text.slice(0, limit + 1) // a long text is cut many times: each time only this part is read
  stop.lastIndex = 0
  for (let found = stop.exec(within); found; found = stop.exec(within)) {
    const end = found.index + found[0].length
    if (found[0] === '\n') {
      if (text.slice(0, found.index).trim() !== '') return end
      continue
    }
    const next = /^\s+(\S)/.exec(text.slice(end, end + 40))?.[1]
    if (next === undefined) {
      if (isWhole || /[!?]/.test(found[0]) || /^\s*\n/.test(text.slice(end))) return end
      return -1
    }
    if (!goesOn(text.slice(0, found.index), found[0], next)) return end
  }
  return isWhole && text.trim() !== '' ? within.length : -1
}

function goesOn(before: string, mark: string, next: string): boolean {
  if (/[!?]/.test(mark)) return false
  if (/\p{Ll}/u.test(next)) return true
  if (mark !== '.') return false
  const word = /\S{1,20}$/.exec(before.slice(-21))?.[0].replace(/^["'“‘«(¿¡[]+/, '') ?? ''
  if (abbreviations.has(word.toLowerCase())) return true
  if (/^\p{Lu}$/u.test(word)) return true // an initial
  if (/^(?:no|nº|n)$/i.test(word) && /\p{N}/u.test(next)) return true
  return /^\s*\p{N}{1,3}$/u.test(before) // a list item's number
}

function createCutter({ firstLimit = FIRST_LIMIT, limit = LIMIT }: SentenceOptions) {
  let rest = ''
  let isFirst = true

  function* take(isWhole: boolean): Generator<Clause> {
    while (rest.trim() !== '') {
      const sentence = endOfSentence(rest, isWhole, limit)
      let end = sentence
      if (isFirst && (sentence === -1 || sentence > firstLimit) && firstLimit !== Number.POSITIVE_INFINITY) {
        const lead = rest.length - rest.trimStart().length
        const isOver = sentence !== -1
        const breath = firstClauseBreak(isOver ? rest.slice(lead, sentence).trimEnd() : rest.slice(lead), isOver)
        if (breath !== -1) end = lead + breath
      }
      if (end === -1 && rest.length <= limit) return
      if (end === -1 || end > limit) end = clauseBreakWithin(rest, limit)
      const text = rest.slice(0, end).replace(/\s+/g, ' ').trim()
      rest = rest.slice(end)
      if (text === '') continue
      isFirst = false
      yield { text, endsSentence: end === sentence }
    }
  }

  return {
    *push(piece: string): Generator<Clause> {
      rest += piece
      yield* take(false)
    },
    *end(last = ''): Generator<Clause> {
      rest += last
      yield* take(true)
    },
  }
}

/** Sentences, a long first one in two, and none longer than the limit. */
export const clausesIn = (text: string, options: SentenceOptions = {}): Clause[] => [...createCutter(options).end(text)]

export const sentencesOf = (text: string, options: SentenceOptions = {}): string[] =>
  clausesIn(text, options).map((clause) => clause.text)

/** The same for streamed text: each sentence is emitted as soon as it is complete. */
export async function* sentences(pieces: AsyncIterable<string>, options: SentenceOptions = {}): AsyncGenerator<string> {
  const cutter = createCutter(options)
  for await (const piece of pieces) for (const { text } of cutter.push(piece)) yield text
  for (const { text } of cutter.end()) yield text
}
