// Detects that a call should be made at another time: the person called asks for it, has no time, or is not there. In
// Portuguese, English and Spanish, like the wishes of call-wishes.ts, which go before these.
import { clausesOf, matchesRule } from '../base/text/word-rules.ts'
import { requestRules } from './request-rules.ts'

export type CallerRequest = 'callback' | 'absent'

/** Only the end of a longer text counts. */
const MAX_LETTERS = 500

export function callerRequestIn(text: string): CallerRequest | null {
  const clauses = clausesOf(text, MAX_LETTERS)
  const said = (kind: 'callback' | 'absent' | 'busy') =>
    requestRules.some((rules) =>
      clauses.some((words) => !matchesRule(words, rules.not) && matchesRule(words, rules[kind])),
    )
  if (said('callback')) return 'callback'
  if (said('absent')) return 'absent'
  return said('busy') ? 'callback' : null
}
