// SECURITY.md names a test for each threat. The runner checks that these passed (runner/security.ts); this file tests
// that it would notice.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testFiles } from './runner/plan.ts'
import { missingTests, namedTests } from './runner/security.ts'

const root = join(import.meta.dirname, '..')
const named = namedTests(readFileSync(join(root, 'SECURITY.md'), 'utf8'))

test('every file that SECURITY.md names is one that the runner runs', () => {
  assert.ok(named.length > 100, `only ${named.length} tests were recognised`)
  const files = new Set(testFiles())
  for (const { file } of named) assert.ok(files.has(file) && existsSync(join(root, file)), `${file} is not there`)
})

test('a named test that did not pass is missing, whatever its file says', () => {
  const table = [
    '## Threats',
    '| a threat | `src/a.test.ts`: one thing; another |',
    '| more | `src/b.test.ts` |',
    '',
  ].join('\n')
  const tests = namedTests(`${table}\n## Signing in`)
  assert.deepEqual(tests, [
    { file: 'src/a.test.ts', title: 'one thing' },
    { file: 'src/a.test.ts', title: 'another' },
    { file: 'src/b.test.ts', title: '' },
  ])
  const passed = new Map([
    ['src/a.test.ts', ['12 one thing is refused']],
    ['src/c.test.ts', ['another']],
  ])
  assert.deepEqual(missingTests(tests, passed), ['src/a.test.ts: another', 'src/b.test.ts: any'])
})
