// Decodes free words: the likeliest token at each step and, beside that, terms of the agent that are almost as likely.
import type { Decoder, DecoderState } from './decoder.ts'
import { chooseToken, mostTokens, repeatLength } from './guards.ts'
import { type Branch, type TokenTree, tokenTree } from './token-tree.ts'
import type { WhisperTokens } from './tokens.ts'

export type WordSearch = {
  /** Words and names that the caller may say. Empty: nothing but the likeliest tokens. */
  terms: TokenTree
  decoder: Pick<Decoder, 'step'>
  tokens: Pick<WhisperTokens, 'end' | 'suppressed' | 'suppressedFirst' | 'continuesWord'>
  seconds: number
  isCanceled: () => boolean
}

/** `bonus`: for the terms in it, in nats; `sum` does not contain it. */
export type FoundWords = { said: readonly number[]; sum: number; bonus: number }

type Expected = { readonly names: readonly string[]; readonly words: readonly string[] }

/** Each after a space, and also with a capital. Names are written as they are given, other words in small letters too. */
export function termTree({ names, words }: Expected, encode: (text: string) => readonly number[]): TokenTree {
  const spelled = [...names, ...words, ...words.map((word) => word.toLowerCase())]
  const all = spelled.flatMap((term) => [` ${term}`, ` ${term.charAt(0).toUpperCase()}${term.slice(1)}`])
  return tokenTree(new Set(all), encode)
}

/** A term is preferred to words that are more likely by this much. With 3.5 as many terms were found, with more errors. */
const BONUS = 2.5
/** A hypothesis is given up when it is behind by this much more. */
const SLACK = 2
/** Hypotheses continued at a time, and terms that start at one place. */
const WIDTH = 3
const MAX_STARTS = 2
/** Hypotheses that end in the same tokens have the same future: the better one goes on. */
const SAME_END = 3

type Hypothesis = FoundWords & {
  /** Within a term, or at its end. */
  readonly at: Branch | null
  /** The term was not the likeliest continuation: it is said whole or not at all. */
  readonly isForced: boolean
  /** The likeliest token at each step. */
  readonly isPlain: boolean
  readonly isEnded: boolean
  readonly from: number
}

const scoreOf = ({ sum, bonus, at }: Hypothesis): number => sum + bonus + (at ? BONUS : 0)

/** Undefined on cancellation. */
export async function findWords(
  search: WordSearch,
  opened: { state: DecoderState; row: Float32Array },
): Promise<FoundWords | undefined> {
  const start: Hypothesis = {
    said: [],
    sum: 0,
    bonus: 0,
    at: null,
    isForced: false,
    isPlain: true,
    isEnded: false,
    from: 0,
  }
  let { state } = opened
  let live = [start]
  let rows = [opened.row]
  let best: Hypothesis = { ...start, sum: Number.NEGATIVE_INFINITY }
  for (let step = 0; step <= mostTokens(search.seconds); step++) {
    const next: Hypothesis[] = []
    for (const [i, hypothesis] of live.entries())
      for (const one of continued(search, hypothesis, rows[i] as Float32Array)) {
        if (!one.isEnded) next.push({ ...one, from: i })
        else if (scoreOf(one) > scoreOf(best)) best = one
      }
    live = worthIt(next, scoreOf(best))
    if (live.length === 0) break
    if (search.isCanceled()) return undefined
    const last = live.map(({ said }) => said.at(-1) as number)
    const from = live.map((one) => one.from)
    const made = await search.decoder.step(state, last, from)
    state = made.state
    rows = made.rows
  }
  return best
}

/** The likeliest token, and the terms that go on or start here. */
function continued({ terms, tokens, seconds }: WordSearch, before: Hypothesis, row: Float32Array): Hypothesis[] {
  const mask = before.said.length === 0 ? tokens.suppressedFirst : tokens.suppressed
  const likeliest = chooseToken(row, mask)
  const logOf = (token: number) => (row[token] as number) - likeliest.logSum

  function withToken(token: number, isPlain: boolean): Hypothesis[] {
    const { at } = before
    const isWordEnd = tokens.continuesWord[token] === 0
    const isCompleted = at?.isWhole === true && isWordEnd
    const goesOn = at?.next.get(token)
    if (at && before.isForced && !goesOn && !isCompleted) return []
    const bonus = before.bonus + (isCompleted && !goesOn ? BONUS : 0)
    const sum = before.sum + logOf(token)
    const isForced = !isPlain || (before.isForced && goesOn !== undefined)
    const isStillPlain = before.isPlain && isPlain
    const one = { ...before, bonus, sum, at: goesOn ?? terms.next.get(token) ?? null, isForced, isPlain: isStillPlain }
    if (token === tokens.end) return [{ ...one, at: null, isEnded: true }]
    const said = [...before.said, token]
    const repeated = repeatLength(said, seconds)
    said.length -= repeated
    const isEnded = repeated > 0 || said.length >= mostTokens(seconds)
    return [{ ...one, said, at: isEnded ? null : one.at, isEnded }]
  }

  const isWithin = before.at !== null && before.isForced && !before.at.isWhole
  const least = likeliest.logit - BONUS - SLACK
  const others = [...(before.at?.next.keys() ?? []), ...(isWithin ? [] : terms.next.keys())]
    .filter((token) => token !== likeliest.token && mask[token] === 0 && (row[token] as number) > least)
    .toSorted((a, b) => (row[b] as number) - (row[a] as number))
  const starts = [...new Set(others)].slice(0, MAX_STARTS)
  return [...withToken(likeliest.token, true), ...starts.flatMap((token) => withToken(token, false))]
}

/** The plain hypothesis to its end, and the best of those that can still win. */
function worthIt(all: readonly Hypothesis[], leastScore: number): Hypothesis[] {
  const plain = all.find(({ isPlain }) => isPlain)
  const least = Math.max(leastScore, plain ? plain.sum + plain.bonus - SLACK : Number.NEGATIVE_INFINITY)
  const kept: Hypothesis[] = []
  for (const one of all.toSorted((a, b) => scoreOf(b) - scoreOf(a))) {
    const twin = kept.findIndex((other) => haveSameEnd(one, other))
    if (twin >= 0) kept[twin] = { ...(kept[twin] as Hypothesis), isPlain: kept[twin]?.isPlain || one.isPlain }
    else if (one.isPlain || scoreOf(one) > least) kept.push(one)
  }
  const others = kept.filter(({ isPlain }) => !isPlain).slice(0, WIDTH - 1)
  return [...kept.filter(({ isPlain }) => isPlain), ...others]
}

const haveSameEnd = (a: Hypothesis, b: Hypothesis): boolean =>
  a.at === b.at &&
  a.said.length >= SAME_END &&
  b.said.length >= SAME_END &&
  a.said.slice(-SAME_END).every((token, i) => token === b.said.at(i - SAME_END))
