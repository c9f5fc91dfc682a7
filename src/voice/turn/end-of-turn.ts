// The end of the caller's turn: the pause that ends it, and early replies before that is certain. Pure, as machine.ts.
import { isSameText } from '../same-text.ts'
import { endpointingPause, turnModelPause } from './endpointing.ts'
import type { TurnRules } from './rules.ts'
import { listening, type TurnCommand, type TurnMode, type TurnState, type TurnStep } from './state.ts'
import { after, arm, disarm, isCallerActive, stay } from './step.ts'

/** Endpointing: the turn ends after the pause that the transcript, or the turn model, calls for. */
export function awaitEndOfTurn(state: TurnState, atMs: number, rules: TurnRules, atLeastMs = 0): TurnStep {
  const pauseMs = Math.max(atLeastMs, pauseFor(state, rules))
  const quietMs = Math.max(0, atMs - state.speechChangedAtMs)
  const leftMs = pauseMs - quietMs
  // Slow recognition also counts as waiting.
  const next: TurnState = { ...state, waitedMs: Math.max(pauseMs, quietMs) }
  // A caller who asks for time gets it, whatever the turn model predicts.
  if (atLeastMs > 0) return stay(next, ...disarm('idle'), arm('endpointing', leftMs))
  const { recognition, transcriptFromMs: fromMs, transcript: text } = state
  if (rules.turnModelMs === 0 || fromMs === null) return after(disarm('idle'), awaitPause(next, leftMs, rules))
  const predict: TurnCommand = { do: 'predict-end-of-turn', recognition, fromMs, text }
  return after([...disarm('idle'), predict], awaitPause(next, Math.max(leftMs, rules.turnModelMs), rules))
}

/** The pause that ends the turn as known so far. */
export const pauseFor = ({ transcript, expected, dictated, prosody, rhythm }: TurnState, rules: TurnRules): number =>
  endpointingPause({ transcript, expected, dictated, prosody, rhythm, language: rules.language }, rules)

/** Takes the turn after `waitMs`; preemptive generation may start now. */
export function awaitPause(state: TurnState, waitMs: number, rules: TurnRules): TurnStep {
  return after([arm('endpointing', waitMs)], waitMs > 0 ? generateEarly(state, rules) : stay(state))
}

/** Preemptive generation, if it is worth it. */
export function generateEarly(state: TurnState, rules: TurnRules, to = state.transcript): TurnStep {
  if (!mayGenerateEarly(state, rules)) return stay(state)
  const mode: TurnMode = { name: 'listening', hasEarlyReply: true }
  const next: TurnState = { ...state, mode, earlyReplies: state.earlyReplies + 1, earlyReplyTo: to }
  return stay(next, { do: 'generate-early', to })
}

const hasEarlyReply = ({ mode }: TurnState) => mode.name === 'listening' && mode.hasEarlyReply

function mayGenerateEarly(state: TurnState, rules: TurnRules): boolean {
  const { transcriptFromMs, speechChangedAtMs } = state
  const spokeMs = transcriptFromMs === null ? 0 : speechChangedAtMs - transcriptFromMs
  const isWorthIt = state.earlyReplies < rules.maxEarlyReplies && spokeMs <= rules.earlyReplyMaxSpeechMs
  // A tool's result would change the prompt; an operator's text replaces the reply.
  const isPromptFinal =
    state.mode.name === 'listening' &&
    !state.isRecognizing &&
    state.digits === '' &&
    !state.owesOpening &&
    !state.areToolsRunning &&
    !state.hasLateToolResult &&
    state.operatorTexts.length === 0
  return rules.speculate && isWorthIt && isPromptFinal && !hasEarlyReply(state)
}

/** The caller continues: discards the early reply. */
export function withoutEarlyReply(state: TurnState): TurnStep {
  return hasEarlyReply(state) ? stay({ ...state, mode: listening }, { do: 'cancel-early' }) : stay(state)
}

/** Discards an early reply to something other than `said`. */
export const withoutOtherReply = (state: TurnState, said: string): TurnStep =>
  isSameText(state.earlyReplyTo, said) ? stay(state) : withoutEarlyReply(state)

/** The turn model has answered in time: its pause replaces the one derived from the transcript. */
export function endOfTurnPredicted(state: TurnState, probability: number, atMs: number, rules: TurnRules): TurnStep {
  if (state.mode.name !== 'listening' || isCallerActive(state) || state.transcript === '') return stay(state)
  const pauseMs = turnModelPause(state.transcript, probability, rules)
  return stay(state, arm('endpointing', pauseMs - Math.max(0, atMs - state.speechChangedAtMs)))
}
