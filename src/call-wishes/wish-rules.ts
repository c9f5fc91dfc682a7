// The kinds of rules that each language has.
import { type WordClasses, type WordRule, wordRules } from '../base/text/word-rules.ts'

const kinds = [
  // "não me ligue mais", "apaga meus dados", "não autorizo"
  'optOut',
  // Only another time, channel or number is asked for, or somebody else calls.
  'notOptOut',
  // In a question, these ask about calls instead of forbidding them.
  'asks',
  'wrongPerson',
  'notWrongPerson',
  // The person has died, or the number has a new owner.
  'gone',
  // The right person is speaking.
  'isMe',
  // Another person, who fetches the right one or knows them.
  'handsOver',
  // Asks for a call at another time.
  'callback',
  // The person called is not there; somebody else speaks.
  'absent',
  // Cannot talk now.
  'busy',
  // About something else than a later call, an absence or the lack of time.
  'notRequest',
] as const
export type WishRuleKind = (typeof kinds)[number]
export type WishRules = Readonly<Record<WishRuleKind, readonly WordRule[]>>

export const wishRules = (classes: WordClasses, texts: Readonly<Record<WishRuleKind, string>>): WishRules =>
  Object.fromEntries(kinds.map((kind) => [kind, wordRules(classes, texts[kind])])) as WishRules
