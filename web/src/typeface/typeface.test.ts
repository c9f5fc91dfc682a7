// The font subset covers every character of our texts.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { characters, makeTypeface } from './make-typeface.ts'

test('the subset is a valid, small WOFF2 font', async () => {
  const made = Buffer.from(await makeTypeface())
  assert.equal(made.subarray(0, 4).toString(), 'wOF2')
  assert.ok(made.length > 10_000 && made.length < 25_000, `${made.length} bytes`)
})

test('the subset covers every character in the texts', () => {
  const files = globSync(join(import.meta.dirname, '..', '**', '*{texts,templates}*.ts'))
  assert.ok(files.length > 30)
  const used = new Set(files.flatMap((file) => [...readFileSync(file, 'utf8')].filter((c) => c !== '\n')))
  assert.deepEqual(
    [...used].filter((c) => !characters.includes(c)),
    [],
  )
})
