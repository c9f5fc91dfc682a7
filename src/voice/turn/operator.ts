// Texts that an operator has the agent say. Pure, as machine.ts.
import { withoutEarlyReply } from './end-of-turn.ts'
import { dropTurn, sayForOperator } from './floor.ts'
import type { TurnRules } from './rules.ts'
import type { TurnEvent, TurnState, TurnStep } from './state.ts'
import { after, isFloorFree, stay } from './step.ts'

const MAX_TEXTS = 10

/** Urgent text takes the floor at once; other text waits until it is free. Ignored when the call is ending or too many texts wait. */
export function operatorSay(
  state: TurnState,
  { text, isUrgent }: TurnEvent & { type: 'operator-say' },
  rules: TurnRules,
): TurnStep {
  if (state.hangupReason !== null || state.operatorTexts.length >= MAX_TEXTS) return stay(state)
  const quiet = withoutEarlyReply(state)
  if (isUrgent) {
    const free = dropTurn(quiet.state)
    const first = { ...free.state, operatorTexts: [text, ...free.state.operatorTexts] }
    return after([...quiet.commands, ...free.commands], sayForOperator(first, rules))
  }
  const next = { ...quiet.state, operatorTexts: [...quiet.state.operatorTexts, text] }
  return after(quiet.commands, isFloorFree(next) && !next.owesOpening ? sayForOperator(next, rules) : stay(next))
}
