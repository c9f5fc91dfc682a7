// The turn machine: who has the floor, and all of barge-in. Pure: events in, the next state and commands out; no clock, promise or audio.

import { asksToWait, isBackchannel, isStopWord, saysOneOf, wordsIn } from './backchannel.ts'
import { updateAveragePause } from './endpointing.ts'
import {
  after,
  arm,
  awaitEndOfTurn,
  awaitPlayout,
  disarm,
  dropTurn,
  ended,
  endOfTurnPredicted,
  hangUp,
  hasFloor,
  hasWarning,
  isCallerActive,
  isFloorFree,
  joined,
  mayInterrupt,
  pauseTurn,
  resumeTurn,
  say,
  speak,
  stay,
  takeTurn,
  turnFailed,
  turnIn,
  turnPlayed,
  waitForCaller,
  warn,
  withoutEarlyReply,
} from './turn-floor.ts'
import { operatorSay } from './turn-operator.ts'
import type { TurnRules } from './turn-rules.ts'
import type { TimerName, TurnCommand, TurnEvent, TurnMode, TurnState, TurnStep } from './turn-state.ts'
import { playFiller, sayStillWorking, startTransfer, toolStep, whileTransferring } from './turn-tools.ts'
import { amdResult, beepHeard, holdTimer, notVoicemail, voicemailSuspected, whileGreeting } from './turn-voicemail.ts'

const MAX_DIGITS = 32

export function step(state: TurnState, event: TurnEvent, rules: TurnRules): TurnStep {
  if (state.mode.name === 'ended') return stay(state)
  if (state.mode.name === 'transferring') return whileTransferring(state, event, rules)
  const held = holdTimer(state, event)
  if (held) return held
  const isGreeting = state.mode.name === 'voicemail-greeting' && event.type !== 'speech-candidate'
  return withDucking(state, isGreeting ? whileGreeting(state, event, rules) : decide(state, event, rules), rules)
}

/** Possible speech over the agent ducks it until it is known what that was. */
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
      return event.on ? speechStarted(state, event, rules) : speechEnded(state, event.atMs, rules)
    case 'speech-candidate':
      return stay({ ...state, isSpeechCandidate: event.on })
    case 'speech-pause':
      // Speech shorter than the threshold is known to have ended only after it.
      if (event.on) return stay(state, ...disarm('interrupt'))
      return stay(state, ...(state.isCallerSpeaking ? armInterrupt(state, event.voicedMs, rules) : []))
    case 'transcript':
      if (!state.isRecognising || event.recognition !== state.recognition) return stay(state)
      return after(
        disarm('recognition'),
        withoutEmptyTurn(recognised({ ...state, isRecognising: false }, event, rules)),
      )
    case 'end-of-turn':
      if (event.recognition !== state.recognition) return stay(state)
      return endOfTurnPredicted(state, event.probability, event.atMs, rules)
    case 'voicemail-suspected':
      return voicemailSuspected(state, rules)
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

/** Events of the turn that has the floor; a paused turn that fails does so again when it resumes. */
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
  return stay(next, ...disarm('filler', 'reply'), ...interrupt)
}

function begin(
  state: TurnState,
  { speaks, afterMs }: { speaks: boolean; afterMs: number },
  rules: TurnRules,
): TurnStep {
  if (!speaks) return waitForCaller(state, rules)
  const next = { ...state, owesOpening: true }
  if (afterMs > 0) return stay(next, arm('opening', afterMs))
  // A caller who is already speaking is allowed to finish.
  return isFloorFree(state) ? takeTurn(next, rules) : stay(next)
}

/** Fires when the rest of the interruption threshold has been spoken. */
const armInterrupt = (state: TurnState, voicedMs: number, rules: TurnRules): TurnCommand[] =>
  state.mode.name === 'speaking' && mayInterrupt(state, rules)
    ? [arm('interrupt', rules.interruptAfterMs - voicedMs)]
    : []

/** Speech without words does not start a turn of the caller. */
const withoutEmptyTurn = ({ state, commands }: TurnStep): TurnStep =>
  state.transcript === '' && state.backchannel === '' && !state.isCallerSpeaking
    ? { state: { ...state, transcriptFromMs: null }, commands }
    : { state, commands }

/** The speech continues a turn in which something was said, or may have been. */
const continuesTurn = ({ transcript, backchannel, isRecognising, isCallerSpeaking }: TurnState) =>
  transcript !== '' || backchannel !== '' || isRecognising || isCallerSpeaking

