// After every change, runs the tests whose imports reach a changed file.
import { globSync, readFileSync, watch } from 'node:fs'
import { importsOf } from '../architecture-rules.ts'

const patterns = ['src/**/*.ts', 'test/**/*.ts', 'web/{src,client}/**/*.{ts,tsx}', 'client/*.ts', 'bench/**/*.ts']
/** Debounce: an editor writes several files at once. */
const SETTLE_MS = 200

/** The changed files and every file that imports one of them, directly or indirectly. */
export function reachedBy(changed: readonly string[], sources: Readonly<Record<string, string>>): Set<string> {
  const importers = new Map<string, string[]>()
  for (const [path, source] of Object.entries(sources))
    for (const { to } of importsOf(path, source)) importers.set(to, [...(importers.get(to) ?? []), path])
  const reached = new Set(changed)
  // Iterating a Set includes entries that are added meanwhile.
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer)
  return reached
}

const sourcesNow = (): Record<string, string> =>
  Object.fromEntries(patterns.flatMap((p) => globSync(p)).map((path) => [path, readFileSync(path, 'utf8')]))

/** Never returns. `run` gets the test files that a change reaches; changes made meanwhile are run afterwards. */
export async function watchTests(run: (files: string[]) => Promise<unknown>): Promise<never> {
  const changed = new Set<string>()
  let wake = Promise.withResolvers<void>()
  for (const folder of ['src', 'test', 'web', 'client'])
    watch(folder, { recursive: true }, (_, name) => {
      if (!name || !/\.tsx?$/.test(name)) return
      changed.add(`${folder}/${name}`)
      wake.resolve()
    })
  process.stdout.write('waiting for a change; Ctrl+C ends it\n')
  for (;;) {
    await wake.promise
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    wake = Promise.withResolvers()
    const files = [...changed]
    changed.clear()
    const tests = [...reachedBy(files, sourcesNow())].filter((path) => path.endsWith('.test.ts')).sort()
    process.stdout.write(`\n${files.join(', ')}: ${tests.length} test files\n`)
    if (tests.length > 0) await run(tests)
  }
}
