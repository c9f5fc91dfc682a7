// Which steps to the first call are done, for given facts.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VoiceState } from '../settings/schema.ts'
import { type Platform, setupSteps } from './setup.ts'

const voice: VoiceState = {
  wanted: 'natural',
  speaking: 'natural',
  preparingPercent: null,
  trouble: null,
  providers: { provider_a: 'embedded', provider_b: 'embedded', provider_c: 'embedded' },
  recognition: 'embedded',
  hasTurnModel: false,
}
const model = { provider: 'openai-compatible', name: 'gpt-5', fallback: null, models: null, embeddings: null }
const nothing = { agent: false, way: false, number: false, call: false }
const everything = { agent: true, way: true, number: true, call: true }
const whole: Platform = { voice, model, isPhoneOn: true }

const step = (name: string, platform: Platform, things = nothing) => {
  const { isDone, state, percent } = setupSteps(things, platform).find((each) => each.step === name) ?? assert.fail()
  return [isDone, state, percent]
}
const heard = (change: Partial<VoiceState>) => step('voice', { ...whole, voice: { ...voice, ...change } })

test('the steps are in the order in which users take them', () => {
  const steps = setupSteps(everything, whole)
  assert.deepEqual(
    steps.map((each) => each.step),
    ['agent', 'voice', 'model', 'phone', 'number', 'call'],
  )
  assert.ok(steps.every((each) => each.isDone && each.detail !== ''))
  const undone = setupSteps(nothing, whole).filter((each) => !each.isDone)
  assert.deepEqual(
    undone.map((each) => each.step),
    ['agent', 'phone', 'number', 'call'],
  )
})

test("the voice is natural, being prepared, small, a vendor's, or missing", () => {
  assert.deepEqual(heard({}), [true, 'natural', null])
  assert.deepEqual(heard({ speaking: 'small', preparingPercent: 40 }), [false, 'preparing', 40])
  assert.deepEqual(heard({ speaking: 'small', trouble: 'no package' }), [false, 'small', null])
  assert.deepEqual(heard({ speaking: 'small', wanted: 'small' }), [true, 'small', null])
  assert.deepEqual(heard({ speaking: 'vendor' }), [true, 'vendor', null])
  assert.deepEqual(heard({ speaking: 'none', wanted: 'off' }), [false, 'off', null])
})

test('rules are not a model, and a phone that is off is not one that waits', () => {
  assert.deepEqual(step('model', { ...whole, model: { ...model, provider: null, name: null } }), [false, 'rules', null])
  assert.deepEqual(step('phone', { ...whole, isPhoneOn: false }, everything), [false, 'off', null])
  assert.deepEqual(step('phone', whole), [false, 'waiting', null])
})
