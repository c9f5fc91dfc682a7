// The turn machine: who has the floor. Pure: maps events to the next state and commands; no clock, promise or audio.

import {
  armInterrupt,
  speechCandidate,
  speechContinues,
  speechEnded,
  speechPaused,
  speechStarted,
  turnGoesOn,
} from './barge-in.ts'
import { endOfTurnPredicted, withoutEarlyReply } from './end-of-turn.ts'
import {
  awaitPlayout,
  dropTurn,
  ended,
  hangUp,
  hasWarning,
  openByNow,
  pauseTurn,
  resumeTurn,
  say,
  settled,
  takeTurn,
  turnFailed,
  turnPlayed,
  waitForCaller,
  warn,
} from './floor.ts'
import { operatorSay } from './operator.ts'
import { knownOverAgent, partialHeard, partialIsStable } from './partials.ts'
import { recognize, recognized } from './recognition.ts'
import type { TurnRules } from './rules.ts'
import type { TimerName, TurnEvent, TurnMode, TurnState, TurnStep } from './state.ts'
import { after, arm, disarm, isCallerActive, isFloorFree, joined, mayInterrupt, stay, turnIn } from './step.ts'
import { playFiller, sayStillWorking, startTransfer, toolStep, whileTransferring } from './tools.ts'
import {
  amdResult,
  beepHeard,
  callProgress,
  holdTimer,
  released,
  voicemailSuspected,
  whileGreeting,
} from './voicemail.ts'

const MAX_DIGITS = 32

export function step(state: TurnState, event: TurnEvent, rules: TurnRules): TurnStep {
  if (state.mode.name === 'ended') return stay(state)
  if (state.mode.name === 'transferring') return whileTransferring(state, event, rules)
  const held = holdTimer(state, event)
  if (held) return held
  const isGreeting = state.mode.name === 'voicemail-greeting' && event.type !== 'speech-candidate'
  const next = isGreeting ? whileGreeting(state, event, rules) : decide(state, event, rules)
  return withTurnTimer(withDucking(state, next, rules), rules)
}

/** Limits the duration of every turn of the caller. */
function withTurnTimer({ state, commands }: TurnStep, rules: TurnRules): TurnStep {
  if (state.mode.name !== 'listening' || !state.isCallerSpeaking || state.isTurnTimed) return { state, commands }
  return {
    state: { ...state, isTurnTimed: true },
    commands: [...commands, arm('max-utterance', rules.maxUtteranceMs)],
  }
}

/** Possible speech ducks the agent until it is known what it was. */
function withDucking(before: TurnState, { state, commands }: TurnStep, rules: TurnRules): TurnStep {
  const { mode } = state
  if (mode.name === 'ended') return { state, commands }
  const wasDucked = before.mode.name === 'speaking' && before.mode.isDucked
  const isDucked = mode.name === 'speaking' && hasPossibleSpeech(state) && mayInterrupt(state, rules)
  if (isDucked === wasDucked) return { state, commands }
  const next: TurnMode = mode.name === 'speaking' ? { ...mode, isDucked } : mode
  return { state: { ...state, mode: next }, commands: [...commands, { do: isDucked ? 'duck' : 'unduck' }] }
}

const hasPossibleSpeech = ({ isCallerSpeaking, isSpeechCandidate }: TurnState) => isCallerSpeaking || isSpeechCandidate

