// Runs test files one after the other in one process: what they share is loaded and compiled once. The parent names one file at a time.
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

/** For the longest on a busy machine: every page, one after the other; every pattern. */
const TEST_MS = 600_000

// The same cases at each run of the gate; the nightly run takes new ones.
if (!process.env.FUZZ_RUNS) fc.configureGlobal({ seed: 20_261_116 })

const standIn = new URL('./file-tests.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test' && context.parentURL !== standIn
      ? { url: standIn, shortCircuit: true }
      : next(specifier, context),
})

async function runTests(t: TestContext, { tests, ...hooks }: DeclaredTests): Promise<void> {
  // Whatever fails, it is closed before the next file begins.
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
  await setImmediate() // a promise that nobody handled is this file's
}

/** Of this process, and of the programs it started that have ended (in ticks of 10 ms; Linux only). */
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

/** node:test notes an error that came after its test had ended only as the exit code of the process: it is this file's. */
function reportLateErrors(): void {
  if (!process.exitCode) return
  process.exitCode = 0
  const why = lastError instanceof Error ? lastError.stack : String(lastError)
  const result: TestResult = { kind: 'failed', nesting: 1, name: 'an error after its test had ended', why: why ?? '' }
  process.send?.({ result })
}

// Listening to the parent keeps the process alive while tests wait for what does not.
for await (const [message] of on(process, 'message') as AsyncIterable<[ToWorker]>) {
  if ('done' in message) break
  const before = cpuMs()
  await runFile(message.file)
  reportLateErrors()
  process.send?.({ cpuMs: cpuMs() - before } satisfies FromWorker)
}
await runWorkerEndings()
