// The titles of passed tests, by file. A file that runs in both the gate and the rest is judged by the two together:
// the gate saves its titles for the rest.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Summary } from './summary.ts'

export type Titles = Map<string, string[]>

const saved = join(import.meta.dirname, '../../node_modules/.cache/test-passed.json')

/** Maps task names to files. */
export function titlesByFile(...runs: readonly Summary['passedTitles'][]): Titles {
  const titles: Titles = new Map()
  for (const passed of runs)
    for (const [name, some] of passed) {
      const file = name.replace(/ \([\w ]+\)$/, '')
      titles.set(file, [...(titles.get(file) ?? []), ...some])
    }
  return titles
}

export function saveTitles(titles: Titles): void {
  mkdirSync(dirname(saved), { recursive: true })
  writeFileSync(saved, JSON.stringify([...titles]))
}

/** Undefined if the gate has not run. */
export function savedTitles(): Titles | undefined {
  try {
    return new Map(JSON.parse(readFileSync(saved, 'utf8')) as [string, string[]][])
  } catch {
    return undefined
  }
}
