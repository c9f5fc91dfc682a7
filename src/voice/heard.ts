// How much of a sentence was heard: by the voice's own timings where it has them, else by the part of its sound. Always whole words.

export type Piece = {
  readonly text: string
  /** Sound of it that was made so far. */
  madeMs: number
  isMade: boolean
  heardMs: number
  isHeard: boolean
  /** Where in the sound the word that begins at this letter begins. */
  readonly words: { fromMs: number; letter: number }[]
  /** Not part of what is to be said: it is not said again. */
  readonly isAside: boolean
}

/** Of speech that was not wholly made when it was stopped: a person says some fifteen letters a second. */
const MS_PER_LETTER = 66

export const newPiece = (text: string, isAside = false): Piece => ({
  text,
  madeMs: 0,
  isMade: false,
  heardMs: 0,
  isHeard: false,
  words: [],
  isAside,
})

/** The voice told which words begin here; those that are not found in the text are of no use. */
export function noteWords(piece: Piece, words: string): void {
  const last = piece.words.at(-1)
  const letter = piece.text.indexOf(words.trim(), last ? last.letter + 1 : 0)
  if (words.trim() !== '' && letter !== -1) piece.words.push({ fromMs: piece.madeMs, letter })
}

export function splitAt(piece: Piece, heardMs = piece.heardMs): { heard: string; rest: string } {
  const { text } = piece
  const cut = piece.isHeard ? text.length : letterAt(piece, heardMs)
  return { heard: text.slice(0, cut).trimEnd(), rest: text.slice(cut).trimStart() }
}

function letterAt({ text, words, madeMs, isMade }: Piece, heardMs: number): number {
  if (heardMs <= 0) return 0
  if (isMade && heardMs >= madeMs) return text.length
  // The word that sounded last was not heard to its end.
  const sounding = words.findLast(({ fromMs }) => fromMs < heardMs)
  if (sounding) return sounding.letter
  const wholeMs = isMade ? madeMs : Math.max(madeMs, text.length * MS_PER_LETTER)
  const letters = (heardMs / wholeMs) * text.length
  return letters >= text.length ? text.length : Math.max(0, text.lastIndexOf(' ', letters))
}

/** What is left to say: the rest of the sentence that was cut, from the word at which it was, and those after it. */
export function unheard(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap((piece) => {
    if (piece.isHeard) return [piece]
    const { heard, rest } = splitAt(piece)
    const before = heard ? [{ ...newPiece(heard), isHeard: true }] : []
    return [...before, ...(rest && !piece.isAside ? [newPiece(rest)] : [])]
  })
}

export const heardOf = (pieces: readonly Piece[]): string =>
  pieces
    .map((piece) => splitAt(piece).heard)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
