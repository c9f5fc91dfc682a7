// What an operator who watches a call does to its conversation: words for the agent's mouth, and silence while the call is given
// to somebody else. Pure, as turns.ts.
import { after, cut, dropped, isFree, say, stay, takeRelay, unguessed } from './turn-floor.ts'
import type { TurnRules } from './turn-rules.ts'
import type { Step, TurnEvent, TurnState } from './turn-state.ts'

const MAX_RELAYS = 10

/** Urgent words take the floor from whoever has it; others wait until it is free. Nothing changes where they cannot be said any more. */
export function relay(state: TurnState, { text, isUrgent }: TurnEvent & { type: 'relay' }, rules: TurnRules): Step {
  if (state.leaving !== null || state.relays.length >= MAX_RELAYS) return stay(state)
  const quiet = unguessed(state)
  if (isUrgent) {
    const free = dropped(quiet.state)
    const first = { ...free.state, relays: [text, ...free.state.relays] }
    return after([...quiet.commands, ...free.commands], takeRelay(first, rules))
  }
  const next = { ...quiet.state, relays: [...quiet.state.relays, text] }
  return after(quiet.commands, isFree(next) && !next.owesOpening ? takeRelay(next, rules) : stay(next))
}

/** Nobody took the call: the caller, who has waited for somebody, is told so. Not over his voice, unless it is the last word. */
export function back(state: TurnState, rules: TurnRules): Step {
  const said = say({ ...state, isAway: false, breaths: 0, mailbox: 'none' }, 'not-transferred', 0, rules)
  return state.isVoiced && state.leaving === null ? after(said.commands, cut(said.state, rules)) : said
}
