// The typeface in the repository is what the package gives, and has every character of our words.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { characters, makeTypeface, typeface } from './make-typeface.ts'

test('making it again gives the same bytes', async () => {
  assert.ok(Buffer.from(await makeTypeface()).equals(readFileSync(typeface)), 'node web/src/typeface/make-typeface.ts')
})

test('it has every character of the words of the page', () => {
  const files = globSync(join(import.meta.dirname, '..', '**', '*{words,common,templates}*.ts'))
  assert.ok(files.length > 30)
  const used = new Set(files.flatMap((file) => [...readFileSync(file, 'utf8')].filter((c) => c !== '\n')))
  assert.deepEqual(
    [...used].filter((c) => !characters.includes(c)),
    [],
  )
})
