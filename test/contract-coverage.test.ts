// Every numbered statement of the contract has a test that names it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const LAST = 139
/** Their tests come with what they speak of. */
const later = new Set<number>([])

const root = join(import.meta.dirname, '..')
const name = /\btest\(\s*(['"`])(\d+(?:, \d+)*) /g

const numbersIn = (source: string): number[] =>
  [...source.matchAll(name)].flatMap(([, , numbers = '']) => numbers.split(', ').map(Number))

test('test names are read for the numbers they begin with', () => {
  assert.deepEqual(numbersIn("test('79, 80 a', x)\ntest(\n  `7 b`, x)\ntest('c 9', x)\ntest('10', x)"), [79, 80, 7])
})

test('every statement of the contract is shown by a test', () => {
  const all = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
  const files = all.filter((file) => !file.endsWith('contract-coverage.test.ts')) // it holds such names as examples
  const shown = new Set(files.flatMap((file) => numbersIn(readFileSync(join(root, file), 'utf8'))))
  const missing = Array.from({ length: LAST }, (_, i) => i + 1).filter((n) => !shown.has(n) && !later.has(n))
  assert.deepEqual(missing, [])
  assert.deepEqual(
    [...shown].filter((n) => n < 1 || n > LAST),
    [],
    'a test names a statement that there is not',
  )
})
