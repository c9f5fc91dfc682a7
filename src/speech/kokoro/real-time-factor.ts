// Real-time factor of synthesis on this machine, and how many streams it sustains. Pure: no clock of its own.

/**
 * The cost of a run on one thread of two, in ms per ms of audio, as measured on two cores with AVX512-VNNI and rounded
 * up. A front runs on both: 0.6 times its cost on one, as measured on ARM. A chunk also synthesizes its context. The
 * pace is a multiple of these costs: 2 is a machine, or a moment, of half the speed.
 */
export const costMs = {
  front: (ms: number): number => 15 + ms * 0.027,
  window: (ms: number): number => 15 + (ms + 100) * 0.22,
  plain: (ms: number): number => 50 + ms * 0.5,
}
/** The same for continuous speech: a clause of 2.6 s has a front and three chunks. */
const LASTING = { fast: 0.315, plain: 0.52 }
/** Six streams at pace 1 on two threads play without gaps, both in a simulation and in the benchmark. */
const SHARE_USED = 0.97

/** The work, in ms of a thread, after which the pace has followed a change by two thirds. */
const FOLLOWING_MS = 600
/** Other load comes and goes with the turns of calls: without new measurements the pace decays to the one at rest. */
const FORGETTING_MS = 15_000

export type RealTimeFactor = {
  /** A run with an expected cost of `costMs` took `tookMs`. */
  note(costMs: number, tookMs: number, now: number): void
  at(now: number): number
}

/** `atRest` was measured when the voice was loaded; a better value seen later replaces it. */
export function realTimeFactor(atRest: number): RealTimeFactor {
  let rest = atRest
  let last = atRest
  let lastAt = 0
  const at = (now: number) => rest + (last - rest) * Math.exp(-Math.max(0, now - lastAt) / FORGETTING_MS)
  return {
    at,
    note(cost, tookMs, now) {
      const before = at(now)
      last = before + (tookMs / cost - before) * (1 - Math.exp(-cost / FOLLOWING_MS))
      lastAt = now
      rest = Math.min(rest, last)
    },
  }
}

/** How many streams this pace sustains. A single stream is admitted even if its first audio takes long. */
export function maxStreams(pace: number, way: 'fast' | 'plain', threads: number): number {
  const each = (LASTING[way] * pace) / threads
  return each < 1 ? Math.max(1, Math.floor(SHARE_USED / each)) : 0
}
