// Reads server-sent events in tests, in order of arrival.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { TestContext } from 'node:test'
import { until } from '../until.ts'

export type StatusEvent = { name: string; status: string; at: string; connected: boolean; lastError: string | null }

/** Listens until the test ends. Resolves once the first event has arrived. */
export async function followEvents(t: TestContext, url: string, key: string) {
  const request = get(url, { headers: { 'x-api-key': key }, agent: false })
  t.after(() => request.destroy())
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  assert.equal(answer.statusCode, 200)
  assert.match(answer.headers['content-type'] ?? '', /^text\/event-stream/)
  const events: StatusEvent[] = []
  let text = ''
  let read = 0
  answer.setEncoding('utf8')
  answer.on('error', () => {})
  answer.on('data', (chunk: string) => {
    text += chunk
    for (let end = text.indexOf('\n\n', read); end !== -1; end = text.indexOf('\n\n', read)) {
      const [, name = '', data] = /^event: (.+)\ndata: (.+)$/.exec(text.slice(read, end)) ?? []
      if (data) events.push({ name, ...JSON.parse(data) })
      read = end + 2
    }
  })
  await until('the first event comes', () => events.length > 0)
  return { events, text: () => text, isOver: () => answer.readableEnded, leave: () => request.destroy() }
}