function decide(state: TurnState, event: TurnEvent, rules: TurnRules): TurnStep {
  switch (event.type) {
    case 'begin':
      return state.turn > 0 ? stay(state) : after([armMaxDuration(rules)], begin(state, event, rules))
    case 'speech':
      return event.on ? speechStarted(state, event, rules) : speechEnded(state, event, rules)
    case 'speech-candidate':
      return speechCandidate(state, event, rules)
    case 'speech-pause':
      return event.on ? speechPaused(state, event.voicedMs, rules) : speechContinues(state, event.voicedMs, rules)
    case 'transcript':
      if (!state.isRecognizing || event.recognition !== state.recognition) return stay(state)
      return after(disarm('recognition'), recognized({ ...state, isRecognizing: false }, event, rules))
    case 'partial-transcript':
      return partialHeard(state, event.text, rules)
    case 'expectation':
      return stay({ ...state, expected: event.expected, dictated: event.dictated ?? '' })
    case 'end-of-turn':
      if (event.recognition !== state.recognition) return stay(state)
      return endOfTurnPredicted(state, event.probability, event.atMs, rules)
    case 'voicemail-suspected':
      return voicemailSuspected(state, rules)
    case 'call-progress':
      return callProgress(state, event.isWaiting, rules)
    case 'line-ended':
      return hangUp(state, event.reason)
    case 'amd-result':
      return amdResult(state, event, rules)
    case 'beep':
      return beepHeard(state, rules)
    case 'digit':
      return state.hangupReason === null ? digitPressed(state, event.digit, rules) : stay(state)
    case 'timer':
      return timerFired(state, event.name, rules)
    case 'playout-started':
    case 'underrun':
    case 'turn-played':
    case 'turn-failed':
      return event.turn === state.turn ? playoutStep(state, event, rules) : stay(state)
    case 'tool-wait':
    case 'tools-running':
    case 'delayed-message':
    case 'filler-played':
    case 'late-tool-result':
    case 'hang-up-after-turn':
    case 'transferred':
      return toolStep(state, event, rules)
    case 'operator-say':
      return operatorSay(state, event, rules)
    case 'transfer-started':
      return state.hangupReason === null ? startTransfer(state) : stay(state)
    case 'transfer-failed':
      return stay(state)
    case 'caller-left':
      return ended(state)
  }
}

type PlayoutEvent = TurnEvent & { type: 'playout-started' | 'underrun' | 'turn-played' | 'turn-failed' }

/** Events of the turn that has the floor. A paused turn reports its failure when it resumes. */
function playoutStep(state: TurnState, event: PlayoutEvent, rules: TurnRules): TurnStep {
  const { mode } = state
  if (mode.name !== 'thinking' && mode.name !== 'speaking') return stay(state)
  switch (event.type) {
    case 'playout-started':
      return mode.name === 'thinking' ? playoutStarted(state, mode, rules) : stay(state)
    case 'underrun': {
      if (mode.name !== 'speaking') return stay(state)
      if (state.isCallerSpeaking && state.hangupReason === null && !mode.isUrgent) return pauseTurn(state, mode, rules)
      const { isDucked, ...turn } = mode
      return stay({ ...state, mode: { ...turn, name: 'thinking', fillers: 0 } }, ...awaitPlayout(mode, rules))
    }
    case 'turn-played':
      return turnPlayed(state, mode, rules)
    case 'turn-failed':
      return turnFailed(state, 'apology', event.stage === 'model' ? 'llm_error' : 'tts_error', rules)
  }
}

function playoutStarted(state: TurnState, turn: TurnMode & { name: 'thinking' }, rules: TurnRules): TurnStep {
  const falseStarts = turn.isUrgent ? turn.falseStarts : 0
  const mode: TurnMode = { ...turn, name: 'speaking', isDucked: false, hasPlayed: true, falseStarts }
  const next: TurnState = { ...state, mode }
  const interrupt = state.isCallerSpeaking ? armInterrupt(next, 0, rules) : []
  const takeBack = state.answered ? [arm('take-back', rules.takeBackMs)] : []
  return stay(next, ...disarm('filler', 'reply'), ...interrupt, ...takeBack)
}

function begin(
  state: TurnState,
  { speaks, afterMs }: { speaks: boolean; afterMs: number },
  rules: TurnRules,
): TurnStep {
  if (!speaks) return waitForCaller(state, rules)
  const next = { ...state, opens: true, owesOpening: true }
  const deadline = rules.openingDeadlineMs > 0 ? [arm('opening-deadline', afterMs + rules.openingDeadlineMs)] : []
  if (afterMs > 0) return stay(next, ...deadline, arm('opening', afterMs))
  // A caller who is already speaking may finish, until the deadline.
  return isFloorFree(state) ? after(deadline, takeTurn(next, rules)) : stay(next, ...deadline)
}

/** The first digit silences the agent; digits in quick succession form one number, ended by #. */
function digitPressed(state: TurnState, digit: string, rules: TurnRules): TurnStep {
  const quiet = withoutEarlyReply(state)
  const turn = turnIn(state)
  const isUninterruptible = turn?.isUrgent || (turn?.name === 'speaking' && !rules.interruptible)
  const free = isUninterruptible ? quiet : after(quiet.commands, dropTurn(quiet.state))
  const digits = digit === '#' && state.digits !== '' ? state.digits : state.digits + digit
  const next: TurnState = { ...free.state, digits, reminders: 0, silence: 'off' }
  const first = [...free.commands, ...disarm('idle', 'silence')]
  if (digit === '#' || digits.length >= MAX_DIGITS) return after(first, digitsEntered(next, rules))
  return stay(next, ...first, arm('digits', rules.digitGapMs))
}

