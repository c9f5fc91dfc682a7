// The floor: how the agent takes it, holds it, loses it and returns it. Pure, as turn-machine.ts, which decides when.
import type { EndReason } from '../base/end-reasons.ts'
import type { SessionEndReason } from './ports.ts'
import { endpointingPause, type TurnRules, turnModelPause } from './turn-rules.ts'
import {
  type AgentTurn,
  type AgentTurnMode,
  listening,
  type Phrase,
  type TimerName,
  type TurnCommand,
  type TurnKind,
  type TurnMode,
  type TurnState,
  type TurnStep,
  timerNames,
} from './turn-state.ts'

export const stay = (state: TurnState, ...commands: TurnCommand[]): TurnStep => ({ state, commands })

export const after = (commands: readonly TurnCommand[], step: TurnStep): TurnStep => ({
  state: step.state,
  commands: [...commands, ...step.commands],
})

export const arm = (timer: TimerName, ms: number): TurnCommand => ({
  do: 'arm',
  timer,
  ms: Math.max(0, Math.round(ms)),
})
export const disarm = (...timers: TimerName[]): TurnCommand[] => timers.map((timer) => ({ do: 'disarm', timer }))
const stop = ({ turn }: TurnState, isFinal: boolean): TurnCommand => ({ do: 'stop', turn, isFinal })
export const joined = (before: string, text: string) => `${before} ${text}`.trim()

/** The agent's turn, also while it is paused; null when there is none. */
export function turnIn({ mode }: TurnState): AgentTurnMode | null {
  return mode.name === 'thinking' || mode.name === 'speaking' || mode.name === 'paused' ? mode : null
}

export const hasFloor = ({ mode }: TurnState) => mode.name === 'thinking' || mode.name === 'speaking'

/** The caller is speaking, being transcribed or pressing keys. */
export const isCallerActive = ({ isCallerSpeaking, isRecognising, digits }: TurnState) =>
  isCallerSpeaking || isRecognising || digits !== ''

/** Nobody has the floor, and the caller has said nothing that awaits a reply. */
export const isFloorFree = (state: TurnState) =>
  state.mode.name === 'listening' && !isCallerActive(state) && state.transcript === ''

export const mayInterrupt = (state: TurnState, rules: TurnRules) =>
  rules.interruptible && state.hangupReason === null && !turnIn(state)?.isUrgent

/** A tool has its own time-out; this is for one that does not keep it. */
const TOOL_GRACE_MS = 5000

export const armReply = (toolWaitMs: number | null, rules: TurnRules) =>
  arm('reply', toolWaitMs === null ? rules.replyTimeoutMs : Math.max(rules.toolTimeoutMs, toolWaitMs + TOOL_GRACE_MS))

/** A filler takes this long to be heard. */
const FILLER_LEAD_MS = 500
const toolFillerMs = ({ fillerMs }: TurnRules) => Math.max(fillerMs - FILLER_LEAD_MS, FILLER_LEAD_MS)
/** Limits the silence while a tool runs. */
export const armToolFiller = (rules: TurnRules): TurnCommand[] =>
  rules.fillerMs > 0 ? [arm('filler', toolFillerMs(rules))] : []

/** Nothing of the turn is audible yet, or nothing more for now. */
export function awaitPlayout({ kind, toolWaitMs }: AgentTurn, rules: TurnRules): TurnCommand[] {
  const fills = (kind === 'reply' || kind === 'late-tool-result') && rules.fillerMs > 0
  const filler = toolWaitMs === null ? [arm('filler', rules.fillerMs)] : armToolFiller(rules)
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
  const next: TurnState = { ...state, mode: agentTurn, turn: state.turn + 1, backchannel: '', silence }
  const timers: TimerName[] = ['opening', 'endpointing', 'resume', 'idle', 'interrupt']
  if (silence === 'off') timers.push('silence')
  return stay(next, ...disarm(...timers, 'filler'), ...awaitPlayout(agentTurn, rules), command(next.turn))
}

