// Barge-in: what ducks the agent, what pauses it, and when it continues.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SpeechEvidence } from '../ports.ts'
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

const sounds = (evidence: SpeechEvidence, on = true): TurnEvent => ({ type: 'speech-candidate', on, evidence })

test('sound ducks the agent at once, and pauses it when it sounds like an interruption', () => {
  for (const evidence of ['long', 'interruption'] as const) {
    const call = speaking()
    assert.deepEqual(does(call.take(sounds('none'))), ['duck'])
    assert.ok(!does(call.take(speech(true, { relativeDb: 0 }))).includes('stop'))
    assert.equal(call.mode, 'speaking')
    assert.ok(does(call.take(sounds(evidence))).includes('stop'))
    assert.equal(call.mode, 'paused')
  }
})

test('when that was no speech the agent goes on at once', () => {
  const call = speaking()
  call.take(sounds('interruption'))
  assert.ok(does(call.take(sounds('none', false))).includes('resume'))
})

test('long speech that is over after all was a backchannel: the agent goes on before it is recognized', () => {
  const call = speaking()
  call.take(speech(true))
  call.take(sounds('long'))
  assert.ok(does(call.take(sounds('over'))).includes('resume'))
  call.take({ type: 'playout-started', turn: 1 })
  call.take(speech(false))
  call.hears('Tá bom.')
  assert.equal(call.mode, 'speaking')
})

test('its words still stop the agent', () => {
  const call = speaking()
  call.take(speech(true, { relativeDb: 0 }))
  call.take(sounds('long'))
  call.take(sounds('over'))
  call.take({ type: 'playout-started', turn: 1 })
  call.take(speech(false))
  assert.ok(does(call.hears('Para.')).includes('stop'))
  assert.equal(call.mode, 'listening')
})

test('speech that goes on after that pauses the agent again', () => {
  const call = speaking()
  call.take(speech(true))
  call.take(sounds('long'))
  call.take(sounds('over'))
  call.take({ type: 'playout-started', turn: 1 })
  assert.ok(does(call.take(sounds('interruption'))).includes('stop'))
  assert.equal(call.mode, 'paused')
})

test('the pause of an interruption does not resume the agent', () => {
  const call = speaking()
  call.take(speech(true))
  call.take(sounds('interruption'))
  assert.ok(!does(call.take(sounds('over'))).includes('resume'))
  assert.equal(call.mode, 'paused')
})

test('a quiet backchannel never pauses the agent', () => {
  const call = speaking()
  call.take(speech(true, { relativeDb: -8 }))
  call.take(speech(false))
  call.hears('Aham.')
  assert.equal(call.mode, 'speaking')
  assert.equal(call.transcript, '')
})

test('what sounds like an interruption pauses it until it is recognized, in the pause after it', () => {
  const call = speaking()
  call.take(speech(true, { relativeDb: 0 }))
  call.take(sounds('interruption'))
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
  call.take(sounds('interruption'))
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
  call.take(sounds('interruption'))
  call.take(speech(true, { relativeDb: 0 }))
  assert.equal(call.mode, 'speaking')
})

test('what cannot be interrupted is not paused', () => {
  const call = speaking({ interruptible: false })
  call.take(sounds('interruption'))
  call.take(speech(true, { relativeDb: 0 }))
  assert.equal(call.mode, 'speaking')
})
