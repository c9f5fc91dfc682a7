// The processes that run test files: a file shares one with others of its group and database, or has its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestResult } from './summary.ts'
import type { FromWorker, ToWorker } from './worker.ts'

/**
 * Tests have shorter timeouts (worker.ts): `fileMs` is for a file that blocks its process. A worker exits by itself if
 * its tests left nothing open.
 */
export type Limits = { fileMs: number; exitMs: number }
/** `exitMs`: longer than the 32 s that SIP transactions may linger. */
export const usualLimits: Limits = { fileMs: 1_200_000, exitMs: 45_000 }

/** `files`: the names of the tasks it ran. */
export type Worker = { child: ChildProcess; exited: Promise<unknown[]>; files: string[] }
export type FileEnd = { cpuMs: number } | { why: string }

export function startWorker(env: Record<string, string>, nice: number): Worker {
  const reporter = join(import.meta.dirname, 'worker-reporter.ts')
  const node = [process.execPath, '--test-reporter', reporter, join(import.meta.dirname, 'worker.ts')]
  const child = spawn('nice', ['-n', String(nice), ...node], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Without NODE_TEST_CONTEXT: a runner started by a test would otherwise get node's own reporter.
    env: { ...process.env, ...env, TEST_WORKER: '1', NODE_TEST_CONTEXT: undefined },
  })
  return { child, exited: once(child, 'exit'), files: [] }
}

/** `why`: why the worker is gone: it crashed, was ended by the test, or hung. */
export async function runIn(
  { child, exited }: Worker,
  file: string,
  { limits: { fileMs }, hear }: { limits: Limits; hear: (result: TestResult) => void },
): Promise<FileEnd> {
  const begin = performance.now()
  const finished = Promise.withResolvers<number>()
  let isReported = false
  let cpuMs: number | undefined
  const listen = (message: FromWorker | { result: TestResult }) => {
    if ('cpuMs' in message) cpuMs = message.cpuMs
    else {
      hear(message.result)
      isReported ||= message.result.nesting === 0 && message.result.name === file
    }
    if (isReported && cpuMs !== undefined) finished.resolve(cpuMs)
  }
  child.on('message', listen)
  child.send({ file } satisfies ToWorker)
  const timer = setTimeout(() => child.kill('SIGKILL'), fileMs)
  const end = await Promise.race([finished.promise, exited])
  clearTimeout(timer)
  child.off('message', listen)
  if (typeof end === 'number') return { cpuMs: end }
  const isHung = performance.now() - begin >= fileMs
  return { why: isHung ? `not finished after ${fileMs / 1000} s` : `the process ended: ${end}` }
}

/** Tells the worker that there are no more files; returns the reason if it did not end cleanly. */
export async function endWorker({ child, exited, files }: Worker, { exitMs }: Limits): Promise<string | undefined> {
  child.send({ done: true } satisfies ToWorker)
  const timer = setTimeout(() => child.kill('SIGUSR2'), exitMs)
  const hard = setTimeout(() => child.kill('SIGKILL'), 2 * exitMs)
  const [code, signal] = await exited
  clearTimeout(timer)
  clearTimeout(hard)
  return code === 0 ? undefined : `exit code ${code}, signal ${signal}, after ${files.join(', ')}`
}

/** Workers waiting for their next file, by purpose. */
export function createPool() {
  const idle = new Map<string, Worker[]>()
  return {
    take: (kind: string): Worker | undefined => idle.get(kind)?.pop(),
    give(kind: string, worker: Worker): void {
      idle.set(kind, [...(idle.get(kind) ?? []), worker])
    },
    takeAll(): Worker[] {
      const all = [...idle.values()].flat()
      idle.clear()
      return all
    },
  }
}
