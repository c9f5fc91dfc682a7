// What is to be made next, for whom: the piece whose listener would first run out of sound. Pure: no clock, no thread.

import type { Chunk } from './chunks.ts'
import { RATE_HZ, SAMPLES_PER_STEP } from './graph.ts'
import { costMs } from './real-time-factor.ts'

/** A clause on its way. Fast: its front first, which tells its length, then its windows. Plain: all of it in one run. */
export type Piece = {
  /** How long it will be, as far as its text tells. */
  readonly guessMs: number
  isPlain: boolean
  /** `begun`: its front or its plain run is under way. */
  state: 'new' | 'begun' | 'windows'
  windows: readonly Chunk[]
  /** Windows given out so far. */
  given: number
  /** Windows that were made and left, in order. */
  taken: number
}
export type Stream<P extends Piece = Piece> = {
  readonly arrivedAt: number
  /** When the first sound left, if it did: from then on the listener's clock runs. */
  readonly startedAt: number | undefined
  /** Sound of the pieces that are finished and no longer listed. */
  readonly finishedMs: number
  /** All sound that left. */
  readonly producedMs: number
  readonly pieces: readonly P[]
  /** Sound that nobody has taken yet. */
  readonly unreadMs: number
}
export type Task<P extends Piece = Piece> = { readonly piece: P; readonly part: 'front' | 'plain' | number }

/** A front gives no sound yet; it takes about this long before its first window can begin. */
const FRONT_MS = 250
/** Sound made further ahead than this helps nobody. */
const MOST_UNREAD_MS = 8000
/** How many pieces may be begun beyond the one that is heard. */
const PIECES_AHEAD = 2
export const msOfSteps = (steps: number): number => (steps * SAMPLES_PER_STEP * 1000) / RATE_HZ

/** The stream and the task with the earliest due time, or undefined when all is given out. */
export function nextTask<P extends Piece, S extends Stream<P>>(
  streams: Iterable<S & Stream<P>>,
  now: number,
): { stream: S; task: Task<P> } | undefined {
  let best: { stream: S; task: Task<P>; due: number } | undefined
  for (const stream of streams) {
    if (stream.unreadMs > MOST_UNREAD_MS) continue
    const found = taskOf<P>(stream, now)
    if (found && (!best || found.due < best.due)) best = { stream, ...found }
  }
  return best && { stream: best.stream, task: best.task }
}

function taskOf<P extends Piece>(stream: Stream<P>, now: number): { task: Task<P>; due: number } | undefined {
  // A stream that is not heard yet is due since it came: the first to come is the first to start.
  const start = stream.startedAt ?? Math.min(now, stream.arrivedAt)
  let atMs = stream.finishedMs
  let ahead = 0
  for (const piece of stream.pieces) {
    if (piece.state === 'new') {
      const part = piece.isPlain ? 'plain' : 'front'
      return ahead > PIECES_AHEAD ? undefined : { task: { piece, part }, due: start + atMs - FRONT_MS }
    }
    const first = piece.windows[0]
    const window = piece.windows[piece.given]
    if (first && window) {
      return { task: { piece, part: piece.given }, due: start + atMs + msOfSteps(window.from - first.from) }
    }
    atMs += lengthMs(piece)
    ahead++
  }
  return undefined
}

export function lengthMs({ windows, guessMs }: Piece): number {
  const [first] = windows
  const last = windows.at(-1)
  return first && last ? msOfSteps(last.to - first.from) : guessMs
}

/** What a task takes at pace 1. */
export function taskCostMs({ piece, part }: Task): number {
  if (part === 'plain') return costMs.plain(lengthMs(piece))
  if (part === 'front') return costMs.front(lengthMs(piece))
  const window = piece.windows[part]
  return window ? costMs.window(msOfSteps(window.to - window.from)) : 0
}
