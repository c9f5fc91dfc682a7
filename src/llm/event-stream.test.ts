import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventTooLong, eventData } from './event-stream.ts'

async function* cutEvery(text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const eventsOf = async (text: string, size: number) => Array.fromAsync(eventData(cutEvery(text, size)))

const cases: [what: string, text: string, events: string[]][] = [
  ['events that end as the standard says', 'data: a\n\ndata: b\n\n', ['a', 'b']],
  ['CR LF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['CR alone', 'data: a\r\rdata: b\r\r', ['a', 'b']],
  ['several lines of one event', 'data: a\ndata:\ndata\ndata: b\n\n', ['a\n\n\nb']],
  ['no space after the colon, and two of them', 'data:a\n\ndata:  b\n\n', ['a', ' b']],
  ['comments, names and ids', ': wait\n\nevent: x\nid: 7\ndata: a\nretry: 5\n\n', ['a']],
  ['a field that only begins like data', 'database: x\n\ndata: a\n\n', ['a']],
  ['a byte order mark', '\ufeffdata: a\n\n', ['a']],
  ['letters of several bytes', 'data: ação 😀 ñ\n\n', ['ação 😀 ñ']],
  ['a last event without its empty line', 'data: a\n\ndata: b', ['a', 'b']],
  ['nothing', '', []],
]

for (const [what, text, events] of cases)
  test(`events are parsed wherever the bytes are split: ${what}`, async () => {
    for (const size of [1, 2, 3, 5, 1000]) assert.deepEqual(await eventsOf(text, size), events, `in pieces of ${size}`)
  })

test('an event is emitted as soon as it is complete', async () => {
  let isAskedForMore = false
  async function* bytes() {
    yield Buffer.from('data: a\n\nda')
    isAskedForMore = true
    yield Buffer.from('ta: b\n\n')
  }
  const events = eventData(bytes())
  assert.equal((await events.next()).value, 'a')
  assert.equal(isAskedForMore, false)
  assert.equal((await events.next()).value, 'b')
})

test('an endless event is aborted, in one line or in many', async () => {
  async function* endless(line: string) {
    for (;;) yield Buffer.from(line)
  }
  await assert.rejects(Array.fromAsync(eventData(endless('x'.repeat(50_000)))), EventTooLong)
  await assert.rejects(Array.fromAsync(eventData(endless(`data: ${'x'.repeat(50_000)}\n`))), EventTooLong)
})
