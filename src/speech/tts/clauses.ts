// Splits text for a synthesis engine: sentences, and clauses where a sentence is long or audio must start soon.
import { type Clause, clausesIn } from '../text/sentences.ts'

/** More than this in one run delays the streams beside it, and the model takes 510 symbols at most. */
const LONGEST = 180

const canBeSaid = ({ text }: Clause): boolean => /[\p{L}\p{N}]/u.test(text)

/** The first clause is short; the rest are sentences, or clauses of those too long. */
export const clausesOf = (text: string): Clause[] => clausesIn(text, { limit: LONGEST }).filter(canBeSaid).map(goingOn)

/** With a comma the voice stays up, as it does when one goes on. */
const goingOn = ({ text, endsSentence }: Clause): Clause => ({
  text: endsSentence || !/[\p{L}\p{N}]$/u.test(text) ? text : `${text},`,
  endsSentence,
})

/** Whole sentences, for an engine that is quick enough. */
export const wholeSentences = (text: string): string[] =>
  clausesIn(text, { firstLimit: Number.POSITIVE_INFINITY })
    .filter(canBeSaid)
    .map((clause) => clause.text)
