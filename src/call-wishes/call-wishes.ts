// Detects that the person called opts out of calls, is the wrong person, is absent, or wants to be called at another time.
// Fixed rules over their words in Portuguese, English and Spanish, so that this does not depend on a language model.
import { foldText } from '../base/text/text.ts'
import { matchesRule, plainSpeech, wordsOf } from '../base/text/word-rules.ts'
import { english } from './english.ts'
import { portuguese } from './portuguese.ts'
import { spanish } from './spanish.ts'
import type { WishRuleKind } from './wish-rules.ts'

export type CallWish = 'opt_out' | 'wrong_person'
/** `callback`: they ask for it, or have no time now. */
export type CallRequest = 'callback' | 'absent'

const languages = [portuguese, english, spanish]
/** Only the end of a longer text counts. */
const MAX_LETTERS = 600
const MAX_NAMES = 10

export function callWishIn(text: string, names: readonly string[] = []): CallWish | null {
  const said = sentencesIn(text)
  if (said.some(isOptOut)) return 'opt_out'
  const person = new Set(names.slice(0, MAX_NAMES).flatMap(namesIn))
  if (said.some(({ clauses }) => clauses.some((clause) => is(clause, 'isMe')))) return null
  if (said.some((sentence) => statesOf(sentence, 'gone', { person }))) return 'wrong_person'
  if (said.some(({ clauses }) => is(clauses.flat(), 'handsOver'))) return null
  return said.some((sentence) => statesOf(sentence, 'wrongPerson', { but: 'notWrongPerson', person }))
    ? 'wrong_person'
    : null
}

/** What `callWishIn` finds goes before. */
export function callRequestIn(text: string): CallRequest | null {
  const clauses = sentencesIn(text).flatMap((sentence) => sentence.clauses)
  const says = (kind: WishRuleKind) => clauses.some((clause) => is(clause, kind, { but: 'notRequest' }))
  if (says('callback')) return 'callback'
  if (says('absent')) return 'absent'
  return says('busy') ? 'callback' : null
}

type Words = readonly string[]
type Sentence = {
  isQuestion: boolean
  /** Split only at a "no" with a comma: "não, me ligue amanhã" is not an opt-out. */
  statements: readonly Words[]
  /** Split at every comma. */
  clauses: readonly Words[]
}

/** "…, tá?" makes no question; "né" is left out as a hesitation. */
const tags = /^(?:ta(?: bom)?|ok|okay|viu|entendeu|certo|right|si|vale|all right)?$/

function sentencesIn(text: string): Sentence[] {
  const found: Sentence[] = []
  for (const [, words = '', end = ''] of plainSpeech(text.slice(-MAX_LETTERS)).matchAll(
    /([^.!?;:…\n]+)([.!?;:…\n]|$)/g,
  )) {
    const clauses = words.split(',').map(wordsOf)
    const statements: string[][] = []
    for (const clause of clauses) {
      const before = statements.at(-1)
      if (before === undefined || /^(?:nao|no)$/.test(before.at(-1) ?? '')) statements.push([...clause])
      else before.push(...clause)
    }
    const isTag = clauses.length > 1 && tags.test(clauses.at(-1)?.join(' ') ?? '')
    found.push({ isQuestion: end === '?' && !isTag, statements, clauses })
  }
  return found
}

type Limits = {
  /** Clauses of this kind do not count. */
  but?: WishRuleKind
  /** Names of the person called. */
  person?: ReadonlySet<string>
}

const is = (words: Words, kind: WishRuleKind, { but, person }: Limits = {}): boolean =>
  languages.some((rules) => matchesRule(words, rules[kind], person) && !(but && matchesRule(words, rules[but], person)))

const isOptOut = ({ statements, isQuestion }: Sentence): boolean =>
  statements.some((words) =>
    languages.some(
      ({ optOut, notOptOut, asks }) =>
        matchesRule(words, optOut) && !matchesRule(words, notOptOut) && !(isQuestion && matchesRule(words, asks)),
    ),
  )

const statesOf = ({ clauses, isQuestion }: Sentence, kind: WishRuleKind, limits: Limits): boolean =>
  !isQuestion && clauses.some((clause) => is(clause, kind, limits))

/** Given and family names, without the short words between them. */
const namesIn = (name: string): string[] =>
  (foldText(name.slice(0, 200)).match(/\p{L}+/gu) ?? []).filter((word) => word.length > 2)
