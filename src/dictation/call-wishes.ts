// Whether a person who was called does not want to be called again, or is not the one who was meant. Pure rules over their words in
// Portuguese, English and Spanish, so that the wish does not depend on a language model.
import { foldText } from '../base/text.ts'
import { wishPatterns } from './call-wish-patterns.ts'

export type CallWish = 'opt_out' | 'wrong_person'

/** The end of what was said counts if it is longer. */
const MAX_LETTERS = 600
const MAX_NAMES = 10

export function callWishIn(text: string, names: readonly string[] = []): CallWish | null {
  const said = sentencesOf(text)
  if (said.some(isOptOut)) return 'opt_out'
  if (wishPatterns.some(({ handsOver }) => said.some(({ clauses }) => handsOver.test(` ${clauses.join(' ')} `))))
    return null
  const words = new Set(names.slice(0, MAX_NAMES).flatMap(namesIn))
  return said.some((sentence) => isWrongPerson(sentence, words)) ? 'wrong_person' : null
}

type Sentence = {
  isQuestion: boolean
  /** Split at a "no" with a comma only: "não, me ligue amanhã" is no prohibition. */
  statements: readonly string[]
  /** Split at every comma. */
  clauses: readonly string[]
}

function sentencesOf(text: string): Sentence[] {
  const plain = foldText(text.slice(-MAX_LETTERS)).replace(/['’´`]/g, '')
  const found: Sentence[] = []
  for (const [, words = '', end = ''] of plain.matchAll(/([^.!?;:…\n]+)([.!?;:…\n]|$)/g)) {
    const clauses = words.split(',').map(spaced)
    const statements: string[] = []
    for (const clause of clauses) {
      const before = statements.at(-1)
      if (before === undefined || / (?:nao|no) $/.test(before)) statements.push(clause)
      else statements[statements.length - 1] = `${before}${clause.slice(1)}`
    }
    found.push({ isQuestion: end === '?', statements, clauses })
  }
  return found
}

/** Words between single spaces, with one at each end. */
const spaced = (text: string): string => ` ${(text.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `

const isOptOut = ({ statements, isQuestion }: Sentence): boolean =>
  statements.some((statement) =>
    wishPatterns.some(
      ({ optOut, notOptOut, asks }) =>
        !notOptOut.test(statement) &&
        !(isQuestion && asks.test(statement)) &&
        optOut.some((pattern) => pattern.test(statement)),
    ),
  )

function isWrongPerson({ clauses, isQuestion }: Sentence, names: ReadonlySet<string>): boolean {
  if (isQuestion) return false
  return clauses.some((clause) =>
    wishPatterns.some(
      ({ wrongPerson, notWrongPerson, deniesName }) =>
        !notWrongPerson.test(clause) &&
        (wrongPerson.some((pattern) => pattern.test(clause)) || names.has(deniesName.exec(clause)?.[1] ?? '')),
    ),
  )
}

/** Given names and family names; shorter words stand between them. */
const namesIn = (name: string): string[] =>
  (foldText(name.slice(0, 200)).match(/\p{L}+/gu) ?? []).filter((word) => word.length > 2)
