// A voicemail has answered an outbound call: hang up, or wait for its tone and leave a message. Pure, as machine.ts.
import { withoutEarlyReply } from './end-of-turn.ts'
import { dropTurn, ended, hangUp, speak, withoutTurn } from './floor.ts'
import type { TurnRules } from './rules.ts'
import { type TimerName, type TurnCommand, type TurnEvent, type TurnState, type TurnStep, timerNames } from './state.ts'
import { after, arm, disarm, hasFloor, stay, turnIn } from './step.ts'

const REASON = 'voicemail'

export function amdResult(
  state: TurnState,
  { by, atMs }: TurnEvent & { type: 'amd-result' },
  rules: TurnRules,
): TurnStep {
  const { suspectedVoicemail } = state
  if (by !== 'machine' && suspectedVoicemail) return notVoicemail(state, suspectedVoicemail.heldTimers)
  if (by !== 'machine' || rules.voicemail === 'ignore') return stay(state)
  if (rules.voicemail === 'hangup') return hangUp(state, REASON)
  if (state.voicemailMessage !== 'none' || state.hangupReason !== null) return stay(state)
  const early = withoutEarlyReply(state)
  const free = dropTurn(early.state)
  const next: TurnState = {
    ...free.state,
    mode: { name: 'voicemail-greeting' },
    isRecognizing: false,
    ...withoutTurn,
  }
  const quietMs = Math.max(0, atMs - state.speechChangedAtMs)
  const commands: TurnCommand[] = [
    ...free.commands,
    ...(state.isRecognizing ? [{ do: 'cancel-recognition' as const }] : []),
    ...early.commands,
    ...disarm(...timerNames.filter((name) => name !== 'max-duration')),
    arm('voicemail-max', rules.voicemailMaxMs),
    ...(state.isCallerSpeaking ? [] : [arm('voicemail-silence', rules.voicemailSilenceMs - quietMs)]),
  ]
  return stay(next, ...commands)
}

/** The greeting is as long as a voicemail's: the agent stays silent until AMD has a result. */
export function voicemailSuspected(state: TurnState, rules: TurnRules): TurnStep {
  const isUnknown = state.suspectedVoicemail === null && state.voicemailMessage === 'none'
  if (rules.voicemail === 'ignore' || !isUnknown || state.hangupReason !== null || turnIn(state)) return stay(state)
  return stay({ ...state, suspectedVoicemail: { heldTimers: [] } }, arm('voicemail-max', rules.voicemailMaxMs))
}

/** Not a voicemail: the held timers fire now. */
export const notVoicemail = (state: TurnState, heldTimers: readonly TimerName[]): TurnStep =>
  stay({ ...state, suspectedVoicemail: null }, ...disarm('voicemail-max'), ...heldTimers.map((name) => arm(name, 0)))

/** These would make the agent speak. */
const speakingTimers: ReadonlySet<TimerName> = new Set([
  'opening',
  'opening-deadline',
  'endpointing',
  'resume',
  'digits',
  'idle',
  'silence',
])

/** Holds such a timer while a voicemail is suspected; null if the event is not held. */
export function holdTimer(state: TurnState, event: TurnEvent): TurnStep | null {
  if (!state.suspectedVoicemail || event.type !== 'timer' || !speakingTimers.has(event.name)) return null
  const others = state.suspectedVoicemail.heldTimers.filter((name) => name !== event.name)
  return stay({ ...state, suspectedVoicemail: { heldTimers: [...others, event.name] } })
}

/** During the greeting only its end matters: a tone or silence. */
export function whileGreeting(state: TurnState, event: TurnEvent, rules: TurnRules): TurnStep {
  switch (event.type) {
    case 'speech': {
      const next = { ...state, isCallerSpeaking: event.on, speechChangedAtMs: event.atMs }
      return stay(
        next,
        ...(event.on ? disarm('voicemail-silence') : [arm('voicemail-silence', rules.voicemailSilenceMs)]),
      )
    }
    case 'beep':
      return leaveMessage(state, 'first', rules)
    case 'timer':
      if (event.name === 'voicemail-silence' || event.name === 'voicemail-max')
        return leaveMessage(state, 'first', rules)
      return event.name === 'max-duration' ? hangUp(state, 'max_duration') : stay(state)
    case 'caller-left':
      return ended(state)
    default:
      return stay(state)
  }
}

/** The tone came during the message, whose start was therefore not recorded: the message is repeated. */
export function beepHeard(state: TurnState, rules: TurnRules): TurnStep {
  if (state.voicemailMessage !== 'first' || !hasFloor(state)) return stay(state)
  return after(dropTurn(state).commands, leaveMessage(state, 'repeated', rules))
}

function leaveMessage(state: TurnState, voicemailMessage: 'first' | 'repeated', rules: TurnRules): TurnStep {
  const { transcript: to } = state
  const next: TurnState = {
    ...state,
    transcript: '',
    transcriptFromMs: null,
    lastPauseMs: null,
    voicemailMessage,
    hangupReason: REASON,
  }
  const said = speak(next, 'phrase', (turn) => ({ do: 'leave-message', turn, to }), rules)
  return after(disarm('voicemail-silence', 'voicemail-max'), said)
}
