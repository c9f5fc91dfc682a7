// A client of /api/events for tests: collects events in order, and can resume after a disconnect.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { TestContext } from 'node:test'
import type { Event } from '../src/features/events/schema.ts'
import { until } from './until.ts'

export type Heard = Event & { data: Record<string, never> & { [name: string]: unknown } }

/** Listens until the test ends or the listener is closed. Resolves once the response has started. */
export async function hearEvents(
  t: TestContext,
  base: string,
  key: string,
  { query = '', lastEventId }: { query?: string; lastEventId?: string } = {},
) {
  const headers = { 'x-api-key': key, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) }
  const request = get(`${base}/api/events${query}`, { headers, agent: false })
  t.after(() => request.destroy())
  request.on('error', () => {})
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  assert.equal(answer.statusCode, 200)
  assert.match(answer.headers['content-type'] ?? '', /^text\/event-stream/)
  const events: Heard[] = []
  let text = ''
  let read = 0
  let lastId: string | undefined
  answer.setEncoding('utf8')
  answer.on('error', () => {})
  answer.on('data', (chunk: string) => {
    text += chunk
    for (let end = text.indexOf('\n\n', read); end !== -1; end = text.indexOf('\n\n', read)) {
      const block = text.slice(read, end)
      read = end + 2
      const [, id] = /^id: (.+)$/m.exec(block) ?? []
      const [, name] = /^event: (.+)$/m.exec(block) ?? []
      const [, data] = /^data: (.+)$/m.exec(block) ?? []
      if (id) lastId = id
      if (!data) continue
      const event = JSON.parse(data) as Heard
      assert.deepEqual([id, name], [event.id, event.type])
      events.push(event)
    }
  })
  await until('the answer begins', () => text.includes('\n\n'))
  return {
    events,
    types: () => events.map(({ type }) => type),
    text: () => text,
    lastId: () => lastId,
    isOver: () => answer.readableEnded || answer.destroyed,
    leave: () => request.destroy(),
  }
}
