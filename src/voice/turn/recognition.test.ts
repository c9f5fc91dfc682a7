// What an empty transcript means: noise, or an answer that was not understood.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { step } from './machine.ts'
import { defaultTurnRules } from './rules.ts'
import { initialState, type TurnEvent, type TurnState } from './state.ts'

/** The agent has finished its words; the caller makes a sound that the recognizer takes for no speech. */
function afterSound(expected: TurnState['expected'], { voicedMs = 200, relativeDb = -1 as number | null } = {}) {
  let state: TurnState = initialState
  const take = (event: TurnEvent) => {
    const next = step(state, event, defaultTurnRules)
    state = next.state
    return next.commands
  }
  take({ type: 'begin', speaks: true, afterMs: 0 })
  take({ type: 'playout-started', turn: 1 })
  take({ type: 'expectation', expected })
  take({ type: 'turn-played', turn: 1 })
  take({ type: 'speech', on: true, atMs: 3000, voicedMs, relativeDb })
  take({ type: 'speech', on: false, atMs: 3000 + voicedMs, voicedMs, relativeDb })
  return take({ type: 'transcript', recognition: state.recognition, text: '', hasSpeech: false, atMs: 4000 })
}
const asksAgain = (...given: Parameters<typeof afterSound>) =>
  afterSound(...given).some((command) => command.do === 'say' && command.phrase === 'not-understood')

test('a syllable after a question that gives no words is asked about at once', () => {
  assert.ok(asksAgain('yes-no'))
  assert.ok(asksAgain('number'))
})

test('a click, a quiet voice and sound after a statement are not', () => {
  assert.ok(!asksAgain('yes-no', { voicedMs: 130 }))
  assert.ok(!asksAgain('yes-no', { relativeDb: -8 }))
  assert.ok(!asksAgain('yes-no', { relativeDb: null }))
  assert.ok(!asksAgain(null))
})
