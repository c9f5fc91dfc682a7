// How the agent takes, holds, loses and returns the floor; machine.ts decides when. Pure.
import type { EndReason } from '../../base/domain/end-reasons.ts'
import type { SessionEndReason } from '../ports.ts'
import { awaitPause, withoutEarlyReply } from './end-of-turn.ts'
import { settleRhythm } from './endpointing.ts'
import type { TurnRules } from './rules.ts'
import {
  type AgentTurn,
  type AgentTurnMode,
  listening,
  type Phrase,
  type TimerName,
  type TurnCommand,
  type TurnKind,
  type TurnState,
  type TurnStep,
  timerNames,
} from './state.ts'
import { after, arm, disarm, hasFloor, isCallerActive, isFloorFree, stay, turnIn } from './step.ts'

const stop = ({ turn }: TurnState, isFinal: boolean): TurnCommand => ({ do: 'stop', turn, isFinal })
/** Grace period for a tool that exceeds its own time-out. */
const TOOL_GRACE_MS = 5000

export const armReply = (toolWaitMs: number | null, rules: TurnRules) =>
  arm('reply', toolWaitMs === null ? rules.replyTimeoutMs : Math.max(rules.toolTimeoutMs, toolWaitMs + TOOL_GRACE_MS))

/** A filler takes this long to be heard. */
const FILLER_LEAD_MS = 500
/** Time left before a filler must start; the caller has already waited. */
const untilFiller = ({ fillerMs }: TurnRules, waitedMs: number) =>
  Math.max(fillerMs - FILLER_LEAD_MS - waitedMs, FILLER_LEAD_MS)
const toolFillerMs = (rules: TurnRules) => untilFiller(rules, 0)
/** Limits the silence while a tool runs. */
export const armToolFiller = (rules: TurnRules): TurnCommand[] =>
  rules.fillerMs > 0 ? [arm('filler', toolFillerMs(rules))] : []

/** Nothing of the turn is audible yet, or playout ran dry. In the middle of an answer only a tool calls for a filler. */
export function awaitPlayout(
  { kind, hasPlayed, toolWaitMs }: AgentTurn,
  rules: TurnRules,
  waitedMs = 0,
): TurnCommand[] {
  const isReply = kind === 'reply' || kind === 'late-tool-result'
  const fills = isReply && rules.fillerMs > 0 && (!hasPlayed || toolWaitMs !== null)
  const filler = toolWaitMs === null ? [arm('filler', untilFiller(rules, waitedMs))] : armToolFiller(rules)
  return [...(fills ? filler : []), armReply(toolWaitMs, rules)]
}

const newTurn = (kind: TurnKind): AgentTurnMode => ({
  name: 'thinking',
  kind,
  hasPlayed: false,
  toolWaitMs: null,
  falseStarts: 0,
  fillers: 0,
  isUrgent: false,
  operatorText: '',
})

/** The agent gets the floor. */
export function speak(
  state: TurnState,
  mode: TurnKind | AgentTurnMode,
  command: (turn: number) => TurnCommand,
  rules: TurnRules,
): TurnStep {
  const agentTurn = typeof mode === 'string' ? newTurn(mode) : mode
  const silence = agentTurn.kind === 'reminder' ? state.silence : 'off'
  const isTurnTimed = state.isTurnTimed && state.isCallerSpeaking
  const next: TurnState = { ...state, mode: agentTurn, turn: state.turn + 1, backchannel: '', silence, isTurnTimed }
  const timers: TimerName[] = ['opening', 'endpointing', 'resume', 'idle', 'interrupt', 'overlap']
  if (silence === 'off') timers.push('silence')
  if (!isTurnTimed) timers.push('max-utterance')
  const waiting = awaitPlayout(agentTurn, rules, state.waitedMs)
  return stay({ ...next, waitedMs: 0 }, ...disarm(...timers, 'filler'), ...waiting, command(next.turn))
}

export function say(state: TurnState, phrase: Phrase, times: number, rules: TurnRules): TurnStep {
  return speak(state, phrase === 'reminder' ? phrase : 'phrase', (turn) => ({ do: 'say', turn, phrase, times }), rules)
}

/** The new turn answers what the caller said. */
const newCallerTurn = { transcript: '', transcriptFromMs: null, lastPauseMs: null, earlyReplies: 0 } as const

/** The transcript is final: it is neither recognized again nor taken back. */
export function settled(state: TurnState): TurnStep {
  if (state.pendingFromMs === null && state.answered === null && state.committed === '') return stay(state)
  const pendingFromMs = state.isCallerSpeaking ? state.speechChangedAtMs : null
  const next: TurnState = {
    ...state,
    answered: null,
    pendingFromMs,
    committed: state.transcript,
    heardBefore: '',
    partial: '',
  }
  return stay(next, { do: 'release-audio' }, ...disarm('take-back'))
}

