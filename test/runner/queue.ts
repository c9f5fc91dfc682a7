// Which task starts next: the longest that fits alongside the running ones, plus one short one at a time, so that most
// mistakes show within the first minutes. There are no stages: a lane never waits for another.
import type { Duration } from './durations.ts'

/** The fields of a task that the queue uses. */
export type Queued = {
  name: string
  estimate: Duration
  isRealTime: boolean
  isExclusive: boolean
  /** The name of a task that must have succeeded first. */
  after?: string
}

/** Limits concurrent tasks because of memory and the phones' clocks. */
const MAX_LANES = 6
/** A task that mostly waits still needs the CPU now and then. */
const MIN_CORES = 0.3
/** Share of a core that stays free next to audio. */
const SPARE = 0.4
const SHORT_MS = 3000

/** Number of cores that a task keeps busy, by earlier runs. */
export const coresOf = ({ ms, cpuMs }: Duration, cores: number): number =>
  Math.min(cores, Math.max(MIN_CORES, cpuMs / Math.max(1, ms)))

export type Machine = {
  /** Whether timers fire late. */
  isLate: boolean
  /** Whether part of the CPU has been idle: the estimates were too high, or the running tasks are waiting. */
  hasRoom: boolean
}

export function createQueue<T extends Queued>(tasks: readonly T[], cores: number) {
  const needed = new Set(tasks.flatMap(({ after }) => after ?? []))
  /** Dependencies of others come first, exclusive tasks last. */
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
    /** Removes and returns the task to start now. */
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
    /** Removes and returns tasks that can never start because their dependency failed. */
    takeBlocked(): T[] {
      const blocked = waiting.filter(({ after }) => after !== undefined && failed.has(after))
      for (const task of blocked) waiting.splice(waiting.indexOf(task), 1)
      return blocked
    },
    waiting: (): readonly T[] => waiting,
  }
}
