// Real-time factor of synthesis on this machine, and how many streams it sustains. Pure: no clock of its own.

/**
 * What a run takes on one thread of two, in ms for ms of sound, as measured on two cores with AVX512-VNNI and rounded up.
 * A window also makes its context. Of these costs the pace is a multiple: 2 is a machine, or a moment, half as quick.
 */
export const costMs = {
  front: (ms: number): number => 25 + ms * 0.045,
  window: (ms: number): number => 15 + (ms + 100) * 0.22,
  plain: (ms: number): number => 50 + ms * 0.5,
}
/** The same for speech that goes on and on: a piece of 2.6 s has a front and three windows. */
const LASTING = { fast: 0.315, plain: 0.52 }
/** Six streams at pace 1 on two threads talk without a gap in a simulation, and so they do in the benchmark. */
const SHARE_USED = 0.97

/** So much work, in ms of a thread, until the pace has followed a change by two thirds. */
const FOLLOWING_MS = 600
/** What else runs comes and goes with the turns of calls: a pace that nobody measured goes back slowly to that at rest. */
const FORGETTING_MS = 15_000

export type RealTimeFactor = {
  /** A run that ought to take `costMs` took `tookMs`. */
  note(costMs: number, tookMs: number, now: number): void
  at(now: number): number
}

/** `atRest` is what was measured when the voice was opened; a better one that is seen later takes its place. */
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

/** How many streams can last at this pace. One alone is let in even where it has to wait long for its first sound. */
export function maxStreams(pace: number, way: 'fast' | 'plain', threads: number): number {
  const each = (LASTING[way] * pace) / threads
  return each < 1 ? Math.max(1, Math.floor(SHARE_USED / each)) : 0
}
