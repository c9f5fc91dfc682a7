// Scheduler: chooses the next task for the stream that would underrun first. Pure: no clock, no thread.

import type { Chunk } from './chunks.ts'
import { RATE_HZ, SAMPLES_PER_STEP } from './graph.ts'
import { costMs } from './real-time-factor.ts'

/** A clause in progress. Fast path: its front, which gives its length, then its chunks. Plain path: one run. */
export type Piece = {
  /** The length estimated from its text. */
  readonly guessMs: number
  isPlain: boolean
  /** `begun`: its front or its plain run is in progress. */
  state: 'new' | 'begun' | 'windows'
  windows: readonly Chunk[]
  /** Chunks scheduled so far. */
  given: number
  /** Chunks synthesized and sent, in order. */
  taken: number
  /** When each run was started, where that is known. */
  readonly begunAt?: Map<Task['part'], number>
}
export type Stream<P extends Piece = Piece> = {
  readonly arrivedAt: number
  /** When the first audio was sent, if it was: playout runs from then on. */
  readonly startedAt: number | undefined
  /** Audio of the finished clauses that are no longer listed. */
  readonly finishedMs: number
  /** All audio that was sent. */
  readonly producedMs: number
  readonly pieces: readonly P[]
  /** Audio that was not read yet. */
  readonly unreadMs: number
}
export type Task<P extends Piece = Piece> = { readonly piece: P; readonly part: 'front' | 'plain' | number }

/** A front produces no audio; it takes about this long before its first chunk can start. */
const FRONT_MS = 250
/** Audio synthesized further ahead than this is useless. */
const MAX_UNREAD_MS = 8000
/** How many clauses may be started beyond the one that plays. */
const PIECES_AHEAD = 2
export const msOfSteps = (steps: number): number => (steps * SAMPLES_PER_STEP * 1000) / RATE_HZ

/** The stream and the task with the earliest due time, or undefined when no task is left. A thread may have no front. */
export function nextTask<P extends Piece, S extends Stream<P>>(
  streams: Iterable<S & Stream<P>>,
  now: number,
  hasFront = true,
): { stream: S; task: Task<P> } | undefined {
  let best: { stream: S; task: Task<P>; due: number } | undefined
  for (const stream of streams) {
    if (stream.unreadMs > MAX_UNREAD_MS) continue
    const found = taskOf<P>(stream, now)
    if (!hasFront && typeof found?.task.part === 'string') continue
    if (found && (!best || found.due < best.due)) best = { stream, ...found }
  }
  return best && { stream: best.stream, task: best.task }
}

function taskOf<P extends Piece>(stream: Stream<P>, now: number): { task: Task<P>; due: number } | undefined {
  // A stream without audio is due since its arrival: the first to arrive is the first to start.
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

/** The cost of a task at pace 1. */
export function taskCostMs({ piece, part }: Task): number {
  if (part === 'plain') return costMs.plain(lengthMs(piece))
  if (part === 'front') return costMs.front(lengthMs(piece))
  const window = piece.windows[part]
  return window ? costMs.window(msOfSteps(window.to - window.from)) : 0
}
