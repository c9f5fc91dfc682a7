// Runs all benchmarks one after another and writes docs/benchmarks.md. A benchmark that fails or takes too long is
// killed and reported; its section stays as it was.
//
// npm run bench -- [--only voice,api] [--short] [--list]
//
// In full about 45 minutes on two idle cores; --short (about ten minutes) checks that each one works, and writes
// nothing.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchmarks, type Entry } from './list.ts'
import { render } from './report/document.ts'
import { limitedRun } from './report/limited-run.ts'
import type { Result } from './report/markdown.ts'
import { print } from './report/report.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})
const names = benchmarks.map(({ name }) => name)
const chosen = values.only?.split(',') ?? names
const unknown = chosen.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  print(`--only knows ${names.join(', ')}; not ${unknown.join(', ')}`)
  process.exit(1)
}

const root = join(import.meta.dirname, '..')
const documentFile = join(root, 'docs', 'benchmarks.md')
const resultFolder = join(import.meta.dirname, 'results')
const folder = mkdtempSync(join(tmpdir(), 'ramal-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** The first run also installs programs and prepares models. */
const limitMs = ({ minutes }: Entry) => (minutes * 2 + 8) * 60_000
function publish(): void {
  const results = names
    .map((name) => join(resultFolder, `${name}.json`))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Result)
  writeFileSync(documentFile, render(readFileSync(documentFile, 'utf8'), results))
}

const entries = benchmarks.filter(({ name }) => chosen.includes(name))
const minutes = entries.reduce((sum, entry) => sum + entry.minutes, 0)
for (const { name, about, minutes: each } of entries)
  print(`${name.padEnd(12)} ${each.toFixed(1).padStart(4)} min  ${about}`)
print(`${''.padEnd(12)} ${minutes.toFixed(1).padStart(4)} min  expected in full on two quiet cores`)
if (values.list) process.exit(0)

const failed: string[] = []
for (const entry of entries) {
  const file = join(folder, `${entry.name}.json`)
  const args = [...(values.short ? entry.shortArgs : entry.args), '--json', file]
  print(`\n=== ${entry.name}\n`)
  const program = join(import.meta.dirname, entry.name, 'run.ts')
  const isDone = (await limitedRun([program, ...args], { cwd: root, withinMs: limitMs(entry) })) && existsSync(file)
  if (!isDone) failed.push(entry.name)
  else if (!values.short) {
    mkdirSync(resultFolder, { recursive: true })
    writeFileSync(join(resultFolder, `${entry.name}.json`), readFileSync(file))
    publish()
  }
}
print('')
if (failed.length > 0) print(`Not measured, because they failed or took too long: ${failed.join(', ')}.`)
print(values.short ? 'Short runs show that a benchmark works; nothing was written.' : 'Written: docs/benchmarks.md')
process.exit(failed.length > 0 ? 1 : 0)
