import assert from 'node:assert/strict'
import { test } from 'node:test'
import { step } from './machine.ts'
import { defaultTurnRules as rules } from './rules.ts'
import { initialState, type TurnEvent, type TurnState } from './state.ts'

const quiet = after(initialState, { type: 'begin', speaks: false, afterMs: 0 })

function after(state: TurnState, ...events: TurnEvent[]): TurnState {
  return events.reduce((before, event) => step(before, event, rules).state, state)
}
const textOf = ({ mode }: TurnState) => ('operatorText' in mode ? mode.operatorText : null)
const done = (state: TurnState, event: TurnEvent) => step(state, event, rules).commands.map((command) => command.do)
const operatorSays = (text: string, isUrgent: boolean): TurnEvent => ({ type: 'operator-say', text, isUrgent })
const speech = (on: boolean, atMs: number): TurnEvent => ({ type: 'speech', on, atMs, voicedMs: 128 })

test('operator texts are spoken in order, urgent ones first', () => {
  const speaking = after(quiet, operatorSays('um', false), { type: 'playout-started', turn: 1 })
  const queued = after(speaking, operatorSays('dois', false), operatorSays('três', false))
  assert.deepEqual([queued.turn, queued.operatorTexts], [1, ['dois', 'três']])
  const urgent = after(queued, operatorSays('já', true))
  assert.deepEqual([urgent.turn, textOf(urgent), urgent.operatorTexts], [2, 'já', ['dois', 'três']])
  const next = after(urgent, { type: 'playout-started', turn: 2 }, { type: 'turn-played', turn: 2 })
  assert.deepEqual([next.turn, textOf(next), next.operatorTexts], [3, 'dois', ['três']])
})

test('an urgent text that has not started to play yields to another and is spoken later', () => {
  const state = after(quiet, operatorSays('um', true), operatorSays('dois', true))
  assert.deepEqual([textOf(state), state.operatorTexts], ['dois', ['um']])
})

test('operator text cancels the early reply', () => {
  const asked = after(quiet, speech(true, 100), speech(false, 900))
  const { recognition } = asked
  const early = after(asked, { type: 'transcript', recognition, text: 'quanto custa?', atMs: 1000 })
  assert.deepEqual(early.mode, { name: 'listening', hasEarlyReply: true })
  assert.deepEqual(done(early, operatorSays('dez reais', false)), ['cancel-early'])
  const taken = step(after(early, operatorSays('dez reais', false)), { type: 'timer', name: 'endpointing' }, rules)
  assert.deepEqual(taken.commands.at(-1), { do: 'say-for-operator', turn: 1, to: 'quanto custa?', text: 'dez reais' })
  assert.equal(taken.state.transcript, '')
})

test('digits pressed over an urgent text do not stop it and are answered afterwards', () => {
  const pressed = after(quiet, speech(true, 100), operatorSays('já', true), { type: 'playout-started', turn: 1 })
  assert.ok(!done(pressed, { type: 'digit', digit: '1' }).includes('stop'))
  const keyed = after(pressed, speech(false, 300), { type: 'digit', digit: '1' }, { type: 'timer', name: 'digits' })
  assert.deepEqual([keyed.mode.name, keyed.transcript], ['speaking', '1'])
})

test('operator texts are ignored during a voicemail greeting and during a transfer', () => {
  const message = { ...rules, voicemail: 'message' as const }
  const greeting = step(quiet, { type: 'amd-result', by: 'machine', isByWords: true, atMs: 500 }, message).state
  for (const state of [greeting, after(quiet, { type: 'transfer-started' })])
    assert.deepEqual(step(state, operatorSays('x', true), message), { state, commands: [] })
})

test('transfer-failed is ignored when no transfer was started', () => {
  assert.deepEqual(step(quiet, { type: 'transfer-failed' }, rules), { state: quiet, commands: [] })
})

test('after a failed transfer an agent that was about to hang up says its last words over the caller and hangs up', () => {
  const asked = after(quiet, { type: 'digit', digit: '1' }, { type: 'digit', digit: '#' })
  const leaving = after(
    asked,
    { type: 'hang-up-after-turn', turn: 1, reason: 'agent_ended' },
    { type: 'transferred', turn: 1 },
  )
  const back = after(leaving, speech(true, 100), { type: 'transfer-failed' })
  assert.deepEqual([back.mode.name, back.turn], ['thinking', 2])
  const said = step(after(back, { type: 'playout-started', turn: 2 }), { type: 'turn-played', turn: 2 }, rules)
  assert.deepEqual(said.commands.at(-1), { do: 'hang-up', reason: 'agent_ended' })
})