/** The pause before this speech, if it continues the caller's turn; shorter ones than the minimum say nothing about endpointing. */
function pauseBefore(state: TurnState, atMs: number, rules: TurnRules): number | null {
  const { mode } = state
  const isAwaited = mode.name === 'listening' && (state.transcript !== '' || state.isRecognising)
  const isTurnTakenTooSoon = mode.name === 'thinking' && mode.kind === 'reply' && !mode.hasPlayed
  const pauseMs = Math.min(atMs - state.speechChangedAtMs, rules.maxPauseMs)
  const isPause = !state.isCallerSpeaking && pauseMs >= rules.minPauseMs
  return isPause && (isAwaited || isTurnTakenTooSoon) ? pauseMs : null
}

type SpeechStart = { atMs: number; voicedMs: number }

function speechStarted(state: TurnState, { atMs, voicedMs }: SpeechStart, rules: TurnRules): TurnStep {
  const free = withoutEarlyReply(state)
  const next: TurnState = {
    ...free.state,
    isCallerSpeaking: true,
    isSpeechCandidate: false,
    speechChangedAtMs: atMs,
    transcriptFromMs: continuesTurn(state) ? (state.transcriptFromMs ?? atMs) : atMs,
    lastPauseMs: pauseBefore(state, atMs, rules),
    isRecognising: false,
    probes: 0,
  }
  const { mode } = next
  const quiet: TurnCommand[] = [
    ...free.commands,
    ...disarm('endpointing', 'idle', 'resume', 'recognition'),
    ...(state.isRecognising ? [{ do: 'cancel-recognition' as const }] : []),
    arm('max-utterance', mode.name === 'paused' ? rules.resumeAfterMs : rules.maxUtteranceMs),
  ]
  if (state.hangupReason !== null) return stay(next, ...quiet)
  // Nothing of the turn is audible yet: any speech pauses it.
  if (mode.name === 'thinking' && mode.falseStarts < rules.maxFalseStarts)
    return after(quiet, pauseTurn(next, { ...mode, falseStarts: mode.falseStarts + 1 }, rules))
  return stay(next, ...quiet, ...armInterrupt(next, voicedMs, rules))
}

function speechEnded(state: TurnState, atMs: number, rules: TurnRules): TurnStep {
  const free = withoutEarlyReply(state)
  const next = { ...free.state, isCallerSpeaking: false, speechChangedAtMs: atMs, probes: 0 }
  const resume = state.mode.name === 'paused' ? [arm('resume', rules.resumeAfterMs)] : []
  const first = [...free.commands, ...disarm('interrupt', 'max-utterance', 'endpointing'), ...resume]
  return after(first, recognise(next, false, rules))
}

function recognise(state: TurnState, isProbe: boolean, rules: TurnRules): TurnStep {
  const recognition = state.recognition + 1
  const first: TurnCommand[] = state.isRecognising ? [{ do: 'cancel-recognition' }] : []
  const next = { ...state, recognition, isRecognising: true }
  return stay(next, ...first, arm('recognition', rules.recognitionTimeoutMs), { do: 'recognise', recognition, isProbe })
}

type Recognised = { text: string; atMs: number; hasFailed?: boolean }

function recognised(state: TurnState, { text, atMs, hasFailed = false }: Recognised, rules: TurnRules): TurnStep {
  const said = text.trim()
  const goesOn = state.isCallerSpeaking && state.probes < rules.maxProbes
  if (hasFailed && goesOn) return stay(state, arm('max-utterance', rules.maxUtteranceMs))
  // Speech without words is noise.
  if (said === '') return nothingSaid({ ...state, isCallerSpeaking: false }, atMs, hasFailed, rules)
  if (goesOn) {
    const known = state.mode.name === 'paused' && !isBackchannel(said) ? dropTurn(state) : stay(state)
    return after(known.commands, stay(known.state, arm('max-utterance', rules.maxUtteranceMs)))
  }
  return understood({ ...state, isCallerSpeaking: false }, said, atMs, rules)
}

