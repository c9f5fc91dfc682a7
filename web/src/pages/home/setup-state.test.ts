import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionsOf, nextStep, type Step, setupView } from './setup-state.ts'

const names = ['agent', 'voice', 'model', 'phone', 'number', 'call'] as const
const steps = (done: number, state: Step['state'] = 'missing'): Step[] =>
  names.map((step, i) => ({ step, isDone: i < done, state: i < done ? 'done' : state, percent: null, detail: '' }))

test('the steps fold away when four of six are done, vanish when all are, and stay dismissed', () => {
  assert.equal(setupView(steps(3), false), 'open')
  assert.equal(setupView(steps(4), false), 'folded')
  assert.equal(setupView(steps(6), false), 'none')
  assert.equal(setupView(steps(1), true), 'dismissed')
  assert.equal(setupView(steps(6), true), 'none')
})

test('the next step is the first one that somebody can take', () => {
  assert.equal(nextStep(steps(2))?.step, 'model')
  assert.equal(nextStep(steps(5, 'preparing')), undefined)
})

test('every open step has a button, also before there is an agent', () => {
  for (const hasAgent of [true, false])
    for (const step of steps(0)) assert.ok(actionsOf(step, hasAgent).length > 0, step.step)
})
