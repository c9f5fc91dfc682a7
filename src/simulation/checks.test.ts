// Checks of expectations against an outcome.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAll } from './checks.ts'
import type { SimulationOutcome } from './outcome.ts'
import type { Expectation } from './script.ts'

const turn = (number: number, caller: string | null, agent: string | null, totalMs: number | null, isCut = false) => ({
  number,
  caller,
  agent,
  isCut,
  latency: { totalMs },
})
const ran = (name: string, args: unknown) => ({ name, args, atMs: 0, result: '', failed: false, isScripted: true })
const outcome: SimulationOutcome = {
  transcript: [],
  toolCalls: [ran('book_visit', { day: { month: 5, date: 2 }, who: 'Bia' }), ran('book_visit', {})],
  turns: [
    turn(1, null, 'Olá!', null),
    turn(2, 'Que horas abrem?', 'Às 9 horas, amanhã.', 800),
    turn(3, 'Marca?', 'Está mar', 1200, true),
  ],
  turnsAtMs: [0, 1, 2],
  endReason: 'caller_hangup',
  durationMs: 9000,
  stepsPlayed: 2,
  chainEvents: [{ atMs: 900, type: 'degraded', kind: 'llm', provider: 'Built-in', reason: 'timeout' }],
}
const passes = (expected: Expectation) => checkAll([expected], outcome)[0]?.passed

test('words match regardless of case, accents and commas, in all turns or in one', () => {
  assert.ok(passes({ said: { contains: 'as 9 horas AMANHA' } }))
  assert.ok(passes({ said: { contains: 'horas', turn: 2 } }))
  assert.ok(!passes({ said: { contains: 'horas', turn: 1 } }))
  assert.ok(!passes({ said: { contains: 'abrem' } }))
  assert.ok(passes({ heard: { contains: 'abrem' } }))
  assert.ok(passes({ said: { contains: '!' } }))
  assert.ok(passes({ said: { not: 'fechado' } }))
  assert.ok(!passes({ said: { contains: 'horas', not: 'amanhã' } }))
})

test('a pattern that is too large for the words fails, and says so', () => {
  const large = '[a-zà-ú ]{0,900}[a-y ]{0,900}[0-9]$'
  const [check] = checkAll([{ said: { matches: large } }], {
    ...outcome,
    turns: [turn(1, null, 'a '.repeat(4000), null)],
  })
  assert.ok(check?.passed === false && check.text.includes('too large'), check?.text)
})

test('a pattern matches the exact words, in linear time', () => {
  assert.ok(passes({ said: { matches: '^Às \\d+' } }))
  assert.ok(!passes({ said: { matches: '^as' } }))
  assert.ok(!passes({ said: { matches: '(a*)*c' } }))
})

test('a tool ran with at least these arguments, this many times', () => {
  assert.ok(passes({ toolRan: 'book_visit' }))
  assert.ok(passes({ toolRan: 'Book visit', times: 2 }))
  assert.ok(passes({ toolRan: 'book_visit', args: { day: { month: 5 } }, times: 1 }))
  assert.ok(!passes({ toolRan: 'book_visit', args: { day: { month: 6 } } }))
  assert.ok(!passes({ toolRan: 'book_visit', times: 1 }))
  assert.ok(passes({ toolRan: 'other', times: 0 }))
  assert.ok(!passes({ toolRan: 'other' }))
  assert.ok(passes({ toolNotRan: 'other' }))
  assert.ok(!passes({ toolNotRan: 'book_visit' }))
})

test('replies were quick enough; a turn without a reply was not', () => {
  assert.ok(passes({ turnUnderMs: 1201 }))
  assert.ok(!passes({ turnUnderMs: 1200 }))
  assert.ok(passes({ turnUnderMs: 900, turn: 2 }))
  assert.ok(!passes({ turnUnderMs: 900, turn: 1 }))
  assert.ok(!passes({ turnUnderMs: 900, turn: 7 }))
})

test('interrupted turns, and the end reason', () => {
  assert.ok(passes({ interrupted: 3 }))
  assert.ok(!passes({ interrupted: 2 }))
  assert.ok(!passes({ interrupted: 9 }))
  assert.ok(passes({ endReason: 'caller_hangup' }))
  assert.ok(!passes({ endReason: 'agent_ended' }))
})

test('each check reports the expected and the actual value', () => {
  assert.deepEqual(checkAll([{ turnUnderMs: 1000 }, { said: { contains: 'oi', turn: 1 } }], outcome), [
    { text: 'every answer came within 1000 ms', passed: false, detail: 'turn 3: 1200 ms' },
    { text: 'the agent said “oi” in turn 1', passed: false, detail: '“Olá!”' },
  ])
})

test('degraded chains', () => {
  const passed = (degraded: 'llm' | 'stt' | 'none', given = outcome) => checkAll([{ degraded }], given)[0]?.passed
  assert.deepEqual([passed('llm'), passed('stt'), passed('none')], [true, false, false])
  assert.equal(passed('none', { ...outcome, chainEvents: [] }), true)
})
