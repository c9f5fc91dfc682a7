// The test report: figures that tests measured, each failure with its file, the counts, and the slowest files.
import { appendFileSync } from 'node:fs'
import type { Duration } from './durations.ts'

export type TestResult = {
  kind: 'passed' | 'failed' | 'skipped' | 'figure'
  /** 0 is the file itself. */
  nesting: number
  name: string
  ms?: number
  why?: string
}

const SLOWEST = 10

export type Summary = {
  counts: { passed: number; failed: number; skipped: number }
  /** Keyed by task name. */
  passedTitles: Map<string, string[]>
  /** Task names. */
  failed: Set<string>
  add(task: string, result: TestResult): void
  fail(task: string, name: string, why: string): void
  took(name: string, duration: Duration): void
  end(): void
}

export function createSummary(print: (text: string) => void): Summary {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const times: (Duration & { name: string })[] = []
  const passedTitles = new Map<string, string[]>()
  const failed = new Set<string>()

  function add(task: string, { kind, nesting, name, why = '' }: TestResult): void {
    if (kind === 'figure') {
      print(`  ${name}\n`)
      return
    }
    if (kind === 'failed') failed.add(task)
    // A file fails with its tests; it fails by itself only if it could not be imported, set up or torn down.
    if (nesting === 0 && (kind !== 'failed' || /subtests? failed/.test(why))) return
    counts[kind]++
    if (kind === 'passed') passedTitles.set(task, [...(passedTitles.get(task) ?? []), name])
    if (kind === 'failed') print(`\nfailed: ${name}\n  in ${task}\n${why.replace(/^/gm, '  ')}\n`)
  }

  return {
    counts,
    passedTitles,
    failed,
    add,
    fail: (task, name, why) => add(task, { kind: 'failed', nesting: 1, name, why }),
    took(name, { ms, cpuMs }) {
      times.push({ name, ms, cpuMs })
      if (process.env.TEST_TIMES) appendFileSync(process.env.TEST_TIMES, `${JSON.stringify({ name, ms, cpuMs })}\n`)
    },
    end() {
      const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
      const slowest = times.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST)
      const rows = slowest.map(({ name, ms, cpuMs }) => `  ${name} ${seconds(ms)} (CPU ${seconds(cpuMs)})\n`)
      if (times.length > SLOWEST) print(`\nslowest:\n${rows.join('')}`)
    },
  }
}
