// Expectations and their results as text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rehearsal } from '../../../../client/paths.ts'
import { actualText, expectationText } from './check-text.ts'
import type { Expectation } from './script-form.ts'
import { scriptTexts } from './script-texts.ts'

const t = scriptTexts.en
const formats = { ms: (value: number) => `${value} ms`, reason: (reason: string) => reason.replaceAll('_', ' ') }
const run = {
  turns: [
    { number: 1, caller: null, agent: 'Good morning.', latency: { totalMs: null } },
    { number: 2, caller: 'When?', agent: 'At nine.', latency: { totalMs: 900 } },
  ],
  toolCalls: [{ name: 'consultar_agenda' }],
  endReason: 'caller_hangup',
} as unknown as Rehearsal

test('every expectation has words, and what happened instead', () => {
  const cases: [Expectation, string, string][] = [
    [{ said: { contains: 'ten', turn: 2 } }, 'The agent said “ten” in turn 2', 'Said: “At nine.”'],
    [{ said: { matches: '^x' } }, 'The agent said something like /^x/', 'Said: “Good morning.” “At nine.”'],
    [{ said: { not: 'nine' } }, 'The agent did not say “nine”', 'Said: “Good morning.” “At nine.”'],
    [{ heard: { contains: 'Where', turn: 1 } }, 'The agent understood “Where” in turn 1', 'Said nothing'],
    [{ toolRan: 'Consultar agenda', times: 2 }, 'The tool Consultar agenda was used 2 times', 'Used once'],
    [{ toolNotRan: 'x' }, 'The tool x was not used', 'Used 0 times'],
    [{ turnUnderMs: 500 }, 'Every answer came within 500 ms', 'Measured: turn 2: 900 ms'],
    [{ turnUnderMs: 500, turn: 1 }, 'The answer of turn 1 came within 500 ms', 'Said nothing'],
    [{ interrupted: 2 }, 'The agent was interrupted in turn 2', 'It was said to its end'],
    [{ interrupted: 7 }, 'The agent was interrupted in turn 7', 'There was no such turn'],
    [{ endReason: 'agent_ended' }, 'The call ended with: agent ended', 'Ended with: caller hangup'],
  ]
  for (const [expected, words, actual] of cases) {
    assert.equal(expectationText(expected, t, formats), words)
    assert.equal(actualText(expected, run, t, formats), actual)
  }
})
