// Splits text for a synthesis engine: sentences, and clauses where a sentence is long or audio must start soon.
import { type Clause, clausesIn } from '../text/sentences.ts'

/** A longer run would delay concurrent streams, and the model takes at most 510 symbols. */
const MAX_CLAUSE_LETTERS = 180

const canBeSaid = ({ text }: Clause): boolean => /[\p{L}\p{N}]/u.test(text)

/** A short first clause, then sentences, with overlong ones split into clauses. */
export const clausesOf = (text: string): Clause[] =>
  clausesIn(text, { limit: MAX_CLAUSE_LETTERS }).filter(canBeSaid).map(goingOn)

/** A final comma keeps the intonation up, as when the speaker goes on. */
const goingOn = ({ text, endsSentence }: Clause): Clause => ({
  text: endsSentence || !/[\p{L}\p{N}]$/u.test(text) ? text : `${text},`,
  endsSentence,
})

/** Whole sentences, for an engine that is fast enough. */
export const wholeSentences = (text: string): string[] =>
  clausesIn(text, { firstLimit: Number.POSITIVE_INFINITY })
    .filter(canBeSaid)
    .map((clause) => clause.text)
