// Server-sent events, split at arbitrary positions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSse } from './sse-parser.ts'

const stream = 'event: words\ndata: {"text":"Good "}\n\n: still here\n\nevent: words\ndata: {"text":"day"}\n\n'

test('parses complete events, skips comments, keeps an incomplete rest', () => {
  assert.deepEqual(parseSse(`${stream}event: mess`), {
    events: [
      { event: 'words', data: { text: 'Good ' } },
      { event: 'words', data: { text: 'day' } },
    ],
    rest: 'event: mess',
  })
})

test('any chunking gives the same events', () => {
  const whole = parseSse(stream).events
  for (let cut = 1; cut < stream.length; cut++) {
    const first = parseSse(stream.slice(0, cut))
    const second = parseSse(first.rest + stream.slice(cut))
    assert.deepEqual([...first.events, ...second.events], whole, `cut at ${cut}`)
  }
})

test('accepts CRLF; an unnamed event is a message', () => {
  assert.deepEqual(parseSse('data: 1\r\n\r\n').events, [{ event: 'message', data: 1 }])
})
