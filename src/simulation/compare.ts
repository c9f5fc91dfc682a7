// Compares a call with its replay, turn by turn. Pure.
import { wordsIn } from '../llm/words.ts'
import type { RehearsedTurn } from './outcome.ts'

export type ComparedTurn = {
  /** Number of the turn in the call. */
  turn: number
  caller: string | null
  before: string | null
  after: string | null
  beforeMs: number | null
  afterMs: number | null
  isSame: boolean
  /** 1: the same words; 0: none in common. */
  similarity: number
}

type Exchange = { turn: number; caller: string | null; agent: string | null; ms: number | null }

const SAME_CALLER = 0.5

/** What the caller said, in one turn or several, and everything the agent said until they spoke again. */
function exchangesOf(turns: readonly RehearsedTurn[]): Exchange[] {
  const exchanges: Exchange[] = []
  const joined = (one: string | null, other: string | null) =>
    [one, other].filter((text) => text !== null).join(' ') || null
  for (const { number, caller, agent, latency } of turns) {
    const last = exchanges.at(-1)
    const continues = last && (caller === null || (last.caller !== null && last.agent === null))
    if (!continues) exchanges.push({ turn: number, caller, agent, ms: latency.totalMs })
    else {
      last.caller = joined(last.caller, caller)
      last.agent = joined(last.agent, agent)
      last.ms ??= latency.totalMs
    }
  }
  return exchanges
}

export function compareTurns(before: readonly RehearsedTurn[], after: readonly RehearsedTurn[]): ComparedTurn[] {
  const remaining = exchangesOf(after)
  return exchangesOf(before).map((then) => {
    // The replay may lack something the caller said: match the next similar exchange.
    const at = remaining.findIndex(({ caller }) =>
      then.caller === null ? caller === null : caller !== null && similarityOf(caller, then.caller) >= SAME_CALLER,
    )
    const now = at === -1 ? undefined : remaining[at]
    if (at !== -1) remaining.splice(0, at + 1)
    const similarity = similarityOf(then.agent ?? '', now?.agent ?? '')
    return {
      turn: then.turn,
      caller: then.caller,
      before: then.agent,
      after: now?.agent ?? null,
      beforeMs: then.ms,
      afterMs: now?.ms ?? null,
      isSame: wordsIn(then.agent ?? '').join(' ') === wordsIn(now?.agent ?? '').join(' '),
      similarity,
    }
  })
}

/** Dice coefficient of the words. */
export function similarityOf(one: string, other: string): number {
  const [oneWords, otherWords] = [wordsIn(one), wordsIn(other)]
  if (oneWords.length + otherWords.length === 0) return 1
  const counts = new Map<string, number>()
  for (const word of oneWords) counts.set(word, (counts.get(word) ?? 0) + 1)
  let both = 0
  for (const word of otherWords) {
    const times = counts.get(word) ?? 0
    if (times === 0) continue
    counts.set(word, times - 1)
    both++
  }
  return Math.round((200 * both) / (oneWords.length + otherWords.length)) / 100
}
