// A full disk: responses to API requests, and to a browser that opens a web call.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import WebSocket from 'ws'
import { anAgent, assertError, startTestApp, usesPostgres } from '../../test/app.ts'
import { until } from '../../test/until.ts'

if (!usesPostgres)
  test('a full disk is a 503 with a reason and Retry-After; reads go on, and writes resume once there is space', async () => {
    let write = async (): Promise<unknown> => null
    const job = { name: 'a job that writes', everyMs: 20, task: () => write() }
    const { app, ana, database, logs } = await startTestApp({}, { services: [{ jobs: [job] }] })
    const { db } = database
    const address = (await app.listen()).replace('http', 'ws')
    const agent = (await ana.post('/api/agents', anAgent)).json
    const { token, socketPath } = (await ana.post('/api/web-calls', { agentId: agent.id })).json
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
    await sql`pragma max_page_count = ${sql.lit(rows[0]?.page_count ?? 1)}`.execute(db)
    const big = { ...anAgent, systemPrompt: 'x'.repeat(60_000) }
    for (let i = 0; i < 5; i++) {
      const refused = await ana.post('/api/agents', big)
      assertError(refused, 503, /disk is full/)
      assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/)
    }
    assert.equal((await ana.get(`/api/agents/${agent.id}`)).status, 200)
    write = () => sql`create table big as select randomblob(1000000)`.execute(db)
    const jobLines = () =>
      logs()
        .split('\n')
        .filter((line) => line.includes(job.name))
    await until('the job has failed too', () => jobLines().length > 0)
    write = async () => null
    assert.deepEqual(
      jobLines().filter((line) => !line.includes('"level":20')),
      [],
      'what the outage causes is logged at debug',
    )
    const errors = logs()
      .split('\n')
      .filter((line) => line.includes('"level":50'))
    assert.equal(errors.length, 1, `one line for the outage: ${errors.join('\n')}`)

    await sql`pragma query_only = on`.execute(db) // a call's row is so small that it might still fit
    const socket = new WebSocket(`${address}${socketPath}`, ['ramal.v1', token])
    const [code, reason] = await new Promise<[number, string]>((closed) =>
      socket.once('close', (code, reason) => closed([code, reason.toString()])),
    )
    assert.deepEqual([code, /disk is full/.test(reason)], [4503, true], reason)

    await sql`pragma query_only = off`.execute(db)
    await sql`pragma max_page_count = 1073741823`.execute(db)
    assert.equal((await ana.post('/api/agents', big)).status, 201)
  })
