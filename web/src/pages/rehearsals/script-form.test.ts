// The rehearsal form, and the state of checks while a rehearsal runs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkState, stateCounts } from './check-state.ts'
import {
  expectationKindOf,
  expectationKinds,
  hasHiddenFields,
  moved,
  newExpectation,
  newStep,
  parseScript,
  problemsOf,
  startMsOf,
  startOf,
  stepKindOf,
  stepKinds,
  toolsOf,
  toolTextOf,
  withStart,
} from './script-form.ts'

test('every kind of step and expectation is recognised', () => {
  for (const kind of stepKinds) assert.equal(stepKindOf(newStep(kind)), kind)
  for (const kind of expectationKinds) assert.equal(expectationKindOf(newExpectation(kind)), kind)
})

test('the start of a step is one of three', () => {
  const step = { says: 'Oi' }
  assert.equal(startOf(step), 'answer')
  const after = withStart(step, 'after', 700)
  assert.deepEqual([startOf(after), startMsOf(after), after], ['after', 700, { says: 'Oi', afterMs: 700 }])
  const interrupt = withStart(after, 'interrupt', 800)
  assert.deepEqual(interrupt, { says: 'Oi', interruptsAfterMs: 800 })
  assert.deepEqual(withStart(interrupt, 'answer', 1), step)
})

test('empty texts and wrong keys are reported by place', () => {
  assert.deepEqual(problemsOf({}), [])
  const steps = [{ says: ' ' }, { says: 'Oi' }, { presses: '12x' }, { presses: '1#' }, { waits: 5 }]
  const expect = [{ said: { contains: '' } }, { toolRan: 'x' }, { toolNotRan: '' }]
  assert.deepEqual(problemsOf({ steps, expect }), ['steps.0', 'steps.2', 'expect.0', 'expect.2'])
})

test('JSON is read as an object or not at all, items are moved, and tool results are shown as text', () => {
  assert.deepEqual(parseScript('{"steps":[]}'), { steps: [] })
  for (const text of ['', '[]', 'null', '{']) assert.equal(parseScript(text), null)
  assert.deepEqual(moved([1, 2, 3], 0, 1), [2, 1, 3])
  assert.deepEqual(moved([1, 2, 3], 0, -1), [1, 2, 3])
  assert.deepEqual(
    [toolTextOf({ result: 'x' }), toolTextOf({ result: { a: 1 } }), toolTextOf({ error: 'e' })],
    ['x', '{"a":1}', 'e'],
  )
})

test('while it runs, only what can no longer change is passed or failed', () => {
  const check = (passed: boolean, detail = '') => ({ text: '', passed, detail })
  const said = { said: { contains: 'x' } }
  assert.equal(checkState(check(true), said, true), 'passed')
  assert.equal(checkState(check(false), said, true), 'open')
  assert.equal(checkState(check(false), said, false), 'failed')
  assert.equal(checkState(check(true), { said: { not: 'x' } }, true), 'open')
  assert.equal(checkState(check(false), { said: { not: 'x' } }, true), 'failed')
  assert.equal(checkState(check(true), { toolRan: 'x', times: 1 }, true), 'open')
  assert.equal(checkState(check(true), { toolRan: 'x' }, true), 'passed')
  assert.equal(checkState(check(false), { toolNotRan: 'x' }, true), 'failed')
  assert.equal(checkState(check(false, 'there was no answer'), { turnUnderMs: 5 }, true), 'open')
  assert.equal(checkState(check(false, 'turn 2: 900 ms'), { turnUnderMs: 5 }, true), 'failed')
  assert.equal(checkState(check(false), { endReason: 'x' }, true), 'open')
  assert.equal(checkState(undefined, said, true), 'open')
  assert.deepEqual(stateCounts(['passed', 'open', 'open']), { passed: 1, failed: 0, open: 2 })
})

test('tool results keep their delay, are read as JSON where they are, and an error stays one', () => {
  const before = { a: { result: 'x', delayMs: 5 }, b: { error: 'no' } }
  assert.deepEqual(toolsOf({ a: '{"n":1}', b: 'still no', c: '{oops' }, before), {
    a: { result: { n: 1 }, delayMs: 5 },
    b: { error: 'still no' },
    c: { result: '{oops' },
  })
  assert.equal(hasHiddenFields({ steps: [{ says: 'x' }] }), false)
  assert.equal(hasHiddenFields({ timing: { modelMs: 1 } }), true)
})
