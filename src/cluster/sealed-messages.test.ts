// Sealed messages and their parts: which open, which are rejected, and how parts are joined.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { busKeys, linkKeys } from './keys.ts'
import { MAX_PARTS, messageJoiner, PART_CHARS, splitMessage } from './message-parts.ts'
import { MAX_SEALED, messageSeal } from './sealed-messages.ts'

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)]
const sealOf = (...masterKeys: string[]) => messageSeal(busKeys(masterKeys))
const message = { text: 'Olá, ação', list: [1, null] }

test('a message opens with the key and for the process that it was sealed for', () => {
  const seal = sealOf(NEW)
  const text = seal.seal(message, 'prc_a')
  assert.deepEqual(seal.open(text, 'prc_a'), message)
  assert.equal(seal.open(text, 'prc_b'), undefined)
  assert.equal(sealOf(OLD).open(text, 'prc_a'), undefined)
  assert.ok(!Buffer.from(text, 'base64').toString('latin1').includes('text'), 'nothing of it can be read')
  assert.notEqual(seal.seal(message, 'prc_a'), text, 'the nonce is new each time')
})

test('every key opens, the first seals, and each purpose has its own', () => {
  const both = sealOf(NEW, OLD)
  assert.deepEqual(both.open(sealOf(OLD).seal(message, 'prc_a'), 'prc_a'), message)
  assert.deepEqual(sealOf(NEW).open(both.seal(message, 'prc_a'), 'prc_a'), message)
  assert.equal(sealOf(OLD).open(both.seal(message, 'prc_a'), 'prc_a'), undefined)
  assert.notDeepEqual(busKeys([NEW])[0].key, linkKeys([NEW])[0].key)
})

test('a message that was altered anywhere, or is none, does not open', () => {
  const seal = sealOf(NEW)
  const bytes = Buffer.from(seal.seal(message, 'prc_a'), 'base64')
  for (let at = 0; at < bytes.length; at++) {
    const altered = Buffer.from(bytes)
    altered[at] = (altered[at] as number) ^ 1
    assert.equal(seal.open(altered.toString('base64'), 'prc_a'), undefined, `byte ${at}`)
    assert.equal(seal.open(bytes.subarray(0, at).toString('base64'), 'prc_a'), undefined, `${at} bytes`)
  }
  for (const text of ['', 'x', '{}', '\u0000'.repeat(99), 'A'.repeat(MAX_SEALED + 4)])
    assert.equal(seal.open(text, 'prc_a'), undefined)
})

test('a message that is too large is not sealed; the largest offer fits', () => {
  const seal = sealOf(NEW)
  assert.throws(() => seal.seal('x'.repeat(MAX_SEALED), 'prc_a'), RangeError)
  assert.ok(seal.seal({ offer: 'ç'.repeat(65_536) }, 'prc_a').length <= MAX_SEALED)
})

test('parts are joined in any order, beside those of other messages', () => {
  const join = messageJoiner()
  const [one, two] = ['a'.repeat(PART_CHARS * 2 + 1), 'b'.repeat(PART_CHARS + 1)]
  const [a = '', b = '', c = ''] = splitMessage(one)
  const [d = '', e = ''] = splitMessage(two)
  assert.deepEqual([join(c), join(e), join(a), join(a)], Array(4).fill(undefined))
  assert.equal(join(d), two)
  assert.equal(join(b), one)
  assert.deepEqual(splitMessage('short').map(join), ['short'])
  assert.ok(splitMessage('x'.repeat(MAX_SEALED)).every((part) => Buffer.byteLength(part) < 8000))
})

test('parts that are malformed, late or too many are dropped', () => {
  let now = 0
  const join = messageJoiner(() => now)
  const id = 'abcdefghijkl'
  for (const part of ['', 'x', `${id}.0.0.x`, `${id}.2.2.x`, `${id}.0.${MAX_PARTS + 1}.x`, `${id}.-1.2.x`, `${id}.0.1`])
    assert.equal(join(part), undefined, part)
  assert.equal(join(`${id}.0.1.${'x'.repeat(PART_CHARS + 1)}`), undefined)
  const [a = '', b = ''] = splitMessage('x'.repeat(PART_CHARS + 1))
  join(a)
  now = 10_001
  join(splitMessage('y'.repeat(PART_CHARS + 1))[0] ?? '')
  assert.equal(join(b), undefined, 'the first part was dropped after its time')
  const many = Array.from({ length: 60 }, () => splitMessage('z'.repeat(PART_CHARS + 1)))
  for (const [first = ''] of many) join(first)
  assert.equal(join(many[0]?.[1] ?? ''), undefined, 'the oldest made room')
  assert.equal(join(many[59]?.[1] ?? '')?.length, PART_CHARS + 1)
})
