// Partial transcripts in the turn machine: over the agent, in a pause, and when the final one does not come.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { step } from './machine.ts'
import { spokenSoFar } from './partials.ts'
import { defaultTurnRules, type TurnRules } from './rules.ts'
import { initialState, type TurnCommand, type TurnEvent, type TurnState } from './state.ts'

/** The caller has started to speak, over the agent's opening or without one. */
function spoken(speaks: boolean, rules: Partial<TurnRules> = {}) {
  const all: TurnRules = { ...defaultTurnRules, hasLiveRecognition: true, ...rules }
  let state: TurnState = initialState
  const take = (event: TurnEvent): readonly TurnCommand[] => {
    const next = step(state, event, all)
    state = next.state
    return next.commands
  }
  take({ type: 'begin', speaks, afterMs: 0 })
  if (speaks) take({ type: 'playout-started', turn: 1 })
  const started = take({ type: 'speech', on: true, atMs: 1000, voicedMs: 128, relativeDb: -5 })
  return {
    started,
    take,
    state: () => state,
    partial: (text: string) => take({ type: 'partial-transcript', text }),
    ends: () => take({ type: 'speech', on: false, atMs: 2000, voicedMs: 900 }),
    final: (text: string, hasFailed = false) =>
      take({ type: 'transcript', recognition: state.recognition, text, hasFailed, atMs: 2300 }),
  }
}
const does = (commands: readonly TurnCommand[]) => commands.map((command) => command.do)
const timers = (commands: readonly TurnCommand[]) => commands.flatMap((one) => (one.do === 'arm' ? [one.timer] : []))

test('a stream is opened when speech starts, urgently over the agent, and only where there are streams', () => {
  const streams = (commands: readonly TurnCommand[]) => commands.filter((command) => command.do === 'stream-speech')
  assert.deepEqual(streams(spoken(true).started), [{ do: 'stream-speech', isUrgent: true }])
  assert.deepEqual(streams(spoken(false).started), [{ do: 'stream-speech', isUrgent: false }])
  assert.deepEqual(streams(spoken(false, { hasLiveRecognition: false }).started), [])
})

test('words over the agent end its turn: enough of them, a question, or a request to stop', () => {
  for (const [text, mode] of [
    ['quero', 'speaking'],
    ['uhum', 'speaking'],
    ['claro que', 'speaking'],
    ['yeah that makes', 'speaking'],
    ['quero amanhã', 'listening'],
    ['quanto?', 'listening'],
    ['para', 'listening'],
    ['espera', 'paused'],
  ] as const) {
    const call = spoken(true, { maxFalseStarts: 0 })
    // With a known level, because a faint voice in the first seconds may be a television.
    call.partial(text)
    assert.equal(call.state().mode.name, mode, text)
    if (mode === 'listening') assert.equal(call.state().transcript, text)
  }
})

test('more words are asked for where the agent says so, and none where it must not be interrupted', () => {
  const patient = spoken(true, { interruptAfterWords: 4 })
  patient.partial('quero amanhã cedo')
  assert.equal(patient.state().mode.name, 'speaking')
  patient.partial('quero amanhã cedo mesmo')
  assert.equal(patient.state().mode.name, 'listening')
  const firm = spoken(true, { interruptible: false })
  firm.partial('quero amanhã cedo mesmo')
  assert.equal(firm.state().mode.name, 'speaking')
})

test('in a pause, stable words are answered early; the reply is kept for the same final words', () => {
  const call = spoken(false)
  call.partial('quero marcar uma')
  const paused = call.take({ type: 'speech-pause', on: true, voicedMs: 800 })
  assert.deepEqual(timers(paused), ['stable-partial'])
  assert.deepEqual(timers(call.partial('quero marcar uma consulta')), ['stable-partial'], 'not stable yet')
  const stable = call.take({ type: 'timer', name: 'stable-partial' })
  assert.deepEqual(stable, [{ do: 'generate-early', to: 'quero marcar uma consulta' }])
  assert.ok(!does(call.ends()).includes('cancel-early'))
  const known = does(call.final('Quero marcar uma consulta.'))
  assert.ok(!known.includes('cancel-early') && !known.includes('generate-early'))
  assert.equal(call.state().transcript, 'Quero marcar uma consulta.')
  const [reply] = call.take({ type: 'timer', name: 'endpointing' }).filter((command) => command.do === 'reply')
  assert.ok(reply?.do === 'reply' && reply.to === 'Quero marcar uma consulta.')
})

