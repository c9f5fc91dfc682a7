// Runs test files one after another in one process, so that shared code is loaded and compiled once. The parent sends
// one file at a time.
import { on } from 'node:events'
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { mock, type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { runEndings, runWorkerEndings } from '../endings.ts'
import { type DeclaredTests, testsOf } from './file-tests.ts'
import type { TestResult } from './summary.ts'

export type ToWorker = { file: string } | { done: true }
export type FromWorker = { cpuMs: number }

/** Enough for the longest tests on a busy machine: every page in sequence, every pattern. */
const TEST_MS = 600_000

// The gate runs the same cases every time; the nightly run draws new ones.
if (!process.env.FUZZ_RUNS) fc.configureGlobal({ seed: 20_261_116 })

const standIn = new URL('./file-tests.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test' && context.parentURL !== standIn
      ? { url: standIn, shortCircuit: true }
      : next(specifier, context),
})

async function runTests(t: TestContext, { tests, ...hooks }: DeclaredTests): Promise<void> {
  // Whatever fails, cleanup completes before the next file begins.
  t.after(async () => {
    for (const act of hooks.after.toReversed()) await act()
  })
  for (const act of hooks.beforeEach) t.beforeEach(act)
  for (const act of hooks.afterEach) t.afterEach(act)
  for (const act of hooks.before) await act()
  await Promise.all(
    tests.map(({ name, options, body }) =>
      t.test(
        name,
        { timeout: TEST_MS, ...options },
        typeof body === 'function' ? body : (inner) => runTests(inner, body),
      ),
    ),
  )
}

async function runFile(file: string): Promise<void> {
  await test(file, async (t) => {
    t.after(runEndings)
    await runTests(t, await testsOf(pathToFileURL(resolve(file)).href))
  })
  mock.reset()
  await setImmediate() // an unhandled rejection must surface before the next file starts
}

/** CPU time of this process and of its children that have exited (in ticks of 10 ms; Linux only). */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + childrenCpuMs()
}

function childrenCpuMs(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return (Number(fields[13]) + Number(fields[14])) * 10
  } catch {
    return 0
  }
}

process.once('SIGUSR2', () => {
  process.stderr.write(`left open: ${process.getActiveResourcesInfo().join(', ')}\n`)
  process.exit(2)
})

let lastError: unknown
process.on('uncaughtExceptionMonitor', (error) => {
  lastError = error
})

/**
 * node:test reports an error after the end of its test only through the process's exit code; it belongs to this file.
 */
function reportLateErrors(): void {
  if (!process.exitCode) return
  process.exitCode = 0
  const why = lastError instanceof Error ? lastError.stack : String(lastError)
  const result: TestResult = { kind: 'failed', nesting: 1, name: 'an error after its test had ended', why: why ?? '' }
  process.send?.({ result })
}

// Listening to the parent keeps the process alive while tests wait for something that does not.
for await (const [message] of on(process, 'message') as AsyncIterable<[ToWorker]>) {
  if ('done' in message) break
  const before = cpuMs()
  await runFile(message.file)
  reportLateErrors()
  process.send?.({ cpuMs: cpuMs() - before } satisfies FromWorker)
}
await runWorkerEndings()
