import assert from 'node:assert/strict'
import { test } from 'node:test'
import { step } from './turn-machine.ts'
import { usualRules as rules } from './turn-rules.ts'
import { start, type TurnEvent, type TurnState } from './turn-state.ts'

const quiet = after(start, { type: 'begin', speaks: false, afterMs: 0 })

function after(state: TurnState, ...events: TurnEvent[]): TurnState {
  return events.reduce((before, event) => step(before, event, rules).state, state)
}
const done = (state: TurnState, event: TurnEvent) => step(state, event, rules).commands.map((command) => command.do)
const relay = (text: string, isUrgent: boolean): TurnEvent => ({ type: 'relay', text, isUrgent })
const voice = (on: boolean, atMs: number): TurnEvent => ({ type: 'voice', on, atMs, voicedMs: 128 })

test('words come in the order in which they were asked for, urgent ones before those that wait', () => {
  const speaking = after(quiet, relay('um', false), { type: 'sounded', turn: 1 })
  const queued = after(speaking, relay('dois', false), relay('três', false))
  assert.deepEqual([queued.turn, queued.relays], [1, ['dois', 'três']])
  const urgent = after(queued, relay('já', true))
  assert.deepEqual([urgent.turn, urgent.relayed, urgent.relays], [2, 'já', ['dois', 'três']])
  const next = after(urgent, { type: 'sounded', turn: 2 }, { type: 'spoken', turn: 2 })
  assert.deepEqual([next.turn, next.relayed, next.relays], [3, 'dois', ['três']])
})

test('urgent words that nobody has heard yet give way to others, and are not lost', () => {
  const state = after(quiet, relay('um', true), relay('dois', true))
  assert.deepEqual([state.relayed, state.relays], ['dois', ['um']])
})

test('a guess of the model is forgotten when an operator answers in its place', () => {
  const asked = after(quiet, voice(true, 100), voice(false, 900))
  const { recognition } = asked
  const guessed = after(asked, { type: 'words', recognition, text: 'quanto custa?', atMs: 1000 })
  assert.ok(guessed.isGuessed)
  assert.deepEqual(done(guessed, relay('dez reais', false)), ['forget-guess'])
  const taken = step(after(guessed, relay('dez reais', false)), { type: 'timer', name: 'pause' }, rules)
  assert.deepEqual(taken.commands.at(-1), { do: 'relay', turn: 1, to: 'quanto custa?', text: 'dez reais' })
  assert.equal(taken.state.heard, '')
})

test('who presses keys over urgent words does not stop them, and is answered then', () => {
  const pressed = after(quiet, voice(true, 100), relay('já', true), { type: 'sounded', turn: 1 })
  assert.ok(!done(pressed, { type: 'key', digit: '1' }).includes('stop'))
  const keyed = after(pressed, voice(false, 300), { type: 'key', digit: '1' }, { type: 'timer', name: 'keys' })
  assert.deepEqual([keyed.phase, keyed.heard], ['speaking', '1'])
})

test('nothing is asked of an agent at a mailbox, or of one that has given its call away', () => {
  const message = { ...rules, voicemail: 'message' as const }
  const mailbox = step(quiet, { type: 'answered', by: 'machine', atMs: 500 }, message).state
  for (const state of [mailbox, after(quiet, { type: 'away' })])
    assert.deepEqual(step(state, relay('x', true), message), { state, commands: [] })
})

test('an agent that was not away does not come back', () => {
  assert.deepEqual(step(quiet, { type: 'back' }, rules), { state: quiet, commands: [] })
})

test('who speaks when he is given back to an agent that was about to leave hears its last word, and the call ends', () => {
  const asked = after(quiet, { type: 'key', digit: '1' }, { type: 'key', digit: '#' })
  const leaving = after(asked, { type: 'leaving', turn: 1, reason: 'agent_ended' }, { type: 'given-away', turn: 1 })
  const back = after(leaving, voice(true, 100), { type: 'back' })
  assert.deepEqual([back.phase, back.isCut, back.turn], ['thinking', false, 2])
  const said = step(after(back, { type: 'sounded', turn: 2 }), { type: 'spoken', turn: 2 }, rules)
  assert.deepEqual(said.commands.at(-1), { do: 'hang-up', reason: 'agent_ended' })
})
