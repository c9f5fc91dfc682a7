// A very long list is streamed, never held in memory.
// @run own-process: it measures memory.
import assert from 'node:assert/strict'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { anAgent, startTestApp } from '../../test/app.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
function megabytesInUse(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1_048_576
}

const ROWS = 100_000
const idAt = (i: number) => `agt_${String(i).padStart(8, '0')}`

test('28 a list of 100,000 rows arrives whole and in order, and is never held in memory', async () => {
  const { app, ana, database } = await startTestApp()
  const { id } = (await ana.post('/api/agents', { ...anAgent, systemPrompt: 'p'.repeat(1000) })).json
  const { id: _, ...row } = await database.db
    .selectFrom('agents')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await database.db.deleteFrom('agents').where('id', '=', id).execute()
  await database.db.inTransaction(async (trx) => {
    for (let from = 0; from < ROWS; from += 1000) {
      // Ten rows share each timestamp, as rows created in bulk do.
      const rows = Array.from({ length: 1000 }, (_, i) => ({
        ...row,
        id: idAt(from + i),
        createdAt: new Date(1_767_225_600_000 + Math.floor((from + i) / 10)).toISOString(),
      }))
      await trx.insertInto('agents').values(rows).execute()
    }
  })

  const address = await app.listen()
  const before = megabytesInUse()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpGet(`${address}/api/agents`, { headers: { 'x-api-key': ana.key } }, resolve).on('error', reject)
  })
  assert.equal(response.statusCode, 200)
  let [received, peak, expected, rest, measuredAt] = [0, before, ROWS - 1, '', 0]
  let [head, tail] = ['', '']
  for await (const chunk of response.setEncoding('latin1')) {
    received += chunk.length
    head = head === '' ? chunk.slice(0, 10) : head
    tail = (tail + chunk).slice(-10)
    const text = rest + chunk
    let end = 0
    for (const match of text.matchAll(/"id":"(agt_\d{8})"/g)) {
      assert.equal(match[1], idAt(expected--))
      end = match.index + match[0].length
    }
    rest = text.slice(Math.max(end, text.length - 30))
    if (received - measuredAt < 10_000_000) continue
    measuredAt = received
    // The reader stalls: the server must not keep filling memory.
    for (let i = 0; i < 200; i++) await turn()
    peak = Math.max(peak, megabytesInUse())
  }
  assert.equal(expected, -1, 'every row was there')
  assert.deepEqual([head.slice(0, 7), tail.slice(-2)], ['[{"id":', '}]'])
  assert.ok(received > 100_000_000, `${received} bytes`)
  assert.ok(peak - before < 40, `grew by ${Math.round(peak - before)} MB`)
})
