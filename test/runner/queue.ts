// Which task starts next: the longest that fits beside those that run, and one short one at a time beside it, so that most mistakes are
// found in the first minutes. There are no stages: a lane never waits for another.
import type { Duration } from './durations.ts'

/** The part of a task that the queue looks at. */
export type Queued = {
  name: string
  estimate: Duration
  isRealTime: boolean
  isExclusive: boolean
  /** The name of a task that must have succeeded before. */
  after?: string
}

/** More than this many at once: memory, and the clocks of phones. */
const MAX_LANES = 6
/** A task that mostly waits still needs the CPU now and then. */
const MIN_CORES = 0.3
/** Beside audio, this much of a core stays free. */
const SPARE = 0.4
const SHORT_MS = 3000

/** Cores that a task keeps busy, by earlier runs. */
export const coresOf = ({ ms, cpuMs }: Duration, cores: number): number =>
  Math.min(cores, Math.max(MIN_CORES, cpuMs / Math.max(1, ms)))

/** What the machine does right now. */
export type Machine = {
  /** Timers fire late. */
  isLate: boolean
  /** A part of the CPU has been idle: the estimates were too high, or the running tasks wait. */
  hasRoom: boolean
}

export function createQueue<T extends Queued>(tasks: readonly T[], cores: number) {
  const needed = new Set(tasks.flatMap(({ after }) => after ?? []))
  /** What others need first; what must be alone last. */
  const rank = ({ name, isExclusive }: T) => (needed.has(name) ? 0 : isExclusive ? 2 : 1)
  const waiting = tasks.toSorted(
    (a, b) => rank(a) - rank(b) || b.estimate.ms - a.estimate.ms || (a.name < b.name ? -1 : 1),
  )
  const done = new Set<string>()
  const failed = new Set<string>()

  function fits(task: T, running: readonly T[], { isLate, hasRoom }: Machine): boolean {
    if (running.length === 0) return true
    if (running.length >= cores && !hasRoom) return false
    if (running.length >= MAX_LANES || task.isExclusive || running.some(({ isExclusive }) => isExclusive)) return false
    if (isLate && (task.isRealTime || running.some(({ isRealTime }) => isRealTime))) return false
    const all = [...running, task]
    const busy = all.reduce((sum, { estimate }) => sum + coresOf(estimate, cores), 0)
    return busy <= (all.some(({ isRealTime }) => isRealTime) ? cores - SPARE : cores)
  }
  const isReady = ({ after }: T) => after === undefined || done.has(after) || !tasks.some(({ name }) => name === after)

  return {
    /** Removes and returns what may start now. */
    take(running: readonly T[], machine: Machine): T | undefined {
      const mayStart = (task: T) => isReady(task) && fits(task, running, machine)
      const isShort = ({ estimate }: T) => estimate.ms < SHORT_MS
      const hasLongOnly = running.length > 0 && !running.some(isShort)
      const short = hasLongOnly ? waiting.findIndex((task) => isShort(task) && mayStart(task)) : -1
      const at = short >= 0 ? short : waiting.findIndex(mayStart)
      return at < 0 ? undefined : waiting.splice(at, 1)[0]
    },
    ended(task: T, hasPassed: boolean): void {
      ;(hasPassed ? done : failed).add(task.name)
    },
    /** Removes and returns those that can never start, because what they need failed. */
    takeBlocked(): T[] {
      const blocked = waiting.filter(({ after }) => after !== undefined && failed.has(after))
      for (const task of blocked) waiting.splice(waiting.indexOf(task), 1)
      return blocked
    },
    waiting: (): readonly T[] => waiting,
  }
}
