// Pauses that follow the caller: within their bounds, and longer for one who pauses longer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_PAUSE_MS, pauseForProbability, updateAveragePause } from './endpointing.ts'
import { defaultTurnRules, endpointingPause, turnModelPause } from './turn-rules.ts'

const unfinished = 'Eu queria marcar'
const pause = fc.integer({ min: 0, max: 20_000 })
const rulesOf = (a: number, b: number) => ({
  ...defaultTurnRules,
  minPauseMs: Math.min(a, b),
  maxPauseMs: Math.max(a, b),
})

test('for any pauses, the endpointing delay is between the minimum and the maximum', () => {
  fc.assert(
    fc.property(fc.array(pause), fc.nat(5000), fc.nat(5000), fc.string(), (pauses, a, b, text) => {
      const rules = rulesOf(a, b)
      const ms = endpointingPause(text, rules, pauses.reduce(updateAveragePause, DEFAULT_PAUSE_MS))
      assert.ok(ms >= rules.minPauseMs && ms <= rules.maxPauseMs, `${ms}`)
    }),
  )
})

test('longer pauses never shorten the endpointing delay', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(pause, fc.nat(3000))), fc.nat(5000), fc.nat(5000), (pauses, a, b) => {
      const rules = rulesOf(a, b)
      const after = (of: number[]) =>
        endpointingPause(unfinished, rules, of.reduce(updateAveragePause, DEFAULT_PAUSE_MS))
      assert.ok(after(pauses.map(([ms, more]) => ms + more)) >= after(pauses.map(([ms]) => ms)))
    }),
  )
})

test('one pause shifts the delay a little; many equal ones bring it to 1.5 times the pause', () => {
  const after = (times: number, ms: number) =>
    endpointingPause(
      unfinished,
      defaultTurnRules,
      Array<number>(times).fill(ms).reduce(updateAveragePause, DEFAULT_PAUSE_MS),
    )
  assert.equal(after(0, 0), 1200)
  assert.equal(Math.round(after(1, 1400)), 1290)
  assert.ok(Math.abs(after(60, 1400) - 2100) < 5)
  assert.ok(Math.abs(after(60, 500) - 750) < 5)
})

test('a complete sentence and a number do not wait for a slow caller', () => {
  assert.equal(endpointingPause('Que horas abre?', defaultTurnRules, 2500), 400)
  assert.equal(endpointingPause('São 25.', defaultTurnRules, 2500), 600)
})

test('a confident turn model allows a reply at once, an uncertain one waits up to 3 s', () => {
  assert.equal(pauseForProbability(1), 20)
  assert.equal(pauseForProbability(0), 3020)
  assert.equal(Math.round(pauseForProbability(0.5)), Math.round(20 + 500 * Math.SQRT1_2 + 312.5))
  fc.assert(
    fc.property(fc.double({ min: -1, max: 2, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (p, more) => {
      assert.ok(pauseForProbability(p + more) <= pauseForProbability(p))
    }),
  )
})

test("the turn model's delay has the same bounds, and dictated digits wait regardless", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(5000),
      fc.nat(5000),
      fc.string(),
      (p, a, b, text) => {
        const rules = rulesOf(a, b)
        const ms = turnModelPause(text, p, rules)
        assert.ok(ms >= rules.minPauseMs && ms <= rules.maxPauseMs)
      },
    ),
  )
  assert.equal(turnModelPause(unfinished, 1, defaultTurnRules), 400)
  assert.equal(turnModelPause(unfinished, 0, defaultTurnRules), 2500)
  assert.equal(turnModelPause('Meu CPF é 1 2 3 4', 1, defaultTurnRules), 1500)
})
