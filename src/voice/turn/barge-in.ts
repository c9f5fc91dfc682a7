// Barge-in: the caller starts, pauses and stops speaking, alone, over the agent, or after it took its turn too soon. Pure, as machine.ts.

import { withoutEarlyReply } from './end-of-turn.ts'
import { pauseTurn, resumeTurn, settled } from './floor.ts'
import { armStable } from './partials.ts'
import { recognize, recognized } from './recognition.ts'
import type { TurnRules } from './rules.ts'
import type { TurnCommand, TurnEvent, TurnState, TurnStep } from './state.ts'
import { after, arm, disarm, mayInterrupt, stay, turnIn } from './step.ts'

type SpeechEvent = TurnEvent & { type: 'speech' }

/** Fires when the speech reaches the interruption threshold. */
export const armInterrupt = (state: TurnState, voicedMs: number, rules: TurnRules): TurnCommand[] =>
  state.mode.name === 'speaking' && mayInterrupt(state, rules)
    ? [arm('interrupt', rules.interruptAfterMs - voicedMs)]
    : []

/** The speech continues a turn in which something was said, or may have been. */
const continuesTurn = ({ transcript, backchannel, isRecognizing, isCallerSpeaking, answered }: TurnState) =>
  transcript !== '' || backchannel !== '' || isRecognizing || isCallerSpeaking || answered !== null

/** The pause before this speech, if it continues the caller's turn; null below the minimum, which says nothing about endpointing. */
function pauseBefore(state: TurnState, atMs: number, rules: TurnRules): number | null {
  const { mode } = state
  const isAwaited = mode.name === 'listening' && (state.transcript !== '' || state.isRecognizing)
  const isTurnTakenTooSoon = state.answered !== null
  const pauseMs = Math.min(atMs - state.speechChangedAtMs, rules.maxPauseMs)
  const isPause = !state.isCallerSpeaking && pauseMs >= rules.minPauseMs
  return isPause && (isAwaited || isTurnTakenTooSoon) ? pauseMs : null
}

/** A long turn is recognized in pieces: the known part is not recognized again. */
const inPieces = (state: TurnState, atMs: number, rules: TurnRules): TurnStep =>
  state.pendingFromMs !== null &&
  atMs - state.pendingFromMs > rules.maxJoinedMs &&
  state.transcript !== '' &&
  !state.isRecognizing &&
  state.answered === null
    ? settled(state)
    : stay(state)

/** Speech over a reply that cannot be interrupted does not take it back. */
const settledIfHeld = (state: TurnState, rules: TurnRules): TurnStep =>
  state.answered && state.mode.name === 'speaking' && !mayInterrupt(state, rules) ? settled(state) : stay(state)

export function speechStarted(before: TurnState, event: SpeechEvent, rules: TurnRules): TurnStep {
  const { atMs, voicedMs, relativeDb = null } = event
  const held = settledIfHeld(before, rules)
  const known = inPieces(held.state, atMs, rules)
  const free = withoutEarlyReply(known.state)
  const state = free.state
  const next: TurnState = {
    ...state,
    isCallerSpeaking: true,
    talksOn: false,
    isSpeechCandidate: false,
    speechChangedAtMs: atMs,
    voicedMs,
    relativeDb,
    pendingFromMs: state.pendingFromMs ?? atMs,
    transcriptFromMs: continuesTurn(state) ? (state.transcriptFromMs ?? state.answered?.fromMs ?? atMs) : atMs,
    lastPauseMs: pauseBefore(state, atMs, rules),
    isRecognitionPartial: state.isRecognizing,
    earlyRecognition: null,
    isInPause: false,
    partial: '',
    probes: continuesTurn(state) ? state.probes : 0,
  }
  const quiet: TurnCommand[] = [
    ...held.commands,
    ...known.commands,
    ...free.commands,
    ...disarm('endpointing', 'idle', 'resume', 'early-recognition', 'stable-partial'),
    ...(rules.hasLiveRecognition ? [{ do: 'stream-speech' as const, isUrgent: turnIn(state) !== null }] : []),
  ]
  return after(quiet, overAgent(next, voicedMs, rules))
}

/** A higher interruption threshold means that short speech must not pause the agent. */
const MAX_EAGER_MS = 900

const soundsLikeInterruption = ({ evidence }: TurnState) => evidence === 'long' || evidence === 'interruption'

const mayPauseAtOnce = (state: TurnState, rules: TurnRules) =>
  soundsLikeInterruption(state) && mayInterrupt(state, rules) && rules.interruptAfterMs <= MAX_EAGER_MS

/** The effect of speech on the agent's turn. */
function overAgent(state: TurnState, voicedMs: number, rules: TurnRules): TurnStep {
  const { mode } = state
  if (state.hangupReason !== null) return stay(state)
  // Nothing of the turn is audible yet: any speech pauses it.
  if (mode.name === 'thinking' && mode.falseStarts < rules.maxFalseStarts)
    return pauseTurn(state, { ...mode, falseStarts: mode.falseStarts + 1 }, rules)
  // The reply has only just begun: the caller is probably continuing.
  if (mode.name === 'speaking' && state.answered && mayInterrupt(state, rules)) return pauseTurn(state, mode, rules)
  if (mode.name === 'paused') return stay(state, arm('overlap', rules.overlapProbeMs))
  if (mode.name === 'speaking' && mayPauseAtOnce(state, rules)) return pauseTurn(state, mode, rules)
  return stay(state, ...armInterrupt(state, voicedMs, rules))
}