test('other final words, none, or more speech cancel the early reply', () => {
  const early = () => {
    const call = spoken(false)
    call.partial('quero marcar uma consulta')
    call.take({ type: 'speech-pause', on: true, voicedMs: 800 })
    call.take({ type: 'timer', name: 'stable-partial' })
    return call
  }
  const other = early()
  other.ends()
  const commands = other.final('Não quero marcar uma consulta.')
  assert.ok(does(commands).indexOf('cancel-early') < does(commands).indexOf('generate-early'))
  const none = early()
  none.ends()
  assert.ok(does(none.final('')).includes('cancel-early'))
  assert.equal(none.state().transcript, '')
  assert.deepEqual(does(early().partial('quero marcar uma consulta amanhã')).slice(0, 1), ['cancel-early'])
  assert.ok(does(early().take({ type: 'speech-pause', on: false, voicedMs: 900 })).includes('cancel-early'))
})

test('a sentence that is not complete is not answered early', () => {
  const call = spoken(false)
  call.partial('eu queria marcar para')
  call.take({ type: 'speech-pause', on: true, voicedMs: 800 })
  assert.deepEqual(call.take({ type: 'timer', name: 'stable-partial' }), [])
})

test('where recognition fails, the words that were known count', () => {
  const call = spoken(false)
  call.partial('quero marcar uma consulta')
  call.ends()
  call.final('', true)
  assert.equal(call.state().transcript, 'quero marcar uma consulta')
  const late = spoken(false)
  late.partial('quero marcar')
  late.ends()
  late.take({ type: 'timer', name: 'recognition' })
  assert.equal(late.state().transcript, 'quero marcar')
})

test('what is shown grows, and leaves with the final transcript', () => {
  const call = spoken(false)
  call.partial('quero marcar')
  assert.equal(spokenSoFar(call.state()), 'quero marcar')
  call.ends()
  call.final('Quero marcar.')
  assert.equal(spokenSoFar(call.state()), 'Quero marcar.')
  call.take({ type: 'speech', on: true, atMs: 2500, voicedMs: 128 })
  call.partial('quero')
  assert.equal(spokenSoFar(call.state()), 'Quero marcar.', 'the new stream begins with what is known')
  call.partial('quero marcar amanhã')
  assert.equal(spokenSoFar(call.state()), 'quero marcar amanhã')
})

test('a long speech whose words are known is not recognized again before the agent interjects', () => {
  const call = spoken(false)
  call.partial('era uma vez')
  for (let i = 1; i < defaultTurnRules.maxProbes; i++)
    assert.ok(!does(call.take({ type: 'timer', name: 'max-utterance' })).includes('recognize'))
  assert.ok(does(call.take({ type: 'timer', name: 'max-utterance' })).includes('recognize'))
  assert.ok(does(call.final('Era uma vez um rei.')).includes('reply'))
})

test('long noise does not let the agent interject sooner in the speech after it', () => {
  const call = spoken(false, { maxNotUnderstood: 0 })
  for (let noises = 1; noises <= defaultTurnRules.maxProbes; noises++) {
    call.take({ type: 'timer', name: 'max-utterance' })
    call.final('')
    call.take({ type: 'speech', on: true, atMs: noises * 10_000, voicedMs: 128 })
  }
  call.take({ type: 'timer', name: 'max-utterance' })
  assert.ok(!does(call.final('Era uma vez um rei.')).includes('reply'))
})

test('partials before and after speech are ignored', () => {
  const call = spoken(false)
  call.ends()
  const before = call.state()
  assert.deepEqual(call.partial('quero'), [])
  assert.equal(call.state(), before)
})

test('guessed words that the final transcript denies leave no early reply, even if the sound never ends', () => {
  const call = spoken(false)
  call.take({ type: 'speech-pause', on: true, voicedMs: 200 })
  call.partial('sim')
  assert.ok(does(call.take({ type: 'timer', name: 'stable-partial' })).includes('generate-early'))
  for (let probe = 0; probe < defaultTurnRules.maxProbes; probe++) call.take({ type: 'timer', name: 'max-utterance' })
  const canceled = does(call.final('')).filter((command) => command === 'cancel-early')
  assert.deepEqual(canceled, ['cancel-early'])
})
