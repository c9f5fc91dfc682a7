// Splits documents into passages of about 80 to 250 words at headings and paragraphs, never within a sentence or a row.
import { type Block, blocksOf } from './blocks.ts'

export type Passage = {
  /** The headings above it, outermost first: "Prices › Rooms". */
  heading: string
  content: string
}

const MIN_WORDS = 80 // a shorter passage is joined with the next one under the same heading
const TARGET_WORDS = 180
const MAX_WORDS = 250
const MAX_LETTERS = 4000 // a sentence without an end is split here anyway
const MAX_HEADING = 300

type Piece = {
  text: string
  words: number
  /** "Do you take cards?" belongs to what follows. */
  leadsOn: boolean
}

export function passagesOf(text: string, isPlain: boolean): Passage[] {
  const passages: Passage[] = []
  const path: { level: number; text: string }[] = []
  let pieces: Piece[] = []

  function flush(): void {
    const heading = path.map(({ text: words }) => words).join(' › ')
    for (const content of joined(pieces))
      passages.push({ heading: heading.slice(0, MAX_HEADING).toWellFormed(), content })
    pieces = []
  }

  for (const block of blocksOf(text, isPlain)) {
    if (block.kind === 'text') {
      pieces.push(...piecesOf(block))
      continue
    }
    flush()
    while (path.length > 0 && (path.at(-1)?.level ?? 0) >= block.level) path.pop()
    path.push({ level: block.level, text: block.text.slice(0, MAX_HEADING).toWellFormed() })
  }
  flush()
  // A final heading with nothing below it may be the only text.
  if (passages.length === 0 && path.length > 0)
    passages.push({ heading: '', content: path.map((h) => h.text).join('\n') })
  return passages
}

/** Fields of one record, such as a CSV row: one passage, unless it is very long. */
export function recordPassages(fields: readonly string[]): Passage[] {
  return joined(piecesOf({ kind: 'text', units: fields, join: '\n' })).map((content) => ({ heading: '', content }))
}

/** A block in parts of at most 250 words, each of whole units. */
function piecesOf({ units, join, lead }: Extract<Block, { kind: 'text' }>): Piece[] {
  const pieces: Piece[] = []
  let held: string[] = []
  let words = 0
  let letters = 0
  const flush = () => {
    if (held.length === 0) return
    const text = [...(lead ? [lead] : []), ...held].join(join)
    pieces.push({ text, words: words + (lead ? wordsIn(lead) : 0), leadsOn: /[?:]$/.test(text) })
    held = []
    words = 0
    letters = 0
  }
  const all = units.flatMap(bounded).map((unit) => ({ unit, count: wordsIn(unit) }))
  const isShort = all.reduce((sum, { count }) => sum + count, 0) <= MAX_WORDS
  for (const { unit, count } of all) {
    const isFull = isShort ? false : words + count > TARGET_WORDS
    if (isFull || letters + unit.length > MAX_LETTERS) flush()
    held.push(unit)
    words += count
    letters += unit.length
  }
  flush()
  return pieces
}

function joined(pieces: readonly Piece[]): string[] {
  const contents: string[] = []
  let held: Piece[] = []
  let words = 0
  let letters = 0
  const flush = () => {
    if (held.length > 0) contents.push(held.map(({ text }) => text).join('\n\n'))
    held = []
    words = 0
    letters = 0
  }
  for (const piece of pieces) {
    const sum = words + piece.words
    const belongs = words < MIN_WORDS || (held.at(-1)?.leadsOn ?? false)
    if (letters + piece.text.length > MAX_LETTERS || sum > MAX_WORDS || (sum > TARGET_WORDS && !belongs)) flush()
    held.push(piece)
    words += piece.words
    letters += piece.text.length
  }
  flush()
  return contents
}

/** Split between words if possible, within a word if necessary. */
function bounded(unit: string): string[] {
  if (unit.length <= MAX_LETTERS) return [unit]
  const parts: string[] = []
  let from = 0
  while (from < unit.length) {
    let to = Math.min(unit.length, from + MAX_LETTERS)
    const space = to < unit.length ? unit.slice(from, to + 1).lastIndexOf(' ') : -1
    if (space > MAX_LETTERS / 2) to = from + space
    // Not within a surrogate pair.
    else if (to < unit.length && /[\ud800-\udbff]/.test(unit.charAt(to - 1))) to--
    parts.push(unit.slice(from, to).trim())
    from = to
  }
  return parts.filter((part) => part !== '')
}

function wordsIn(text: string): number {
  let count = 0
  for (const _ of text.matchAll(/\S+/g)) count++
  return count
}