/** Possible speech only ducks the agent; once it sounds like an interruption it pauses it, which is taken back if it was none. */
export function speechCandidate(
  state: TurnState,
  { on, evidence = 'none' }: TurnEvent & { type: 'speech-candidate' },
  rules: TurnRules,
): TurnStep {
  const { mode } = state
  const next: TurnState = { ...state, isSpeechCandidate: on, evidence }
  if (on && mode.name === 'speaking' && mayPauseAtOnce(next, rules)) {
    const paused = pauseTurn(next, mode, rules)
    return stay(
      paused.state,
      ...paused.commands,
      ...(state.isCallerSpeaking ? [] : [arm('resume', rules.resumeAfterMs)]),
    )
  }
  // It was short after all: its words may still stop the agent.
  if (evidence === 'over' && state.evidence === 'long' && mode.name === 'paused') return resumeTurn(next, mode, rules)
  if (!on && mode.name === 'paused' && !state.isCallerSpeaking && !state.isRecognizing)
    return resumeTurn(next, mode, rules)
  return stay(next)
}

/** What is too long for a backchannel is waited for until it is recognized. */
const LONG_MS = 600
const resumeAfter = (voicedMs: number, rules: TurnRules) =>
  voicedMs < LONG_MS ? rules.resumeAfterMs : rules.resumeAfterLongMs

/** Within speech; it may become its end. */
export function speechPaused(state: TurnState, voicedMs: number, rules: TurnRules): TurnStep {
  // Speech shorter than the threshold is known to have ended only after it.
  const next: TurnState = { ...state, voicedMs }
  if (!state.isCallerSpeaking) return stay(next, ...disarm('interrupt'))
  const pausing: TurnState = { ...next, isInPause: true }
  const early = rules.earlyRecognitionMs > 0 ? [arm('early-recognition', rules.earlyRecognitionMs)] : []
  const resume = state.mode.name === 'paused' ? [arm('resume', resumeAfter(voicedMs, rules))] : []
  return stay(pausing, ...disarm('interrupt'), ...early, ...armStable(pausing, rules), ...resume)
}

/** The caller continues after a short pause within speech. */
export function speechContinues(state: TurnState, voicedMs: number, rules: TurnRules): TurnStep {
  if (!state.isCallerSpeaking) return stay(state)
  const free = withoutEarlyReply(state)
  const isRecognitionPartial = state.isRecognizing && (state.isRecognitionPartial || state.earlyRecognition !== null)
  const next: TurnState = { ...free.state, voicedMs, earlyRecognition: null, isInPause: false, isRecognitionPartial }
  return after(
    [...free.commands, ...disarm('early-recognition', 'stable-partial', 'resume')],
    overAgent(next, voicedMs, rules),
  )
}

export function speechEnded(state: TurnState, event: SpeechEvent, rules: TurnRules): TurnStep {
  const { atMs, voicedMs, nowMs = atMs, prosody = null, relativeDb = null } = event
  const early = state.earlyRecognition
  const next: TurnState = {
    ...state,
    isCallerSpeaking: false,
    talksOn: false,
    speechChangedAtMs: atMs,
    voicedMs,
    prosody,
    relativeDb: relativeDb ?? state.relativeDb,
    earlyRecognition: null,
    isInPause: false,
  }
  const resume = state.mode.name === 'paused' ? [arm('resume', resumeAfter(voicedMs, rules) - (nowMs - atMs))] : []
  const first = [...disarm('interrupt', 'overlap', 'endpointing', 'early-recognition', 'stable-partial'), ...resume]
  // The pause was recognized when it began.
  if (early?.transcript) return after(first, recognized(next, { ...early.transcript, atMs: nowMs }, rules))
  if (early) return stay({ ...next, isRecognitionPartial: false }, ...first)
  // The reply to a partial transcript is kept until the final one is there.
  const free = state.partial === '' ? withoutEarlyReply(next) : stay(next)
  return after([...free.commands, ...first], recognize(free.state, rules))
}

/** The caller's turn does not end: it is transcribed so far, and after some time the agent interjects. */
export function turnGoesOn(state: TurnState, rules: TurnRules): TurnStep {
  const isUnderWay = state.isCallerSpeaking || state.isRecognizing || state.transcript !== ''
  if (state.mode.name !== 'listening' || !isUnderWay) return stay({ ...state, isTurnTimed: false })
  const next: TurnState = { ...state, probes: state.probes + 1, earlyRecognition: null }
  const timer = arm('max-utterance', rules.maxUtteranceMs)
  const isKnown = state.partial !== '' && next.probes < rules.maxProbes
  const mayRecognize = state.isCallerSpeaking && !state.isRecognizing && !isKnown
  return mayRecognize ? after([timer], recognize(next, rules)) : stay(next, timer)
}
