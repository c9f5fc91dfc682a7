// How much of a sentence was heard, in whole words: by the TTS's word timings if it has them, else by the share of audio played.

export type PlayoutSegment = {
  readonly text: string
  /** Audio synthesized so far. */
  synthesizedMs: number
  isSynthesized: boolean
  playedMs: number
  isPlayed: boolean
  /** Word timings: the text from `letter` starts at `fromMs` in the audio. */
  readonly words: { fromMs: number; letter: number }[]
  /** The next word of the text without a timing. */
  nextWord: number
  /** The TTS is speaking an expansion, such as a number in words. */
  isExpanding: boolean
  /** Fillers are not repeated when the turn resumes. */
  readonly isFiller: boolean
  readonly msPerLetter: number
}

/** People say about fifteen letters a second. */
const DEFAULT_MS_PER_LETTER = 66
/** A timed word is matched within this many words: an equal word further on is another one. */
const LOOKAHEAD_WORDS = 3

/** How much a voice has said, and how long that took. */
export type SpeakingRate = { letters: number; ms: number }

/** The default rate weighs as much as this many measured letters. */
const DEFAULT_WEIGHT_LETTERS = 40
export const msPerLetterOf = ({ letters, ms }: SpeakingRate): number =>
  (ms + DEFAULT_WEIGHT_LETTERS * DEFAULT_MS_PER_LETTER) / (letters + DEFAULT_WEIGHT_LETTERS)

export const newSegment = (text: string, isFiller = false, msPerLetter = DEFAULT_MS_PER_LETTER): PlayoutSegment => ({
  text,
  synthesizedMs: 0,
  isSynthesized: false,
  playedMs: 0,
  isPlayed: false,
  words: [],
  nextWord: 0,
  isExpanding: false,
  isFiller,
  msPerLetter,
})

const wordsOf = (text: string) => [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({ word, letter: index }))
const bare = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** The TTS reports that these words start now. An expansion ("14h" in words) starts where its written form does. */
export function addWordTimings(segment: PlayoutSegment, words: string): void {
  const written = wordsOf(segment.text)
  let startLetter: number | undefined
  for (const spoken of words.split(/\s+/).map(bare)) {
    if (spoken === '') continue
    const next = written.slice(segment.nextWord, segment.nextWord + LOOKAHEAD_WORDS)
    const found = next.findIndex(({ word }) => bare(word) === spoken)
    if (found < 0 && segment.isExpanding) continue
    segment.isExpanding = found < 0
    startLetter ??= next[Math.max(0, found)]?.letter
    segment.nextWord = Math.min(written.length, segment.nextWord + Math.max(0, found) + 1)
  }
  if (startLetter !== undefined) segment.words.push({ fromMs: segment.synthesizedMs, letter: startLetter })
}

/** Prepares a segment whose synthesis broke off for a retry; returns the text from the word where it stopped. */
export function rewindToWord(segment: PlayoutSegment): string {
  const { rest } = splitHeard(segment, segment.synthesizedMs)
  const letter = segment.text.length - rest.length
  while ((segment.words.at(-1)?.letter ?? -1) >= letter) segment.words.pop()
  segment.nextWord = wordsOf(segment.text).filter((each) => each.letter < letter).length
  segment.isExpanding = false
  if (rest !== '') segment.words.push({ fromMs: segment.synthesizedMs, letter })
  return rest
}

export function splitHeard(segment: PlayoutSegment, playedMs = segment.playedMs): { heard: string; rest: string } {
  const { text } = segment
  const end = segment.isPlayed ? text.length : letterAt(segment, playedMs)
  return { heard: text.slice(0, end).trimEnd(), rest: text.slice(end).trimStart() }
}

/** Interpolates between known positions; a word that was not played completely does not count as heard. */
function letterAt(segment: PlayoutSegment, playedMs: number): number {
  const { text, words, synthesizedMs, isSynthesized, msPerLetter } = segment
  if (playedMs <= 0) return 0
  if (isSynthesized && playedMs >= synthesizedMs) return text.length
  const start = words.findLast(({ fromMs }) => fromMs < playedMs) ?? { fromMs: 0, letter: 0 }
  const next = words.find(({ fromMs, letter }) => fromMs >= playedMs && letter > start.letter)
  const restMs = (text.length - start.letter) * msPerLetter
  const lastMs = isSynthesized ? synthesizedMs : Math.max(synthesizedMs, start.fromMs + restMs)
  const end = next ?? { fromMs: lastMs, letter: text.length }
  const part = (playedMs - start.fromMs) / Math.max(1, end.fromMs - start.fromMs)
  const letter = start.letter + part * (end.letter - start.letter)
  return letter >= text.length ? text.length : Math.max(start.letter, text.lastIndexOf(' ', letter))
}

/** What to play when the turn resumes: the interrupted sentence from the word where it stopped, and those after it. */
export function remainingSegments(segments: readonly PlayoutSegment[]): PlayoutSegment[] {
  return segments.flatMap((segment) => {
    if (segment.isPlayed) return [segment]
    const { heard, rest } = splitHeard(segment)
    const before = heard ? [{ ...newSegment(heard), isPlayed: true }] : []
    return [...before, ...(rest && !segment.isFiller ? [newSegment(rest, false, segment.msPerLetter)] : [])]
  })
}

export const heardText = (segments: readonly PlayoutSegment[]): string =>
  segments
    .map((segment) => splitHeard(segment).heard)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