export function takeTurn(state: TurnState, rules: TurnRules, interjects = false): TurnStep {
  const { transcript: to, transcriptFromMs, owesOpening } = state
  if (state.operatorTexts.length > 0 && !owesOpening) return sayForOperator(state, rules)
  const rhythm = settleRhythm(state.rhythm)
  const next: TurnState = { ...state, ...newCallerTurn, rhythm, owesOpening: false, reminders: 0, probes: 0 }
  if (owesOpening) {
    const first = settled(next)
    return after(
      first.commands,
      speak(first.state, 'opening', (turn) => ({ do: 'open', turn, to }), rules),
    )
  }
  const answered = transcriptFromMs === null ? null : { text: to, fromMs: transcriptFromMs }
  // Digits are final.
  const first = answered ? stay(next) : settled(next)
  const reply = { ...first.state, answered, hasLateToolResult: false }
  // A caller who does not pause would otherwise interrupt it at once.
  const mode = interjects ? overSpeech('reply', rules) : 'reply'
  return after(
    first.commands,
    speak(reply, mode, (turn) => ({ do: 'reply', turn, to, interjects }), rules),
  )
}

const overSpeech = (kind: TurnKind, rules: TurnRules): AgentTurnMode => ({
  ...newTurn(kind),
  isUrgent: true,
  falseStarts: rules.maxFalseStarts,
})

/** The opening is overdue: it is said over the caller's speech, which does not interrupt it. */
export function openByNow(state: TurnState, rules: TurnRules): TurnStep {
  const { mode } = state
  const turn = overSpeech('opening', rules)
  if (mode.name === 'paused' && mode.kind === 'opening' && !mode.hasPlayed) return resumeTurn(state, turn, rules)
  if (!state.owesOpening || mode.name !== 'listening') return stay(state)
  const quiet = withoutEarlyReply({ ...state, owesOpening: false })
  return after(
    quiet.commands,
    speak(quiet.state, turn, (number) => ({ do: 'open', turn: number, to: '' }), rules),
  )
}

/** The caller had not finished: the reply is dropped, and their turn continues. */
export function takeBack(state: TurnState): TurnStep {
  const { answered } = state
  if (!answered) return dropTurn(state)
  const next: TurnState = { ...state, mode: listening, answered: null, transcriptFromMs: answered.fromMs }
  return stay(
    next,
    { do: 'take-back', turn: state.turn },
    ...disarm('filler', 'reply', 'resume', 'interrupt', 'overlap', 'take-back'),
  )
}

export const tellLateResult = (state: TurnState, rules: TurnRules): TurnStep =>
  speak({ ...state, hasLateToolResult: false }, 'late-tool-result', (turn) => ({ do: 'tell-late-result', turn }), rules)

/** Says the operator's first text instead of a reply. If the caller is speaking, their words are answered after it. */
export function sayForOperator(state: TurnState, rules: TurnRules): TurnStep {
  const [text = '', ...operatorTexts] = state.operatorTexts
  const isUrgent = isCallerActive(state)
  const falseStarts = isUrgent ? rules.maxFalseStarts : 0
  const turn = { ...newTurn('operator'), operatorText: text, isUrgent, falseStarts }
  const next: TurnState = {
    ...state,
    ...(isUrgent ? {} : newCallerTurn),
    operatorTexts,
    owesOpening: false,
    reminders: 0,
  }
  const to = isUrgent ? '' : state.transcript
  const first = isUrgent ? stay(next) : settled(next)
  const said = speak(first.state, turn, (number) => ({ do: 'say-for-operator', turn: number, to, text }), rules)
  return after(first.commands, said)
}

/** Nobody has the floor: the caller is reminded if they stay silent. */
export function waitForCaller(state: TurnState, rules: TurnRules): TurnStep {
  const next: TurnState = { ...state, mode: listening }
  const isFree = isFloorFree(next)
  const quiet = disarm('filler', 'reply', 'resume')
  if (isFree && state.operatorTexts.length > 0 && !state.owesOpening) return after(quiet, sayForOperator(next, rules))
  if (isFree && state.hasLateToolResult && !state.owesOpening) return after(quiet, tellLateResult(next, rules))
  if (isFree && state.silence === 'passed') return after(quiet, hangUp(next, 'silence_timeout'))
  if (isFree && state.warning === 'due') return after(quiet, warn(next, rules))
  const silence = state.silence === 'off' ? [arm('silence', rules.silenceHangupMs)] : []
  const reminds = rules.idleReminderMs > 0 && state.reminders < rules.maxReminders && !isCallerActive(state)
  // While a tool runs, the caller waits for the agent.
  const fills = state.areToolsRunning && rules.fillerMs > 0 && !isCallerActive(state)
  const idle = fills || reminds ? [arm('idle', fills ? toolFillerMs(rules) : rules.idleReminderMs)] : disarm('idle')
  return stay({ ...next, silence: state.silence === 'off' ? 'running' : state.silence }, ...quiet, ...silence, ...idle)
}