function digitsEntered(state: TurnState, rules: TurnRules): TurnStep {
  const heard = settled({ ...state, transcript: joined(state.transcript, state.digits) })
  const next: TurnState = { ...heard.state, committed: heard.state.transcript, digits: '' }
  const first = [...heard.commands, ...disarm('digits')]
  if (turnIn(next) || isCallerActive(next)) return stay(next, ...first)
  return after(first, takeTurn(next, rules))
}

function timerFired(state: TurnState, name: TimerName, rules: TurnRules): TurnStep {
  const { mode } = state
  const isListening = mode.name === 'listening' && !isCallerActive(state)
  switch (name) {
    case 'opening':
      return state.owesOpening && isFloorFree(state) ? takeTurn(state, rules) : stay(state)
    case 'opening-deadline':
      return openByNow(state, rules)
    case 'endpointing':
      return isListening && (state.transcript !== '' || state.owesOpening) ? takeTurn(state, rules) : stay(state)
    case 'interrupt':
      return mode.name === 'speaking' && state.isCallerSpeaking && mayInterrupt(state, rules)
        ? pauseTurn(state, mode, rules)
        : stay(state)
    case 'resume':
      return mode.name === 'paused' && !state.isCallerSpeaking ? resumeTurn(state, mode, rules) : stay(state)
    case 'take-back':
      return state.answered && !isCallerActive(state) ? settled(state) : stay(state)
    case 'early-recognition':
      return state.isCallerSpeaking
        ? recognize({ ...state, earlyRecognition: { transcript: null } }, rules)
        : stay(state)
    case 'overlap':
      if (mode.name !== 'paused' || !state.isCallerSpeaking) return stay(state)
      return (
        knownOverAgent(state, mode, rules) ??
        after(
          [arm('overlap', rules.overlapProbeMs)],
          state.isRecognizing ? stay(state) : recognize({ ...state, earlyRecognition: null }, rules),
        )
      )
    case 'stable-partial':
      return partialIsStable(state, rules)
    case 'max-utterance':
      return turnGoesOn(state, rules)
    case 'recognition': {
      if (!state.isRecognizing) return stay(state)
      const lost = { text: '', atMs: state.speechChangedAtMs, hasFailed: true }
      return after([{ do: 'cancel-recognition' }], recognized({ ...state, isRecognizing: false }, lost, rules))
    }
    case 'backchannel':
      return stay({ ...state, backchannel: '' })
    case 'digits':
      return state.digits === '' ? stay(state) : digitsEntered(state, rules)
    case 'idle':
      if (!isFloorFree(state) || state.owesOpening) return stay(state)
      if (state.areToolsRunning && rules.fillerMs > 0) return sayStillWorking(state, rules)
      return say({ ...state, reminders: state.reminders + 1 }, 'reminder', state.reminders, rules)
    case 'silence':
      if (state.silence !== 'running') return stay(state)
      return isFloorFree(state) ? hangUp(state, 'silence_timeout') : stay({ ...state, silence: 'passed' })
    case 'filler':
      if (mode.name !== 'thinking') return stay(state)
      return mode.toolWaitMs !== null || mode.fillers < rules.maxFillers ? playFiller(state, mode, rules) : stay(state)
    case 'reply':
      return mode.name === 'thinking' ? turnFailed(state, 'apology', 'llm_error', rules) : stay(state)
    case 'max-duration':
      return maxDurationReached(state, rules)
    case 'voicemail-max':
      return released(state, rules)
    case 'voicemail-silence':
      return stay(state)
  }
}

const armMaxDuration = (rules: TurnRules) =>
  arm('max-duration', hasWarning(rules) ? rules.maxDurationMs - rules.warnBeforeMs : rules.maxDurationMs)

function maxDurationReached(state: TurnState, rules: TurnRules): TurnStep {
  if (state.warning !== 'none' || !hasWarning(rules)) return hangUp(state, 'max_duration')
  const next: TurnState = { ...state, warning: 'due' }
  const last = [arm('max-duration', rules.warnBeforeMs)]
  return isFloorFree(next) && !next.owesOpening ? after(last, warn(next, rules)) : stay(next, ...last)
}
