// Server-sent events that arrive cut in any place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSse } from './sse-parser.ts'

const stream = 'event: words\ndata: {"text":"Good "}\n\n: still here\n\nevent: words\ndata: {"text":"day"}\n\n'

test('Whole events are read, a comment is none, and what is not whole is left', () => {
  assert.deepEqual(parseSse(`${stream}event: mess`), {
    events: [
      { event: 'words', data: { text: 'Good ' } },
      { event: 'words', data: { text: 'day' } },
    ],
    rest: 'event: mess',
  })
})

test('However the text is cut, the same events come out', () => {
  const whole = parseSse(stream).events
  for (let cut = 1; cut < stream.length; cut++) {
    const first = parseSse(stream.slice(0, cut))
    const second = parseSse(first.rest + stream.slice(cut))
    assert.deepEqual([...first.events, ...second.events], whole, `cut at ${cut}`)
  }
})

test('Lines may end in CR LF, and an event without a name is a message', () => {
  assert.deepEqual(parseSse('data: 1\r\n\r\n').events, [{ event: 'message', data: 1 }])
})
