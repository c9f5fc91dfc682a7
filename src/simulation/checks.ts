// What was expected, held against what came of it. Pure.
import { isDeepStrictEqual } from 'node:util'
import { RE2JS } from 're2js'
import { wordsIn } from '../llm/words.ts'
import type { Check, Outcome } from './outcome.ts'
import type { Expectation, Words } from './script.ts'
import { isSameName } from './scripted-tools.ts'

export const checkAll = (expected: readonly Expectation[], outcome: Outcome): Check[] =>
  expected.map((each) => checkOne(each, outcome))

function checkOne(expected: Expectation, outcome: Outcome): Check {
  const { said, heard, toolRan, toolNotRan, turnUnderMs, interrupted, endReason, turn } = expected
  if (said) return wordsCheck('the agent said', said, textsOf(outcome, 'agent', said.turn))
  if (heard) return wordsCheck('the agent heard', heard, textsOf(outcome, 'caller', heard.turn))
  if (typeof toolRan === 'string') return toolCheck(toolRan, expected, outcome)
  if (typeof toolNotRan === 'string') {
    const times = outcome.toolCalls.filter(({ name }) => isSameName(name, toolNotRan)).length
    return check(
      `the tool ${toolNotRan} did not run`,
      times === 0,
      times === 0 ? 'it did not' : `it ran ${count(times)}`,
    )
  }
  if (typeof turnUnderMs === 'number') return quickCheck(turnUnderMs, turn ?? null, outcome)
  if (typeof interrupted === 'number') {
    const found = outcome.turns.find(({ number }) => number === interrupted)
    const detail = !found ? 'there is no such turn' : found.isCut ? 'it was' : 'it was said to its end'
    return check(`turn ${interrupted} was interrupted`, found?.isCut === true, detail)
  }
  return check(
    `the call ended with ${endReason}`,
    outcome.endReason === endReason,
    `it ended with ${outcome.endReason}`,
  )
}

const check = (text: string, passed: boolean, detail: string): Check => ({ text, passed, detail })
const count = (times: number) => (times === 1 ? 'once' : `${times} times`)
const inTurn = (turn: number | null | undefined) => (typeof turn === 'number' ? ` in turn ${turn}` : '')

function textsOf({ turns }: Outcome, who: 'agent' | 'caller', turn: number | null | undefined): string[] {
  const meant = turns.filter(({ number }) => typeof turn !== 'number' || number === turn)
  return meant.flatMap((each) => each[who] ?? [])
}

/** Upper and lower case, accents and marks between words make no difference, but in a pattern they do. */
const plain = (text: string) => wordsIn(text).join(' ')
const holds = (text: string, wanted: string) =>
  plain(wanted) === '' ? text.includes(wanted) : plain(text).includes(plain(wanted))

function wordsCheck(who: string, { contains, matches, not, turn }: Words, texts: readonly string[]): Check {
  const pattern = typeof matches === 'string' ? RE2JS.compile(matches) : null
  const parts = [
    ...(typeof contains === 'string'
      ? [{ text: `“${contains}”`, passed: texts.some((text) => holds(text, contains)) }]
      : []),
    ...(pattern ? [{ text: `/${matches}/`, passed: texts.some((text) => pattern.matcher(text).find()) }] : []),
    ...(typeof not === 'string' ? [{ text: `not “${not}”`, passed: !texts.some((text) => holds(text, not)) }] : []),
  ]
  const text = `${who} ${parts.map((part) => part.text).join(', ')}${inTurn(turn)}`
  const shown = texts.map((each) => `“${each}”`).join(' ')
  return check(
    text,
    parts.every(({ passed }) => passed),
    texts.length === 0 ? 'nothing was' : shown,
  )
}

function toolCheck(name: string, { args, times }: Expectation, { toolCalls }: Outcome): Check {
  const ran = toolCalls.filter((call) => isSameName(call.name, name))
  const fitting = args ? ran.filter((call) => isWithin(args, call.args)) : ran
  const passed = typeof times === 'number' ? fitting.length === times : fitting.length > 0
  const withArgs = args ? ` with ${JSON.stringify(args)}` : ''
  const text = `the tool ${name} ran${withArgs}${typeof times === 'number' ? ` ${count(times)}` : ''}`
  const detail =
    ran.length === 0
      ? 'it did not run'
      : `it ran ${count(ran.length)}: ${ran.map((call) => JSON.stringify(call.args)).join(', ')}`
  return check(text, passed, detail)
}

/** All that is wanted is there; more may be. */
function isWithin(wanted: unknown, given: unknown): boolean {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject(wanted) || !isObject(given)) return isDeepStrictEqual(wanted, given)
  const there = given as Record<string, unknown>
  return Object.entries(wanted as object).every(([name, value]) => isWithin(value, there[name]))
}

function quickCheck(limitMs: number, turn: number | null, { turns }: Outcome): Check {
  const meant = turns.filter(({ number }) => turn === null || number === turn)
  const taken = meant.flatMap(({ number, latency }) =>
    latency.totalMs === null ? [] : [{ number, ms: latency.totalMs }],
  )
  const slow = taken.filter(({ ms }) => ms >= limitMs)
  const text =
    turn === null ? `every answer came within ${limitMs} ms` : `turn ${turn} was answered within ${limitMs} ms`
  const shown = (slow.length > 0 ? slow : taken).map(({ number, ms }) => `turn ${number}: ${ms} ms`).join(', ')
  return check(text, taken.length > 0 && slow.length === 0, shown || 'there was no answer')
}
