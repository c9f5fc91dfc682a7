// The typeface is cut to a part of what its package gives, and has every character of our words.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { characters, makeTypeface } from './make-typeface.ts'

test('it is a typeface, and half as large as the whole', async () => {
  const made = Buffer.from(await makeTypeface())
  assert.equal(made.subarray(0, 4).toString(), 'wOF2')
  assert.ok(made.length > 10_000 && made.length < 25_000, `${made.length} bytes`)
})

test('it has every character of the words of the page', () => {
  const files = globSync(join(import.meta.dirname, '..', '**', '*{texts,templates}*.ts'))
  assert.ok(files.length > 30)
  const used = new Set(files.flatMap((file) => [...readFileSync(file, 'utf8')].filter((c) => c !== '\n')))
  assert.deepEqual(
    [...used].filter((c) => !characters.includes(c)),
    [],
  )
})
