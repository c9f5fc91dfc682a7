// Progress of the run: a line for each slow file, and every ten seconds what each lane is running and the estimated
// time left.
import type { Duration } from './durations.ts'
import { coresOf, type Queued } from './queue.ts'

const EVERY_MS = 10_000
const LONG_MS = 5000

const clock = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

type Shown<T> = { queue: { waiting(): readonly T[] }; cores: number; print: (text: string) => void }

export function createProgress<T extends Queued>({ queue, cores, print }: Shown<T>) {
  const begin = performance.now()
  const lanes: ({ task: T; since: number } | undefined)[] = []
  const count = queue.waiting().length
  const work = (tasks: readonly T[]) =>
    tasks.reduce((sum, { estimate }) => sum + estimate.ms * coresOf(estimate, cores), 0) / cores
  const whole = work(queue.waiting())
  let finished = 0
  let printed = begin

  /** Scaled by how accurate the estimates from earlier runs have been so far. */
  function left(): number {
    const now = performance.now()
    const open = lanes.flatMap((lane) => lane ?? [])
    const rest =
      work(queue.waiting()) +
      open.reduce(
        (sum, { task, since }) =>
          sum + (Math.max(0, task.estimate.ms - (now - since)) * coresOf(task.estimate, cores)) / cores,
        0,
      )
    const done = whole - rest
    const ratio = done > whole / 20 ? (now - begin) / done : 1
    const longest = Math.max(0, ...open.map(({ task, since }) => task.estimate.ms - (now - since)))
    return Math.max(rest * ratio, longest)
  }

  const at = () => `[${clock(performance.now() - begin)}, ${finished} of ${count}, about ${clock(left())} left]`

  return {
    started(task: T): number {
      const free = lanes.indexOf(undefined)
      const lane = free < 0 ? lanes.length : free
      lanes[lane] = { task, since: performance.now() }
      return lane
    },
    ended({ name }: T, lane: number, { ms }: Duration): void {
      lanes[lane] = undefined
      finished++
      const now = performance.now()
      if (ms >= LONG_MS) print(`${at()} lane ${lane + 1}: ${name} ${(ms / 1000).toFixed(1)} s\n`)
      if (now - printed < EVERY_MS) return
      printed = now
      const running = lanes.flatMap((open, i) => (open ? [`${i + 1}: ${open.task.name}`] : []))
      print(`${at()} running ${running.join('; ')}\n`)
    },
    seconds: () => Math.round((performance.now() - begin) / 1000),
  }
}
