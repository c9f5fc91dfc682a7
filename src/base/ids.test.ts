// @run own-process: ids never step back, and other files move the clock ahead.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, newUuid } from './ids.ts'

const MANY = 100_000
const many = (make: () => string) => Array.from({ length: MANY }, make)

test('4 an id is its prefix and 26 characters that need no escaping in a URL', () => {
  for (const id of [newId('agt'), newId('key'), newId('x')]) {
    assert.match(id, /^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/)
    assert.equal(encodeURIComponent(id), id)
  }
})

test('ids are unique and sort by creation order, over 100,000 of them', () => {
  const ids = many(() => newId('agt'))
  assert.equal(new Set(ids).size, MANY)
  assert.deepEqual(ids.toSorted(), ids)
})

test('an id contains its creation time', () => {
  const before = Date.now()
  const digits = '0123456789abcdefghjkmnpqrstvwxyz'
  const value = [...newId('x').slice(2)].reduce((sum, digit) => sum * 32n + BigInt(digits.indexOf(digit)), 0n)
  const ms = Number(value >> 80n)
  assert.ok(ms >= before && ms <= Date.now(), `${ms} is now`)
})

test('ids of one millisecond do not predict those of the next: the random part is drawn again', () => {
  const firstOf = new Map<string, string>()
  while (firstOf.size < 20) {
    const [time, chance] = [/^x_(.{10})(.{16})$/.exec(newId('x'))].flatMap((match) => match?.slice(1) ?? [])
    assert.ok(time && chance)
    if (!firstOf.has(time)) firstOf.set(time, chance)
  }
  const beginnings = [...firstOf.values()].map((chance) => chance.slice(0, 8))
  assert.equal(new Set(beginnings).size, 20)
})

test('UUIDs are version 7, unique and sort by creation order, over 100,000 of them', () => {
  const uuids = many(newUuid)
  for (const uuid of uuids) assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(new Set(uuids).size, MANY)
  assert.deepEqual(uuids.toSorted(), uuids)
})

test('a UUID begins with the time in milliseconds', () => {
  const before = Date.now()
  const ms = Number.parseInt(newUuid().replaceAll('-', '').slice(0, 12), 16)
  assert.ok(ms >= before && ms <= Date.now())
})
