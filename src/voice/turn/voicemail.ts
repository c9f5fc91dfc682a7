// An outbound call before a person has answered: wait while it rings; with a voicemail hang up, or wait for its tone and leave a message.
// Pure, as machine.ts.
import { withoutEarlyReply } from './end-of-turn.ts'
import { dropTurn, ended, hangUp, settled, speak, waitForCaller, withoutTurn } from './floor.ts'
import type { TurnRules } from './rules.ts'
import {
  listening,
  type TimerName,
  type TurnCommand,
  type TurnEvent,
  type TurnState,
  type TurnStep,
  timerNames,
} from './state.ts'
import { after, arm, disarm, hasFloor, isFloorFree, stay, turnIn } from './step.ts'

const REASON = 'voicemail'
/** A tone alone may be background noise, so the call is hung up only if nobody speaks for this long. */
const CONFIRM_MS = 3000
/** The wait for an answer is bounded by AMD, in media time; this one holds if no more media arrives. */
const MAX_WAIT_MS = 130_000

export function amdResult(
  state: TurnState,
  { by, isByWords, atMs }: TurnEvent & { type: 'amd-result' },
  rules: TurnRules,
): TurnStep {
  if (by !== 'machine') return notMachine(state, rules)
  if (rules.voicemail === 'ignore') return released(state, rules)
  if (rules.voicemail === 'hangup' && isByWords) return hangUp(state, REASON)
  if (state.hangupReason !== null) return stay(state)
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
    ...(state.isCallerSpeaking ? [] : [armSilence(rules, quietMs)]),
  ]
  return stay(next, ...commands)
}

const armSilence = (rules: TurnRules, quietMs = 0): TurnCommand =>
  arm('voicemail-silence', rules.voicemail === 'hangup' ? CONFIRM_MS : rules.voicemailSilenceMs - quietMs)

/** A person, or not known: a message that has begun ends at once. */
function notMachine(state: TurnState, rules: TurnRules): TurnStep {
  if (state.voicemailMessage === 'none' || state.hangupReason !== REASON) return released(state, rules)
  const free = dropTurn(state)
  return after(free.commands, wasPerson({ ...free.state, voicemailMessage: 'none', hangupReason: null }, rules))
}

/** The greeting is as long as a voicemail's: the agent stays silent until AMD has a result. */
export function voicemailSuspected(state: TurnState, rules: TurnRules): TurnStep {
  const isUnknown = state.answerPending === null && state.voicemailMessage === 'none'
  if (rules.voicemail === 'ignore' || !isUnknown || state.hangupReason !== null || turnIn(state)) return stay(state)
  return stay({ ...state, answerPending: { heldTimers: [] } }, arm('voicemail-max', rules.voicemailMaxMs))
}

/** Nobody has answered yet: the agent is silent until somebody has. What it said into the ringing is said again. */
export function callProgress(state: TurnState, isWaiting: boolean, rules: TurnRules): TurnStep {
  if (!isWaiting) return released(state, rules)
  const turn = turnIn(state)
  if (state.hangupReason !== null || state.voicemailMessage !== 'none') return stay(state)
  if (turn && turn.kind !== 'opening') return stay(state)
  const quiet = withoutEarlyReply(state)
  const free = dropTurn(quiet.state)
  const hasNobodySpoken = state.speechChangedAtMs === 0 && !state.isCallerSpeaking
  const repeats = state.opens && !state.owesOpening && (turn !== null || hasNobodySpoken)
  const heldTimers = state.answerPending?.heldTimers ?? []
  const next: TurnState = {
    ...free.state,
    owesOpening: free.state.owesOpening || repeats,
    answerPending: { heldTimers: repeats ? ['opening', ...heldTimers] : heldTimers },
  }
  return stay(next, ...quiet.commands, ...free.commands, arm('voicemail-max', MAX_WAIT_MS))
}

/** The agent may speak: held timers fire now, but the caller's silence is measured anew. */
export function released(state: TurnState, rules: TurnRules): TurnStep {
  if (!state.answerPending) return stay(state)
  const msOf = (name: TimerName) =>
    name === 'silence' ? rules.silenceHangupMs : name === 'idle' ? rules.idleReminderMs : 0
  const { heldTimers } = state.answerPending
  // The opening also answers what was said or entered meanwhile.
  const answering = (name: TimerName) => (name === 'opening' && state.transcript !== '' ? 'endpointing' : name)
  const next: TurnState = { ...state, answerPending: null }
  const quiet = disarm('voicemail-max')
  const isIdle = isFloorFree(next) && !next.owesOpening && heldTimers.length === 0
  return isIdle
    ? after(quiet, waitForCaller(next, rules))
    : stay(next, ...quiet, ...heldTimers.map((name) => arm(answering(name), msOf(name))))
}

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

/** Holds such a timer while nobody, or a voicemail, may have answered; null if the event is not held. */
export function holdTimer(state: TurnState, event: TurnEvent): TurnStep | null {
  if (!state.answerPending || event.type !== 'timer' || !speakingTimers.has(event.name)) return null
  const others = state.answerPending.heldTimers.filter((name) => name !== event.name)
  return stay({ ...state, answerPending: { heldTimers: [...others, event.name] } })
}

/** During the greeting only its end matters: a tone or silence; or that it was a person after all. */
export function whileGreeting(state: TurnState, event: TurnEvent, rules: TurnRules): TurnStep {
  switch (event.type) {
    case 'speech': {
      const next = { ...state, isCallerSpeaking: event.on, speechChangedAtMs: event.atMs }
      return stay(next, ...(event.on ? disarm('voicemail-silence') : [armSilence(rules)]))
    }
    case 'beep':
      return rules.voicemail === 'hangup' ? stay(state) : leaveMessage(state, 'first', rules)
    case 'amd-result':
      return event.by === 'machine' ? stay(state) : wasPerson(state, rules)
    case 'line-ended':
      return hangUp(state, event.reason)
    case 'timer':
      if (event.name === 'voicemail-silence' || event.name === 'voicemail-max')
        return rules.voicemail === 'hangup' ? hangUp(state, REASON) : leaveMessage(state, 'first', rules)
      return event.name === 'max-duration' ? hangUp(state, 'max_duration') : stay(state)
    case 'caller-left':
      return ended(state)
    default:
      return stay(state)
  }
}

/** A person spoke after the tone. What they said was not heard: the agent says its opening. */
function wasPerson(state: TurnState, rules: TurnRules): TurnStep {
  const quiet = disarm('voicemail-silence', 'voicemail-max')
  const free = settled({ ...state, mode: listening, transcript: '', transcriptFromMs: null })
  const first = [...quiet, ...free.commands]
  if (!state.opens) return after(first, waitForCaller(free.state, rules))
  return stay({ ...free.state, owesOpening: true }, ...first, arm('opening', 0))
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
