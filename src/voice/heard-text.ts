// How much of a sentence was heard: by the voice's own timings where it has them, else by the part of its sound. Always whole words.

export type PlayoutSegment = {
  readonly text: string
  /** Sound of it that was made so far. */
  madeMs: number
  isMade: boolean
  heardMs: number
  isHeard: boolean
  /** Where in the sound what begins at this letter begins. */
  readonly words: { fromMs: number; letter: number }[]
  /** The next word of the text that the voice has not told yet; and whether it says something that is not written so, such as a number. */
  nextWord: number
  isReadOut: boolean
  /** Not part of what is to be said: it is not said again. */
  readonly isAside: boolean
  /** How long this voice takes for a letter. */
  readonly letterMs: number
}

/** Of a voice that nobody has heard yet: a person says some fifteen letters a second. */
const USUAL_LETTER_MS = 66
/** A word that the voice tells is looked for among so many: what is further on is another that only looks the same. */
const NEAR_WORDS = 3

/** How much a voice has said, and how long that took. */
export type VoicePace = { letters: number; ms: number }

/** What was heard so far counts as much as so many letters of a usual voice. */
const USUAL_LETTERS = 40
export const letterMsOf = ({ letters, ms }: VoicePace): number =>
  (ms + USUAL_LETTERS * USUAL_LETTER_MS) / (letters + USUAL_LETTERS)

export const newPiece = (text: string, isAside = false, letterMs = USUAL_LETTER_MS): PlayoutSegment => ({
  text,
  madeMs: 0,
  isMade: false,
  heardMs: 0,
  isHeard: false,
  words: [],
  nextWord: 0,
  isReadOut: false,
  isAside,
  letterMs,
})

const wordsOf = (text: string) => [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({ word, letter: index }))
const bare = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** The voice told which words begin here. What it reads out otherwise than it is written ("14h") begins where that is written. */
export function noteWords(piece: PlayoutSegment, words: string): void {
  const written = wordsOf(piece.text)
  let begins: number | undefined
  for (const said of words.split(/\s+/).map(bare)) {
    if (said === '') continue
    const near = written.slice(piece.nextWord, piece.nextWord + NEAR_WORDS)
    const found = near.findIndex(({ word }) => bare(word) === said)
    if (found < 0 && piece.isReadOut) continue
    piece.isReadOut = found < 0
    begins ??= near[Math.max(0, found)]?.letter
    piece.nextWord = Math.min(written.length, piece.nextWord + Math.max(0, found) + 1)
  }
  if (begins !== undefined) piece.words.push({ fromMs: piece.madeMs, letter: begins })
}

/** What is still to be said of a piece whose voice broke off: from the word at which it was. */
export function sayAgain(piece: PlayoutSegment): string {
  const { rest } = splitAt(piece, piece.madeMs)
  const letter = piece.text.length - rest.length
  while ((piece.words.at(-1)?.letter ?? -1) >= letter) piece.words.pop()
  piece.nextWord = wordsOf(piece.text).filter((each) => each.letter < letter).length
  piece.isReadOut = false
  if (rest !== '') piece.words.push({ fromMs: piece.madeMs, letter })
  return rest
}

export function splitAt(piece: PlayoutSegment, heardMs = piece.heardMs): { heard: string; rest: string } {
  const { text } = piece
  const cut = piece.isHeard ? text.length : letterAt(piece, heardMs)
  return { heard: text.slice(0, cut).trimEnd(), rest: text.slice(cut).trimStart() }
}

/** Between two places that are known it is gone evenly; a word that was not heard to its end was not heard. */
function letterAt({ text, words, madeMs, isMade, letterMs }: PlayoutSegment, heardMs: number): number {
  if (heardMs <= 0) return 0
  if (isMade && heardMs >= madeMs) return text.length
  const start = words.findLast(({ fromMs }) => fromMs < heardMs) ?? { fromMs: 0, letter: 0 }
  const next = words.find(({ fromMs, letter }) => fromMs >= heardMs && letter > start.letter)
  const restMs = (text.length - start.letter) * letterMs
  const lastMs = isMade ? madeMs : Math.max(madeMs, start.fromMs + restMs)
  const end = next ?? { fromMs: lastMs, letter: text.length }
  const part = (heardMs - start.fromMs) / Math.max(1, end.fromMs - start.fromMs)
  const letter = start.letter + part * (end.letter - start.letter)
  return letter >= text.length ? text.length : Math.max(start.letter, text.lastIndexOf(' ', letter))
}

/** What is left to say: the rest of the sentence that was cut, from the word at which it was, and those after it. */
export function unheard(pieces: readonly PlayoutSegment[]): PlayoutSegment[] {
  return pieces.flatMap((piece) => {
    if (piece.isHeard) return [piece]
    const { heard, rest } = splitAt(piece)
    const before = heard ? [{ ...newPiece(heard), isHeard: true }] : []
    return [...before, ...(rest && !piece.isAside ? [newPiece(rest, false, piece.letterMs)] : [])]
  })
}

export const heardOf = (pieces: readonly PlayoutSegment[]): string =>
  pieces
    .map((piece) => splitAt(piece).heard)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
