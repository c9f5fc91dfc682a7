// Runs test files in the given order, a few at once, each in a worker that it shares with others or, where named, in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createSummary, type TestResult } from './summary.ts'
import type { FromWorker, ToWorker } from './worker.ts'

export type FilesToRun = {
  title: string
  files: readonly string[]
  env: Record<string, string>
  atOnce: number
  /** Gives way to what runs beside it. */
  nice?: number
  /** Files that need a process of their own. */
  alone?: RegExp
  print?: (text: string) => void
  limits?: Limits
}
export type RunResult = { hasPassed: boolean; passedTitles: readonly string[]; failedFiles: readonly string[] }
/** Stands for a file in `failedFiles` when a process whose files passed did not end by itself. */
export const WORKER = 'a worker'

/** A test has less time (worker.ts): `fileMs` is for a file that blocks its process. A worker ends by itself when tests left nothing open. */
type Limits = { fileMs: number; exitMs: number }
/** `exitMs`: longer than the 32 s that SIP transactions may linger. */
const usualLimits: Limits = { fileMs: 1_200_000, exitMs: 45_000 }

type Worker = { child: ChildProcess; exited: Promise<unknown[]> }

export const toStdout = (text: string) => void process.stdout.write(text)

export async function runFiles(options: FilesToRun): Promise<RunResult> {
  const { title, files, env, atOnce, nice = 0, alone, print = toStdout, limits = usualLimits } = options
  const begin = performance.now()
  const summary = createSummary(print)
  const queue = [...files]
  print(`\n== ${title}: ${files.length} files\n`)

  async function slot(): Promise<void> {
    let shared: Worker | undefined
    const done: string[] = []
    for (let file = queue.shift(); file; file = queue.shift()) {
      const isAlone = alone?.test(file) ?? false
      const worker = isAlone ? startWorker(env, nice) : (shared ?? startWorker(env, nice))
      const isUp = await runIn(worker, file, { summary, limits })
      if (isAlone) {
        if (isUp) await endWorker(worker, [file], { summary, limits })
        continue
      }
      shared = isUp ? worker : undefined
      if (isUp) done.push(file)
      else done.length = 0
    }
    if (shared) await endWorker(shared, done, { summary, limits })
  }

  await Promise.all(Array.from({ length: Math.min(atOnce, files.length) }, slot))
  summary.end()
  print(`== ${title}: ${Math.round((performance.now() - begin) / 1000)} s\n`)
  const { passedTitles, failedFiles } = summary
  return { hasPassed: failedFiles.size === 0, passedTitles, failedFiles: [...failedFiles] }
}

function startWorker(env: Record<string, string>, nice: number): Worker {
  const reporter = join(import.meta.dirname, 'worker-reporter.ts')
  const node = [process.execPath, '--test-reporter', reporter, join(import.meta.dirname, 'worker.ts')]
  const child = spawn('nice', ['-n', String(nice), ...node], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Without NODE_TEST_CONTEXT: a runner that was itself started by a test would get node's own reporter.
    env: { ...process.env, ...env, TEST_WORKER: '1', NODE_TEST_CONTEXT: undefined },
  })
  return { child, exited: once(child, 'exit') }
}

type Run = { summary: ReturnType<typeof createSummary>; limits: Limits }

/** False when the worker is gone: it crashed, was ended by the test, or hung. */
async function runIn({ child, exited }: Worker, file: string, { summary, limits: { fileMs } }: Run): Promise<boolean> {
  const begin = performance.now()
  const finished = Promise.withResolvers<true>()
  let isReported = false
  let cpuMs: number | undefined
  const hear = (message: FromWorker | { result: TestResult }) => {
    if ('cpuMs' in message) cpuMs = message.cpuMs
    else {
      summary.add(file, message.result)
      isReported ||= message.result.nesting === 0 && message.result.name === file
    }
    if (isReported && cpuMs !== undefined) finished.resolve(true)
  }
  child.on('message', hear)
  child.send({ file } satisfies ToWorker)
  const timer = setTimeout(() => child.kill('SIGKILL'), fileMs)
  const end = await Promise.race([finished.promise, exited])
  clearTimeout(timer)
  child.off('message', hear)
  const ms = performance.now() - begin
  summary.took(file, ms, cpuMs ?? 0)
  if (end === true) return true
  const why = ms >= fileMs ? `not finished after ${fileMs / 1000} s` : `the process ended: ${end}`
  summary.add(file, { kind: 'failed', nesting: 1, name: file, why })
  return false
}

async function endWorker(
  { child, exited }: Worker,
  files: readonly string[],
  { summary, limits: { exitMs } }: Run,
): Promise<void> {
  child.send({ done: true } satisfies ToWorker)
  const timer = setTimeout(() => child.kill('SIGUSR2'), exitMs)
  const hard = setTimeout(() => child.kill('SIGKILL'), 2 * exitMs)
  const [code, signal] = await exited
  clearTimeout(timer)
  clearTimeout(hard)
  if (code === 0 || (code === 1 && files.some((file) => summary.failedFiles.has(file)))) return
  const why = `exit code ${code}, signal ${signal}, after ${files.join(', ')}`
  // A test that failed may have left something open.
  const failed = files.find((file) => summary.failedFiles.has(file))
  summary.add(failed ?? WORKER, {
    kind: 'failed',
    nesting: 1,
    name: 'a process that ran tests did not end by itself',
    why,
  })
}