/** The caller used an end phrase: the agent says goodbye and hangs up. */
function farewell(state: TurnState, to: string, rules: TurnRules): TurnStep {
  const quiet = withoutEarlyReply(state)
  const free = dropTurn(quiet.state)
  const next: TurnState = {
    ...free.state,
    transcript: '',
    transcriptFromMs: null,
    owesOpening: false,
    hangupReason: 'end_phrase',
  }
  const said = speak(next, 'phrase', (turn) => ({ do: 'say', turn, phrase: 'farewell', times: 0, to }), rules)
  return after([...quiet.commands, ...free.commands], said)
}

function understood(state: TurnState, said: string, atMs: number, rules: TurnRules): TurnStep {
  if (state.hangupReason !== null) return stay(state)
  const transcript = joined(state.transcript, said)
  if (saysOneOf(said, rules.endPhrases)) return farewell(state, transcript, rules)
  const turn = turnIn(state)
  if (turn && isBackchannel(said)) {
    const next = { ...state, backchannel: turn.hasPlayed ? joined(state.backchannel, said) : '' }
    const goesOn = turn.name === 'paused' ? resumeTurn(next, turn, rules) : stay(next)
    return after([arm('backchannel', rules.backchannelMs)], goesOn)
  }
  const isShort = wordsIn(said).length < rules.interruptAfterWords && !isStopWord(said)
  // Words interrupt an audible agent, a cough does not; what was said is kept either way.
  if ((turn?.name === 'speaking' || turn?.isUrgent) && (!mayInterrupt(state, rules) || isShort))
    return stay({ ...state, transcript })
  const free = dropTurn(state)
  const { lastPauseMs, averagePauseMs } = state
  const next: TurnState = {
    ...free.state,
    transcript,
    lastPauseMs: null,
    averagePauseMs: lastPauseMs === null ? averagePauseMs : updateAveragePause(averagePauseMs, lastPauseMs),
    backchannel: '',
    reminders: 0,
    silence: 'off',
  }
  const first = [...free.commands, ...disarm('silence')]
  return after(first, awaitEndOfTurn(next, atMs, rules, turn && asksToWait(said) ? rules.maxPauseMs : 0))
}

function nothingSaid(state: TurnState, atMs: number, hasFailed: boolean, rules: TurnRules): TurnStep {
  const quiet = disarm('interrupt', 'max-utterance')
  if (state.mode.name === 'paused') return after(quiet, resumeTurn(state, state.mode, rules))
  if (hasFloor(state)) return stay(state, ...quiet)
  if (state.transcript !== '') return after(quiet, awaitEndOfTurn(state, atMs, rules))
  if (state.owesOpening) return stay(state, ...quiet, arm('endpointing', rules.minPauseMs))
  if (hasFailed) return after(quiet, turnFailed(state, 'not-heard', 'stt_error', rules))
  return after(quiet, waitForCaller(state, rules))
}

/** The first digit silences the agent; digits in quick succession are one number, and # ends it. */
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
  const next: TurnState = { ...state, transcript: joined(state.transcript, state.digits), digits: '' }
  if (turnIn(next) || isCallerActive(next)) return stay(next, ...disarm('digits'))
  return after(disarm('digits'), takeTurn(next, rules))
}

function timerFired(state: TurnState, name: TimerName, rules: TurnRules): TurnStep {
  const { mode } = state
  const isListening = mode.name === 'listening' && !isCallerActive(state)
  switch (name) {
    case 'opening':
      return state.owesOpening && isFloorFree(state) ? takeTurn(state, rules) : stay(state)
    case 'endpointing':
      return isListening && (state.transcript !== '' || state.owesOpening) ? takeTurn(state, rules) : stay(state)
    case 'interrupt':
      return mode.name === 'speaking' && state.isCallerSpeaking && mayInterrupt(state, rules)
        ? pauseTurn(state, mode, rules)
        : stay(state)
    case 'resume':
      return mode.name === 'paused' && !state.isCallerSpeaking ? resumeTurn(state, mode, rules) : stay(state)
    case 'max-utterance':
      if (!state.isCallerSpeaking) return stay(state)
      return recognise({ ...state, probes: state.probes + 1 }, state.probes + 1 < rules.maxProbes, rules)
    case 'recognition': {
      if (!state.isRecognising) return stay(state)
      const lost = { text: '', atMs: state.speechChangedAtMs, hasFailed: true }
      return after([{ do: 'cancel-recognition' }], recognised({ ...state, isRecognising: false }, lost, rules))
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
      return state.suspectedVoicemail ? notVoicemail(state, state.suspectedVoicemail.heldTimers) : stay(state)
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