export function say(state: TurnState, phrase: Phrase, times: number, rules: TurnRules): TurnStep {
  return speak(state, phrase === 'reminder' ? phrase : 'phrase', (turn) => ({ do: 'say', turn, phrase, times }), rules)
}

/** What the caller said is answered by the turn that begins. */
const answered = { transcript: '', transcriptFromMs: null, lastPauseMs: null, earlyReplies: 0 } as const

export function takeTurn(state: TurnState, rules: TurnRules): TurnStep {
  const { transcript: to, owesOpening } = state
  if (state.operatorTexts.length > 0 && !owesOpening) return sayForOperator(state, rules)
  const next: TurnState = { ...state, ...answered, owesOpening: false, reminders: 0 }
  return owesOpening
    ? speak(next, 'opening', (turn) => ({ do: 'open', turn, to }), rules)
    : speak({ ...next, hasLateToolResult: false }, 'reply', (turn) => ({ do: 'reply', turn, to }), rules)
}

export const tellLateResult = (state: TurnState, rules: TurnRules): TurnStep =>
  speak({ ...state, hasLateToolResult: false }, 'late-tool-result', (turn) => ({ do: 'tell-late-result', turn }), rules)

/** Says the operator's first text in place of a reply. If the caller still speaks, their words are answered after it. */
export function sayForOperator(state: TurnState, rules: TurnRules): TurnStep {
  const [text = '', ...operatorTexts] = state.operatorTexts
  const isUrgent = isCallerActive(state)
  const falseStarts = isUrgent ? rules.maxFalseStarts : 0
  const turn = { ...newTurn('operator'), operatorText: text, isUrgent, falseStarts }
  const next: TurnState = { ...state, ...(isUrgent ? {} : answered), operatorTexts, owesOpening: false, reminders: 0 }
  const to = isUrgent ? '' : state.transcript
  return speak(next, turn, (number) => ({ do: 'say-for-operator', turn: number, to, text }), rules)
}

/** Nobody speaks: it is the caller's turn, and they are reminded if they do not take it. */
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

/** Endpointing: the turn ends after the pause that the transcript, or the turn model, calls for. */
export function awaitEndOfTurn(state: TurnState, atMs: number, rules: TurnRules, atLeastMs = 0): TurnStep {
  const pauseMs = Math.max(atLeastMs, endpointingPause(state.transcript, rules, state.averagePauseMs))
  const leftMs = pauseMs - Math.max(0, atMs - state.speechChangedAtMs)
  // A caller who asks the agent to wait gets the time, whatever the model thinks.
  if (atLeastMs > 0) return stay(state, ...disarm('idle'), arm('endpointing', leftMs))
  const { recognition, transcriptFromMs: fromMs, transcript: text } = state
  if (rules.turnModelMs === 0 || fromMs === null) return after(disarm('idle'), awaitPause(state, leftMs, rules))
  const predict: TurnCommand = { do: 'predict-end-of-turn', recognition, fromMs, text }
  return after([...disarm('idle'), predict], awaitPause(state, Math.max(leftMs, rules.turnModelMs), rules))
}

/** Takes the turn after `waitMs`; preemptive generation may start now. */
function awaitPause(state: TurnState, waitMs: number, rules: TurnRules): TurnStep {
  if (!mayGenerateEarly(state, waitMs, rules)) return stay(state, arm('endpointing', waitMs))
  const mode: TurnMode = { name: 'listening', hasEarlyReply: true }
  const next: TurnState = { ...state, mode, earlyReplies: state.earlyReplies + 1 }
  return stay(next, arm('endpointing', waitMs), { do: 'generate-early', to: state.transcript })
}

const hasEarlyReply = ({ mode }: TurnState) => mode.name === 'listening' && mode.hasEarlyReply

function mayGenerateEarly(state: TurnState, waitMs: number, rules: TurnRules): boolean {
  const { transcriptFromMs, speechChangedAtMs } = state
  const spokeMs = transcriptFromMs === null ? 0 : speechChangedAtMs - transcriptFromMs
  const isWorthIt = state.earlyReplies < rules.maxEarlyReplies && spokeMs <= rules.earlyReplyMaxSpeechMs && waitMs > 0
  // A tool's result would change the prompt; an operator's text replaces the reply.
  const isPromptFinal =
    !isCallerActive(state) &&
    !state.owesOpening &&
    !state.areToolsRunning &&
    !state.hasLateToolResult &&
    state.operatorTexts.length === 0
  return rules.speculate && isWorthIt && isPromptFinal && !hasEarlyReply(state)
}

