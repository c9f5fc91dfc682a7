// Detects that the person called opts out of calls or is the wrong person. Fixed rules over their words in Portuguese,
// English and Spanish, so that this does not depend on a language model.
import { foldText } from '../base/text/text.ts'
import { refusalPatterns } from './refusal-patterns.ts'
import { wishPatterns } from './wish-patterns.ts'

export type CallWish = 'opt_out' | 'wrong_person'

/** Only the end of a longer text counts. */
const MAX_LETTERS = 600
const MAX_NAMES = 10

export function callWishIn(text: string, names: readonly string[] = []): CallWish | null {
  const said = sentencesOf(text)
  if (said.some((sentence) => isOptOut(sentence) || isRefusal(sentence))) return 'opt_out'
  const words = new Set(names.slice(0, MAX_NAMES).flatMap(namesIn))
  if (said.some(({ clauses }) => isSpeaking(clauses))) return null
  if (said.some((sentence) => isGone(sentence, words))) return 'wrong_person'
  if (wishPatterns.some(({ handsOver }) => said.some(({ clauses }) => handsOver.test(` ${clauses.join(' ')} `))))
    return null
  return said.some((sentence) => isWrongPerson(sentence, words)) ? 'wrong_person' : null
}

type Sentence = {
  isQuestion: boolean
  /** Split only at a "no" with a comma: "não, me ligue amanhã" is not an opt-out. */
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

const hesitations = new Set('ah ahn ahm eh ehm er erm ha hm hmm hum mm mmm ne uh uhm uhh umm'.split(' '))

/** Words between single spaces, with one at each end, without hesitations and repeated words. */
function spaced(text: string): string {
  const words = (text.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !hesitations.has(word))
  return ` ${words.filter((word, i) => word !== words[i - 1]).join(' ')} `
}

const isOptOut = ({ statements, isQuestion }: Sentence): boolean =>
  statements.some((statement) =>
    wishPatterns.some(
      ({ optOut, notOptOut, asks }) =>
        !notOptOut.test(statement) &&
        !(isQuestion && asks.test(statement)) &&
        optOut.some((pattern) => pattern.test(statement)),
    ),
  )

const isRefusal = ({ statements, isQuestion }: Sentence): boolean =>
  statements.some((statement) =>
    refusalPatterns.some(
      ({ refusals, notRefusal }, i) =>
        !notRefusal.test(statement) &&
        !(isQuestion && wishPatterns[i]?.asks.test(statement)) &&
        refusals.some((pattern) => pattern.test(statement)),
    ),
  )

const isSpeaking = (clauses: readonly string[]): boolean =>
  clauses.some((clause) => refusalPatterns.some(({ isMe }) => isMe.test(clause)))

/** The person has died, or the number has a new owner. */
const isGone = ({ clauses, isQuestion }: Sentence, names: ReadonlySet<string>): boolean =>
  !isQuestion &&
  clauses.some((clause) =>
    refusalPatterns.some(
      ({ gone, goneName }) =>
        gone.some((pattern) => pattern.test(clause)) ||
        [...clause.matchAll(goneName)].some(([, ...found]) => found.some((name) => names.has(name ?? ''))),
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

/** Given and family names, without the short words between them. */
const namesIn = (name: string): string[] =>
  (foldText(name.slice(0, 200)).match(/\p{L}+/gu) ?? []).filter((word) => word.length > 2)
