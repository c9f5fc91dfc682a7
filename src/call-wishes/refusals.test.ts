// Refusals, deaths and new owners of a number in a labeled list of everyday sentences, with lookalikes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { callWishIn } from './call-wishes.ts'

const file = readFileSync(new URL('../../test/fixtures/call-wishes.txt', import.meta.url), 'utf8')
const sections = new Map(
  file
    .split('\n[')
    .slice(1)
    .map((section) => {
      const [label = '', ...sentences] = section.split('\n')
      return [label.replace(']', ''), sentences.filter((sentence) => sentence !== '')]
    }),
)
const misread = (label: string) =>
  (sections.get(label) ?? []).flatMap((sentence) => {
    const wish = callWishIn(sentence, ['Carlos Silva']) ?? 'none'
    return wish === label ? [] : [`${wish}: ${sentence}`]
  })
const countOf = (label: string) => sections.get(label)?.length ?? 0

test('refusals are opt-outs, in three languages, without punctuation and with hesitations', () => {
  assert.ok(countOf('opt_out') >= 150)
  assert.deepEqual(misread('opt_out'), [])
})

test('deaths and new owners of a number are the wrong person', () => {
  assert.ok(countOf('wrong_person') >= 60)
  assert.deepEqual(misread('wrong_person'), [])
})

test('what only sounds like a refusal suppresses nobody', () => {
  assert.ok(countOf('none') >= 150)
  assert.deepEqual(misread('none'), [])
})

test('long input costs little', () => {
  const startedAt = process.cpuUsage().user
  for (const part of ['nao autorizo que ', 'exclui meus ', 'i dont consent to ', 'no autorizo que ', 'carlos ja '])
    callWishIn(part.repeat(100_000))
  assert.ok(process.cpuUsage().user - startedAt < 2_000_000)
})
