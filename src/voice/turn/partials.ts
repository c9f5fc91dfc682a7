// Partial transcripts while the caller speaks: words over the agent interrupt it, and a pause is worth an early reply. Pure, as machine.ts.
import { isBackchannelSoFar, overlapKind, wordsIn } from './backchannel.ts'
import { generateEarly, pauseFor, withoutOtherReply } from './end-of-turn.ts'
import { pauseTurn } from './floor.ts'
import {
  addedText,
  callerGoesOn,
  EARLY_REPLY_PAUSE_MS,
  interrupts,
  isFaintAtStart,
  isIgnored,
  wholeText,
} from './recognition.ts'
import type { TurnRules } from './rules.ts'
import type { AgentTurnMode, TurnCommand, TurnState, TurnStep } from './state.ts'
import { after, arm, mayInterrupt, stay, turnIn } from './step.ts'

export function partialHeard(state: TurnState, text: string, rules: TurnRules): TurnStep {
  const partial = text.trim()
  if (!state.isCallerSpeaking || partial === '' || partial === state.partial) return stay(state)
  const next: TurnState = { ...state, partial }
  const turn = turnIn(next)
  if (turn) return partialOverAgent(next, turn, rules)
  const free = withoutOtherReply(next, wholeText(next, partial))
  return stay(free.state, ...free.commands, ...armStable(free.state, rules))
}

/** The caller pauses, and there is a partial transcript. */
export const armStable = ({ partial, isInPause, mode }: TurnState, rules: TurnRules): TurnCommand[] =>
  isInPause && partial !== '' && mode.name === 'listening' ? [arm('stable-partial', rules.stablePartialMs)] : []

/** The pause lasts and the partial transcript has not changed: the caller may have finished. */
export function partialIsStable(state: TurnState, rules: TurnRules): TurnStep {
  const { isCallerSpeaking, isInPause, partial, mode } = state
  if (!isCallerSpeaking || !isInPause || partial === '' || mode.name !== 'listening') return stay(state)
  const transcript = wholeText(state, partial)
  return pauseFor({ ...state, transcript }, rules) <= EARLY_REPLY_PAUSE_MS
    ? generateEarly(state, rules, transcript)
    : stay(state)
}

/** Enough partial words end the agent's turn; words that may become a backchannel do not. */
function partialOverAgent(state: TurnState, turn: AgentTurnMode, rules: TurnRules): TurnStep {
  if (!mayInterrupt(state, rules)) return stay(state)
  const added = addedText(state, state.partial)
  const kind = overlapKind(added)
  if (kind === 'backchannel' || isFaintAtStart(state, added)) return stay(state)
  // Whether the agent waits or ends its turn is decided when the words are final.
  if (kind === 'wait') return turn.name === 'speaking' ? pauseTurn(state, turn, rules) : stay(state)
  if (kind === 'stop') return callerGoesOn(state, state.partial)
  const isEnough = wordsIn(added).length >= rules.interruptAfterWords || added.includes('?')
  return isEnough && !isBackchannelSoFar(added) ? callerGoesOn(state, state.partial) : stay(state)
}

/** Speech over a paused agent lasts: its partial transcript may suffice to interrupt. Null if it does not. */
export function knownOverAgent(state: TurnState, turn: AgentTurnMode, rules: TurnRules): TurnStep | null {
  if (state.partial === '') return null
  const added = addedText(state, state.partial)
  const isWords = !isIgnored(state, added) && interrupts(state, turn, added, rules)
  return isWords ? after([], callerGoesOn(state, state.partial)) : null
}

/** What the caller has said so far, for live captions: with the partial transcript where it adds words. */
export function spokenSoFar(state: TurnState): string {
  if (state.partial === '' || turnIn(state)) return state.transcript
  const spoken = wholeText(state, state.partial)
  return wordsIn(spoken).length >= wordsIn(state.transcript).length ? spoken : state.transcript
}
