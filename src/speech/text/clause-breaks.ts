// Where a sentence can be split: at punctuation, else before a conjunction, else between words.

/** A shorter first clause sounds cut off when alone ("Claro,"), unless there is no better break. */
const FIRST_LEAST = 10
const FIRST_MOST = 60
/** A sentence without pauses up to this length is spoken in one breath. */
const ONE_BREATH = 90

const pauses = /(?<=[,;:])\s+|(?<=\s[—–-])\s+|(?<=\p{L}—)\s+/gu
/** Not the Spanish "o": in Portuguese it is the article. */
const joints =
  /\s(?=(?:e|ou|mas|que|porque|para|com|quando|se|and|or|but|that|because|so|for|with|when|if|y|pero|con|cuando|si)\s)/giu
const spaces = /\s+/gu

const placesIn = (text: string, pattern: RegExp): number[] => [...text.matchAll(pattern)].map((match) => match.index)

/** Where the first clause of a sentence ends; -1 if it has none or, while text still arrives, not yet. */
export function firstClauseBreak(sentence: string, isWhole: boolean): number {
  const found = placesIn(sentence.slice(0, FIRST_MOST + 1), pauses)
  const place = found.find((at) => at >= FIRST_LEAST)
  if (place !== undefined) return place
  if (!isWhole && sentence.length <= FIRST_MOST) return -1
  const early = found.at(-1)
  if (early !== undefined) return early
  if (sentence.length <= ONE_BREATH) return -1
  const joint = placesIn(sentence.slice(0, FIRST_MOST + 10), joints).findLast((at) => at <= FIRST_MOST)
  return joint !== undefined && joint >= 2 * FIRST_LEAST ? joint : -1
}

/** The best break in a text longer than `limit`; never after it. */
export function clauseBreakWithin(text: string, limit: number): number {
  const head = text.slice(0, limit + 1)
  for (const pattern of [pauses, joints, spaces]) {
    const place = placesIn(head, pattern).findLast((at) => at <= limit)
    if (place !== undefined && place >= limit / 3) return place
  }
  return /[\ud800-\udbff]$/.test(text.slice(0, limit)) ? limit - 1 : limit // never between surrogate halves
}
