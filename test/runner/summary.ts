// The test report: figures that a test measured, each failure with its file, the counts, and which files took longest.
import { appendFileSync } from 'node:fs'

export type TestResult = {
  kind: 'passed' | 'failed' | 'skipped' | 'figure'
  /** 0 is the file itself. */
  nesting: number
  name: string
  ms?: number
  why?: string
}

const SLOWEST = 8

export function createSummary(print: (text: string) => void) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const times: { file: string; ms: number; cpuMs: number }[] = []
  const passedTitles: string[] = []
  const failedFiles = new Set<string>()

  return {
    counts,
    passedTitles,
    failedFiles,
    add(file: string, { kind, nesting, name, why = '' }: TestResult): void {
      if (kind === 'figure') {
        print(`  ${name}\n`)
        return
      }
      if (kind === 'failed') failedFiles.add(file)
      // A file fails with its tests; on its own account it fails when it could not be imported, opened or closed.
      if (nesting === 0 && (kind !== 'failed' || /subtests? failed/.test(why))) return
      counts[kind]++
      if (kind === 'passed') passedTitles.push(name)
      if (kind === 'failed') print(`\nfailed: ${name}\n  in ${file}\n${why.replace(/^/gm, '  ')}\n`)
    },
    took(file: string, ms: number, cpuMs: number): void {
      const row = { file, ms, cpuMs }
      times.push(row)
      if (process.env.TEST_TIMES) appendFileSync(process.env.TEST_TIMES, `${JSON.stringify(row)}\n`)
    },
    end(): void {
      const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
      const slowest = times.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST)
      const rows = slowest.map(({ file, ms, cpuMs }) => `${file} ${seconds(ms)} (CPU ${seconds(cpuMs)})`)
      if (times.length > SLOWEST) print(`\nslowest: ${rows.join(', ')}\n`)
      const { passed, failed, skipped } = counts
      print(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`)
    },
  }
}
