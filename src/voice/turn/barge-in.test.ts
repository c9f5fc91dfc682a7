// Barge-in: what ducks the agent, what pauses it, and when it continues.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { step } from './machine.ts'
import { defaultTurnRules, type TurnRules } from './rules.ts'
import { initialState, type TurnCommand, type TurnEvent, type TurnState } from './state.ts'

/** The agent is in the middle of its opening. */
function speaking(rules: Partial<TurnRules> = {}) {
  const all: TurnRules = { ...defaultTurnRules, earlyRecognitionMs: 32, ...rules }
  let state: TurnState = initialState
  const take = (event: TurnEvent): readonly TurnCommand[] => {
    const next = step(state, event, all)
    state = next.state
    return next.commands
  }
  take({ type: 'begin', speaks: true, afterMs: 0 })
  take({ type: 'playout-started', turn: 1 })
  return {
    take,
    get mode() {
      return state.mode.name
    },
    get transcript() {
      return state.transcript
    },
    hears: (text: string) => take({ type: 'transcript', recognition: state.recognition, text, atMs: 2000 }),
  }
}

const speech = (on: boolean, more: Partial<TurnEvent & { type: 'speech' }> = {}): TurnEvent => ({
  type: 'speech',
  on,
  atMs: on ? 1000 : 1500,
  voicedMs: 200,
  ...more,
})
const does = (commands: readonly TurnCommand[]) => commands.map((command) => command.do)

test('voiced sound at the level of the caller pauses the agent before it is known to be speech', () => {
  const call = speaking()
  assert.ok(does(call.take({ type: 'speech-candidate', on: true, isStrong: true })).includes('stop'))
  assert.equal(call.mode, 'paused')
})

test('when that was no speech the agent goes on at once', () => {
  const call = speaking()
  call.take({ type: 'speech-candidate', on: true, isStrong: true })
  assert.ok(does(call.take({ type: 'speech-candidate', on: false })).includes('resume'))
})

test('weak sound only ducks it', () => {
  const call = speaking()
  assert.deepEqual(does(call.take({ type: 'speech-candidate', on: true, isStrong: false })), ['duck'])
  assert.ok(!does(call.take(speech(true, { relativeDb: -9 }))).includes('stop'))
  assert.equal(call.mode, 'speaking')
})

test('a quiet backchannel never pauses the agent', () => {
  const call = speaking()
  call.take(speech(true, { relativeDb: -8 }))
  call.take(speech(false))
  call.hears('Aham.')
  assert.equal(call.mode, 'speaking')
  assert.equal(call.transcript, '')
})

test('a loud backchannel pauses it until it is recognized, in the pause after it', () => {
  const call = speaking()
  call.take(speech(true, { relativeDb: 0 }))
  assert.equal(call.mode, 'paused')
  call.take({ type: 'speech-pause', on: true, voicedMs: 300 })
  const [recognize] = call
    .take({ type: 'timer', name: 'early-recognition' })
    .filter(({ do: what }) => what === 'recognize')
  assert.ok(recognize?.do === 'recognize' && recognize.isUrgent, 'before others')
  assert.ok(does(call.hears('Tá bom.')).includes('resume'))
  assert.equal(call.mode, 'thinking')
})

test('words in that pause end the turn before the speech is known to have ended', () => {
  const call = speaking()
  call.take(speech(true, { relativeDb: 0 }))
  call.take({ type: 'speech-pause', on: true, voicedMs: 900 })
  call.take({ type: 'timer', name: 'early-recognition' })
  assert.ok(does(call.hears('Quero falar com alguém.')).includes('stop'))
  assert.equal(call.mode, 'listening')
  call.take(speech(false))
  assert.equal(call.transcript, 'Quero falar com alguém.')
})

test('a questioning "aham?" is a question', () => {
  const call = speaking()
  call.take(speech(true, { relativeDb: -8 }))
  call.take(speech(false, { prosody: 'rising' }))
  call.hears('Aham?')
  assert.equal(call.mode, 'listening')
})

test('an agent that yields only to long speech is not paused by short speech', () => {
  const call = speaking({ interruptAfterMs: 2000 })
  call.take({ type: 'speech-candidate', on: true, isStrong: true })
  call.take(speech(true, { relativeDb: 0 }))
  assert.equal(call.mode, 'speaking')
})

test('what cannot be interrupted is not paused', () => {
  const call = speaking({ interruptible: false })
  call.take({ type: 'speech-candidate', on: true, isStrong: true })
  call.take(speech(true, { relativeDb: 0 }))
  assert.equal(call.mode, 'speaking')
})