/** The caller goes on: the early reply is of no use. */
export function withoutEarlyReply(state: TurnState): TurnStep {
  return hasEarlyReply(state) ? stay({ ...state, mode: listening }, { do: 'cancel-early' }) : stay(state)
}

/** The turn model has answered in time: its pause replaces the one derived from the transcript. */
export function endOfTurnPredicted(state: TurnState, probability: number, atMs: number, rules: TurnRules): TurnStep {
  if (state.mode.name !== 'listening' || isCallerActive(state) || state.transcript === '') return stay(state)
  const pauseMs = turnModelPause(state.transcript, probability, rules)
  return stay(state, arm('endpointing', pauseMs - Math.max(0, atMs - state.speechChangedAtMs)))
}

export function turnPlayed(state: TurnState, { kind, hasPlayed }: AgentTurn, rules: TurnRules): TurnStep {
  if (state.hangupReason !== null) return hangUp(state, state.hangupReason)
  if (kind === 'reply' && !hasPlayed) return turnFailed(state, 'apology', 'llm_error', rules)
  const failures = kind === 'reply' ? 0 : state.failures
  // What was said over the agent without interrupting it is answered now; so is a "yes" in its last second.
  const transcript = state.transcript || state.backchannel
  const next: TurnState = { ...state, mode: listening, failures, transcript, backchannel: '' }
  if (transcript === '') return waitForCaller(next, rules)
  const quiet = disarm('filler', 'reply', 'backchannel')
  return isCallerActive(next) ? stay(next, ...quiet) : after(quiet, awaitPause(next, rules.minPauseMs, rules))
}

/** Ends the agent's turn: the caller has the floor. An opening or operator's text of which nothing was played is still owed. */
export function dropTurn(state: TurnState): TurnStep {
  const turn = turnIn(state)
  if (!turn) return stay(state)
  const { kind, hasPlayed, operatorText } = turn
  const owesOpening = state.owesOpening || (kind === 'opening' && !hasPlayed)
  const operatorTexts = kind === 'operator' && !hasPlayed ? [operatorText, ...state.operatorTexts] : state.operatorTexts
  const next: TurnState = { ...state, mode: listening, owesOpening, operatorTexts }
  return stay(next, stop(state, true), ...disarm('filler', 'reply', 'resume', 'interrupt'))
}

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
  const timers = disarm('filler', 'reply', 'interrupt')
  return stay(next, ...timers, stop(state, false), arm('max-utterance', rules.resumeAfterMs))
}

export function resumeTurn(state: TurnState, turn: AgentTurn, rules: TurnRules): TurnStep {
  const next: TurnState = { ...state, mode: { ...agentTurnOf(turn), name: 'thinking' } }
  return stay(next, ...disarm('resume', 'max-utterance'), ...awaitPlayout(turn, rules), {
    do: 'resume',
    turn: state.turn,
  })
}

export const hasWarning = ({ maxDurationMs, warnBeforeMs }: TurnRules) =>
  warnBeforeMs > 0 && maxDurationMs > 2 * warnBeforeMs

export const warn = (state: TurnState, rules: TurnRules) => say({ ...state, warning: 'given' }, 'warning', 0, rules)

/** Says the phrase without speaking over the caller, unless the agent is about to hang up. */
export function sayUnlessCallerSpeaks(state: TurnState, phrase: Phrase, times: number, rules: TurnRules): TurnStep {
  const said = say(state, phrase, times, rules)
  const turn = turnIn(said.state)
  const isPaused = state.isCallerSpeaking && state.hangupReason === null
  return isPaused && turn ? after(said.commands, pauseTurn(said.state, turn, rules)) : said
}

/** An apology each time, and a goodbye after the last: never silence. */
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
