// Runs tasks from one queue: as many at once as the CPU allows, each in a free lane.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchCpu } from './cpu.ts'
import type { Durations } from './durations.ts'
import { type Lateness, watchLateness } from './lateness.ts'
import type { FileTask } from './plan.ts'
import { createProgress } from './progress.ts'
import { createQueue, type Queued } from './queue.ts'
import { createSummary, type Summary } from './summary.ts'
import { createPool, endWorker, type Limits, runIn, startWorker, usualLimits, type Worker } from './workers.ts'

/** A program run with the tests, such as the linter. */
export type CommandTask = { name: string; command: readonly [string, ...string[]]; cores: number }
export type Task = CommandTask | FileTask
type Entry = Queued & { task: Task }

export type ToRun = {
  tasks: readonly Task[]
  /** Environment of a worker, by database. */
  envOf: (task: FileTask) => Record<string, string>
  durations: Durations
  cores?: number
  print?: (text: string) => void
  limits?: Limits
}

/** Replaces the file name in `failed` if all files of a process passed but it did not exit by itself. */
export const WORKER = 'a worker'
const TICK_MS = 250
/** Tests yield to real-time tests, which have normal priority. */
const NICE = 8

export const nameOf = (task: Task): string => ('file' in task ? `${task.file} (${task.on})` : task.name)
export const toStdout = (text: string) => void process.stdout.write(text)

const entryOf = (task: Task, durations: Durations): Entry => ({
  name: nameOf(task),
  estimate: durations.of(nameOf(task)),
  isRealTime: 'file' in task && task.isRealTime,
  isExclusive: 'file' in task && task.isExclusive,
  after: 'file' in task ? task.after : undefined,
  task,
})

export async function runTasks(options: ToRun): Promise<Summary> {
  const { tasks, durations, cores = availableParallelism(), print = toStdout } = options
  const summary = createSummary(print)
  const queue = createQueue(
    tasks.map((task) => entryOf(task, durations)),
    cores,
  )
  const progress = createProgress({ queue, cores, print })
  const lateness = watchLateness()
  const cpu = watchCpu()
  const runner = createRunner(options, summary)
  const running = new Map<Entry, Promise<unknown>>()

  function start(entry: Entry): void {
    const lane = progress.started(entry)
    const begin = performance.now()
    const run = runner.run(entry.task).then(({ cpuMs, hasPassed }) => {
      const duration = { ms: performance.now() - begin, cpuMs }
      durations.measured(entry.name, duration)
      summary.took(entry.name, duration)
      queue.ended(entry, hasPassed)
      progress.ended(entry, lane, duration)
      running.delete(entry)
    })
    running.set(entry, run)
  }

  for (;;) {
    const free = queue.take([...running.keys()], { isLate: lateness.isLate(), hasRoom: cpu.hasRoom() })
    if (free) {
      cpu.started()
      start(free)
      continue
    }
    for (const { name, after } of queue.takeBlocked()) summary.fail(name, name, `not run: "${after}" failed`)
    if (running.size === 0) break
    await Promise.race([...running.values(), sleep(TICK_MS)])
    cpu.sample()
  }
  await runner.end()
  report(print, lateness, progress.seconds())
  lateness.stop()
  summary.end()
  return summary
}

function report(print: (text: string) => void, lateness: Lateness, seconds: number): void {
  print(`\n${seconds} s; the worst 20 ms timer was ${Math.round(lateness.worstMs())} ms late\n`)
}

type Ended = { cpuMs: number; hasPassed: boolean }

function createRunner({ envOf, limits = usualLimits, print = toStdout }: ToRun, summary: Summary) {
  const pool = createPool()
  const endings: Promise<unknown>[] = []

  /** A process lingers after its last test (SIP transactions do): only the end of the run waits for it. */
  const end = (worker: Worker) =>
    void endings.push(
      endWorker(worker, limits).then((why) => {
        if (!why) return
        // A failed test may have left something open.
        const failed = worker.files.find((name) => summary.failed.has(name))
        if (failed && why.startsWith('exit code 1,')) return
        summary.fail(failed ?? WORKER, 'a process that ran tests did not end by itself', why)
      }),
    )

  async function runFile(task: FileTask): Promise<Ended> {
    const { file, on, group, hasOwnProcess, isRealTime, isExclusive } = task
    const nice = isRealTime || isExclusive ? 0 : NICE
    const kind = `${group}, ${on}, ${nice}`
    const worker = (hasOwnProcess ? undefined : pool.take(kind)) ?? startWorker(envOf(task), nice)
    const name = nameOf(task)
    const ended = await runIn(worker, file, { limits, hear: (result) => summary.add(name, result) })
    if ('why' in ended) {
      summary.fail(name, name, ended.why)
      return { cpuMs: 0, hasPassed: false }
    }
    worker.files.push(name)
    if (hasOwnProcess) end(worker)
    else pool.give(kind, worker)
    return { cpuMs: ended.cpuMs, hasPassed: !summary.failed.has(name) }
  }

  async function runCommand({ command, name, cores }: CommandTask): Promise<Ended> {
    const begin = performance.now()
    const child = spawn('nice', ['-n', String(NICE), ...command], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        output += data
      })
    const [code] = await once(child, 'close')
    if (code !== 0) summary.fail(name, name, output)
    return { cpuMs: cores * (performance.now() - begin), hasPassed: code === 0 }
  }

  return {
    run: (task: Task): Promise<Ended> => ('file' in task ? runFile(task) : runCommand(task)),
    async end(): Promise<void> {
      const idle = pool.takeAll()
      if (idle.length + endings.length > 0) print('\nwaiting for the test processes to end\n')
      for (const worker of idle) end(worker)
      await Promise.all(endings)
    },
  }
}
