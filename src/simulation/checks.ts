// Checks the expectations of a rehearsal against its outcome. Pure.
import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../base/errors/errors.ts'
import { type Patterns, patternCompiler, TextTooLong } from '../base/text/linear-patterns.ts'
import { wordsIn } from '../llm/words.ts'
import type { Check, SimulationOutcome } from './outcome.ts'
import type { Expectation, TextExpectation } from './script.ts'
import { isSameName } from './scripted-tools.ts'

/** Steps times letters of all patterns of one rehearsal. */
const MAX_WORK = 10_000_000

export function checkAll(expected: readonly Expectation[], outcome: SimulationOutcome): Check[] {
  const patterns = patternCompiler(MAX_WORK)
  return expected.map((each) => checkOne(each, outcome, patterns))
}

function checkOne(expected: Expectation, outcome: SimulationOutcome, patterns: Patterns): Check {
  const { said, heard, toolRan, toolNotRan, turnUnderMs, interrupted, endReason, degraded, turn } = expected
  if (said) return wordsCheck('the agent said', said, textsOf(outcome, 'agent', said.turn), patterns)
  if (heard) return wordsCheck('the agent heard', heard, textsOf(outcome, 'caller', heard.turn), patterns)
  if (typeof toolRan === 'string') return toolCheck(toolRan, expected, outcome)
  if (typeof toolNotRan === 'string') {
    const times = outcome.toolCalls.filter(({ name }) => isSameName(name, toolNotRan)).length
    return check(
      `the tool ${toolNotRan} did not run`,
      times === 0,
      times === 0 ? 'it did not' : `it ran ${count(times)}`,
    )
  }
  if (typeof turnUnderMs === 'number') return latencyCheck(turnUnderMs, turn ?? null, outcome)
  if (typeof interrupted === 'number') {
    const found = outcome.turns.find(({ number }) => number === interrupted)
    const detail = !found ? 'there is no such turn' : found.isCut ? 'it was' : 'it was said to its end'
    return check(`turn ${interrupted} was interrupted`, found?.isCut === true, detail)
  }
  if (degraded) return degradedCheck(degraded, outcome)
  return check(
    `the call ended with ${endReason}`,
    outcome.endReason === endReason,
    `it ended with ${outcome.endReason}`,
  )
}

const chainNames = { llm: 'language model', stt: 'speech recognition', tts: 'voice' } as const

function degradedCheck(expected: NonNullable<Expectation['degraded']>, { chainEvents }: SimulationOutcome): Check {
  const kinds = new Set(chainEvents.flatMap(({ type, kind }) => (type === 'degraded' ? [kind] : [])))
  const detail =
    kinds.size === 0 ? 'no chain was' : `degraded: ${[...kinds].map((kind) => chainNames[kind]).join(', ')}`
  if (expected === 'none') return check('no chain was degraded', kinds.size === 0, detail)
  return check(`the chain of the ${chainNames[expected]} was degraded`, kinds.has(expected), detail)
}

const check = (text: string, passed: boolean, detail: string): Check => ({ text, passed, detail })
const count = (times: number) => (times === 1 ? 'once' : `${times} times`)
const inTurn = (turn: number | null | undefined) => (typeof turn === 'number' ? ` in turn ${turn}` : '')

function textsOf({ turns }: SimulationOutcome, who: 'agent' | 'caller', turn: number | null | undefined): string[] {
  const selected = turns.filter(({ number }) => typeof turn !== 'number' || number === turn)
  return selected.flatMap((each) => each[who] ?? [])
}

/** Ignores case, accents and punctuation, except in patterns. */
const plain = (text: string) => wordsIn(text).join(' ')
const containsText = (text: string, part: string) =>
  plain(part) === '' ? text.includes(part) : plain(text).includes(plain(part))

function wordsCheck(
  who: string,
  { contains, matches, not, turn }: TextExpectation,
  texts: readonly string[],
  patterns: Patterns,
): Check {
  const parts = [
    ...(typeof contains === 'string'
      ? [{ text: `“${contains}”`, passed: texts.some((text) => containsText(text, contains)) }]
      : []),
    ...(typeof matches === 'string' ? [matchOf(patterns, matches, texts)] : []),
    ...(typeof not === 'string'
      ? [{ text: `not “${not}”`, passed: !texts.some((text) => containsText(text, not)) }]
      : []),
  ]
  const text = `${who} ${parts.map((part) => part.text).join(', ')}${inTurn(turn)}`
  const shown = texts.map((each) => `“${each}”`).join(' ')
  return check(
    text,
    parts.every(({ passed }) => passed),
    texts.length === 0 ? 'nothing was' : shown,
  )
}

function matchOf(patterns: Patterns, matches: string, texts: readonly string[]): { text: string; passed: boolean } {
  try {
    const pattern = patterns.compile(matches)
    return { text: `/${matches}/`, passed: texts.some((text) => pattern.test(text)) }
  } catch (error) {
    if (!(error instanceof TextTooLong || error instanceof AppError)) throw error
    return { text: `/${matches}/ (too large for so much text)`, passed: false }
  }
}

function toolCheck(name: string, { args, times }: Expectation, { toolCalls }: SimulationOutcome): Check {
  const ran = toolCalls.filter((call) => isSameName(call.name, name))
  const matching = args ? ran.filter((call) => isSubset(args, call.args)) : ran
  const passed = typeof times === 'number' ? matching.length === times : matching.length > 0
  const withArgs = args ? ` with ${JSON.stringify(args)}` : ''
  const text = `the tool ${name} ran${withArgs}${typeof times === 'number' ? ` ${count(times)}` : ''}`
  const detail =
    ran.length === 0
      ? 'it did not run'
      : `it ran ${count(ran.length)}: ${ran.map((call) => JSON.stringify(call.args)).join(', ')}`
  return check(text, passed, detail)
}

/** All expected values are present; there may be more. */
function isSubset(expected: unknown, actual: unknown): boolean {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject(expected) || !isObject(actual)) return isDeepStrictEqual(expected, actual)
  const values = actual as Record<string, unknown>
  return Object.entries(expected as object).every(([name, value]) => isSubset(value, values[name]))
}

function latencyCheck(limitMs: number, turn: number | null, { turns }: SimulationOutcome): Check {
  const selected = turns.filter(({ number }) => turn === null || number === turn)
  const latencies = selected.flatMap(({ number, latency }) =>
    latency.totalMs === null ? [] : [{ number, ms: latency.totalMs }],
  )
  const slow = latencies.filter(({ ms }) => ms >= limitMs)
  const text =
    turn === null ? `every answer came within ${limitMs} ms` : `turn ${turn} was answered within ${limitMs} ms`
  const shown = (slow.length > 0 ? slow : latencies).map(({ number, ms }) => `turn ${number}: ${ms} ms`).join(', ')
  return check(text, latencies.length > 0 && slow.length === 0, shown || 'there was no answer')
}