export function turnPlayed(state: TurnState, { kind, hasPlayed }: AgentTurn, rules: TurnRules): TurnStep {
  if (state.hangupReason !== null) return hangUp(state, state.hangupReason)
  if (kind === 'reply' && !hasPlayed) return turnFailed(state, 'apology', 'llm_error', rules)
  const failures = kind === 'reply' ? 0 : state.failures
  // Answer now what was said over the agent without interrupting it, or a "yes" in its last second.
  const transcript = state.transcript || state.backchannel
  const heard = settled({ ...state, transcript })
  const next: TurnState = { ...heard.state, mode: listening, failures, backchannel: '' }
  if (transcript === '') return after(heard.commands, waitForCaller(next.talksOn ? stillSpeaking(next) : next, rules))
  const quiet = [...heard.commands, ...disarm('filler', 'reply', 'backchannel')]
  return isCallerActive(next) ? stay(next, ...quiet) : after(quiet, awaitPause(next, rules.minPauseMs, rules))
}

/** A caller who talked on over the agent is heard from here on, and not reminded. */
const stillSpeaking = (state: TurnState): TurnState => ({
  ...state,
  isCallerSpeaking: true,
  talksOn: false,
  isTurnTimed: false,
  pendingFromMs: state.pendingFromMs ?? state.speechChangedAtMs,
  transcriptFromMs: state.transcriptFromMs ?? state.speechChangedAtMs,
})

/** Ends the agent's turn: the caller has the floor. An opening or operator's text that was not audible yet is said later. */
export function dropTurn(state: TurnState): TurnStep {
  const turn = turnIn(state)
  if (!turn) return stay(state)
  const { kind, hasPlayed, operatorText } = turn
  const owesOpening = state.owesOpening || (kind === 'opening' && !hasPlayed)
  const operatorTexts = kind === 'operator' && !hasPlayed ? [operatorText, ...state.operatorTexts] : state.operatorTexts
  const heard = state.answered ? settled(state) : stay(state)
  const next: TurnState = { ...heard.state, mode: listening, owesOpening, operatorTexts }
  const timers = disarm('filler', 'reply', 'resume', 'interrupt', 'overlap')
  return stay(next, ...heard.commands, stop(state, true), ...timers)
}

/** Discards the caller's turn so far: the agent is silent until something new happens. */
export const withoutTurn = {
  isTurnTimed: false,
  earlyRecognition: null,
  owesOpening: false,
  digits: '',
  backchannel: '',
  silence: 'off',
  answerPending: null,
} as const

const agentTurnOf = ({ kind, hasPlayed, toolWaitMs, falseStarts, fillers, isUrgent, operatorText }: AgentTurn) => ({
  kind,
  hasPlayed,
  toolWaitMs,
  falseStarts,
  fillers,
  isUrgent,
  operatorText,
})

/** A possible interruption: the turn resumes if no words come of it. */
export function pauseTurn(state: TurnState, turn: AgentTurn, rules: TurnRules): TurnStep {
  const next: TurnState = { ...state, mode: { ...agentTurnOf(turn), name: 'paused' } }
  const timers = disarm('filler', 'reply', 'interrupt', 'take-back')
  return stay(next, ...timers, stop(state, false), arm('overlap', rules.overlapProbeMs))
}

export function resumeTurn(state: TurnState, turn: AgentTurn, rules: TurnRules): TurnStep {
  const next: TurnState = { ...state, mode: { ...agentTurnOf(turn), name: 'thinking' } }
  return stay(next, ...disarm('resume', 'overlap'), ...awaitPlayout(turn, rules), {
    do: 'resume',
    turn: state.turn,
  })
}

export const hasWarning = ({ maxDurationMs, warnBeforeMs }: TurnRules) =>
  warnBeforeMs > 0 && maxDurationMs > 2 * warnBeforeMs

export const warn = (state: TurnState, rules: TurnRules) => say({ ...state, warning: 'given' }, 'warning', 0, rules)

/** Says the phrase, but not over the caller unless the agent is about to hang up. */
export function sayUnlessCallerSpeaks(state: TurnState, phrase: Phrase, times: number, rules: TurnRules): TurnStep {
  const said = say(state, phrase, times, rules)
  const turn = turnIn(said.state)
  const isPaused = state.isCallerSpeaking && state.hangupReason === null
  return isPaused && turn ? after(said.commands, pauseTurn(said.state, turn, rules)) : said
}

/** Apologizes after each failure and says goodbye after the last one: never silence. */
export function turnFailed(state: TurnState, phrase: Phrase, reason: EndReason, rules: TurnRules): TurnStep {
  const failures = state.failures + 1
  if (state.hangupReason !== null || failures > rules.maxFailures) return hangUp(state, state.hangupReason ?? reason)
  const hangupReason = failures === rules.maxFailures ? reason : null
  const first = hasFloor(state) ? [stop(state, true)] : []
  const next = { ...state, failures, hangupReason }
  return after(first, sayUnlessCallerSpeaks(next, hangupReason ? 'goodbye' : phrase, failures - 1, rules))
}

export const hangUp = (state: TurnState, reason: SessionEndReason): TurnStep => {
  const end = ended(state)
  return { state: end.state, commands: [...end.commands, { do: 'hang-up', reason }] }
}

export const ended = (state: TurnState): TurnStep =>
  stay({ ...state, mode: { name: 'ended' } }, ...(state.turn > 0 ? [stop(state, true)] : []), ...disarm(...timerNames))
