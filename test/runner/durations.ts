// Durations of each test in earlier runs: the longest start first, and a file that mostly waits shares the CPU.
// `test/durations.json` serves fresh clones; every run writes its own figures to a cache, which takes precedence.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** `cpuMs` includes programs that the file started and that have exited. */
export type Duration = { ms: number; cpuMs: number }
export type Durations = {
  of(name: string): Duration
  measured(name: string, duration: Duration): void
  save(): void
  /** Writes the long ones of this run to `test/durations.json`; entries of files that did not run stay as they are. */
  keep(): void
}

const kept = join(import.meta.dirname, '../durations.json')
const cached = join(import.meta.dirname, '../../node_modules/.cache/test-durations.json')
const KEPT_FROM_MS = 1500
/** Estimate for a file that was never measured: phones mostly wait, most others are short. */
const unmeasured = (name: string): Duration =>
  /^test\/(phones?|web|scenarios|speech)\//.test(name) ? { ms: 20_000, cpuMs: 9000 } : { ms: 1000, cpuMs: 800 }

/** Whether the name is a file of this checkout on some database, or a command. */
const exists = (name: string): boolean => !name.endsWith(')') || existsSync(name.replace(/ \([^)]*\)$/, ''))

type Rows = Record<string, [ms: number, cpuMs: number]>

function rowsIn(path: string): Rows {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Rows
  } catch {
    return {}
  }
}

function write(path: string, rows: Rows): void {
  const lines = Object.keys(rows)
    .sort()
    .map((name) => `  ${JSON.stringify(name)}: [${(rows[name] ?? []).join(', ')}]`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `{\n${lines.join(',\n')}\n}\n`)
}

export function readDurations(): Durations {
  const known = { ...rowsIn(kept), ...rowsIn(cached) }
  const now: Rows = {}
  return {
    of(name) {
      const [ms, cpuMs] = known[name] ?? []
      return ms === undefined || cpuMs === undefined ? unmeasured(name) : { ms, cpuMs }
    },
    measured(name, { ms, cpuMs }) {
      now[name] = [Math.round(ms), Math.round(cpuMs)]
    },
    save: () => write(cached, { ...rowsIn(cached), ...now }),
    keep: () =>
      write(
        kept,
        Object.fromEntries(
          Object.entries({ ...rowsIn(kept), ...now }).filter(([name, [ms]]) => ms >= KEPT_FROM_MS && exists(name)),
        ),
      ),
  }
}
