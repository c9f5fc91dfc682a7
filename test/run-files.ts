// Runs test files in the order in which it is told them (`node --test` would sort them), so many at once, and reports.
import { setPriority } from 'node:os'
import { resolve } from 'node:path'
import { run } from 'node:test'
import summary from './summary.ts'

export type FilesToRun = {
  title: string
  files: readonly string[]
  env: Record<string, string>
  atOnce: number
  /** It gives way to others that run beside it. */
  nice?: number
}

const TEST_MS = 300_000

const { title, files, env, atOnce, nice } = JSON.parse(process.argv[2] ?? '') as FilesToRun
if (nice) setPriority(nice)
process.stdout.write(`\n== ${title}: ${files.length} files\n`)
const started = performance.now()
const events = run({
  files: files.map((file) => resolve(file)),
  concurrency: atOnce,
  timeout: TEST_MS,
  env: { ...process.env, ...env },
})
events.on('test:fail', ({ todo }) => {
  if (!todo) process.exitCode = 1
})
for await (const text of summary(events)) process.stdout.write(text)
process.stdout.write(`== ${title}: ${Math.round((performance.now() - started) / 1000)} s\n`)
