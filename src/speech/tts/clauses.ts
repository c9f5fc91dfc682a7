// Text cut where a speaker would breathe: sentences, and clauses where a sentence is long or sound must start soon.

export type Clause = { readonly text: string; readonly endsSentence: boolean }

/** A sentence this short starts soon enough whole. */
const SHORT = 40
/** Below this a clause alone sounds clipped, unless there is no better place. */
const FIRST_LEAST = 10
const FIRST_MOST = 60
/** More than this in one run delays the streams beside it, and the model takes 510 symbols at most. */
const LONGEST = 180

/** Where a sentence may be parted though no mark stands there: in front of these words. */
const joints =
  /\s(?=(?:e|ou|mas|que|porque|para|com|quando|se|and|or|but|that|because|for|with|when|if|y|o|pero|porque|con|cuando|si)\s)/giu

export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?…]["”')\]]*)\s+|\n+/u)
    .map((sentence) => sentence.trim())
    .filter(canBeSaid)
}

/** The first clause is short; the rest are sentences, or clauses of those too long. */
export function clausesOf(text: string): Clause[] {
  return sentencesOf(text).flatMap((sentence, i) => {
    const [first, rest] = i === 0 ? firstClause(sentence) : [sentence, '']
    const pieces = [...shortened(first), ...shortened(rest)].filter(canBeSaid)
    return pieces.map((piece, at) => ({ text: piece, endsSentence: at === pieces.length - 1 }))
  })
}

const canBeSaid = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

function firstClause(sentence: string): [string, string] {
  if (sentence.length <= SHORT) return [sentence, '']
  const marks = placesOf(sentence, /(?<=[,;:—])\s+/gu).filter((at) => at <= FIRST_MOST)
  const place = marks.find((at) => at >= FIRST_LEAST) ?? marks.at(-1)
  if (place !== undefined) return [sentence.slice(0, place).trim(), sentence.slice(place).trim()]
  const joint = placesOf(sentence, joints).findLast((at) => at >= FIRST_LEAST * 2 && at <= FIRST_MOST)
  if (sentence.length <= FIRST_MOST * 1.5 || joint === undefined) return [sentence, '']
  // With a comma the voice stays up, as it does when one goes on.
  return [`${sentence.slice(0, joint)},`, sentence.slice(joint).trim()]
}

/** Pieces of at most LONGEST characters: at marks, else at joints, else between words. */
function shortened(text: string): string[] {
  if (text.length <= LONGEST) return text === '' ? [] : [text]
  const places = [/(?<=[,;:—])\s+/gu, joints, /\s+/gu].map((pattern) =>
    placesOf(text, pattern).findLast((at) => at <= LONGEST && at >= LONGEST / 3),
  )
  const at = places.find((place) => place !== undefined) ?? LONGEST
  return [text.slice(0, at).trim(), ...shortened(text.slice(at).trim())]
}

const placesOf = (text: string, pattern: RegExp): number[] => [...text.matchAll(pattern)].map((match) => match.index)
