// SECURITY.md names a test for each threat: the files exist, and contain tests with these titles.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const text = readFileSync(join(root, 'SECURITY.md'), 'utf8')
const rows = text
  .slice(text.indexOf('## Threats'), text.indexOf('## Signing in'))
  .split('\n')
  .filter((line) => line.startsWith('|') && line.includes('.test.ts`'))

/** Each file of a row, with its titles. */
function* namedIn(row: string): Generator<{ file: string; titles: string[] }> {
  const cell = row.split('|').at(-2) ?? ''
  for (const part of cell.split(/(?=`[\w/.-]+\.test\.ts`)/)) {
    const [, file, rest = ''] = /`([\w/.-]+\.test\.ts)`:?(.*)/.exec(part) ?? []
    if (!file) continue
    const titles = rest
      .split(/(?:…|;)/)
      .map((title) => title.trim())
      .filter((title) => title !== '')
    yield { file, titles }
  }
}

test('every test that SECURITY.md names exists', () => {
  assert.ok(rows.length > 40, `only ${rows.length} rows were recognised`)
  for (const row of rows)
    for (const { file, titles } of namedIn(row)) {
      assert.ok(existsSync(join(root, file)), `${file} is not there`)
      const source = readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'")
      for (const title of titles) assert.ok(source.includes(title), `${file} has no test "${title}"`)
    }
})
