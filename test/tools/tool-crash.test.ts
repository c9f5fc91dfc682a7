// The process is killed after a tool's request was sent and before its response was stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config/load.ts'
import { openDatabase } from '../../src/db/database.ts'
import { LEASE_MS } from '../../src/db/idempotency.ts'
import { anAgent, atEnd, newPostgresDatabase, usesPostgres } from '../app.ts'
import { ask, newDataDir, startService } from '../service.ts'
import { until } from '../until.ts'
import { lastSaid, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import { onLoopback, startCounterpart } from './counterpart.ts'

const apiKey = `bootstrap-${'x'.repeat(40)}`
const PAST = '2000-01-01T00:00:00.000Z'

async function killedBetweenSendingAndStoring(config: { idempotent?: boolean; async?: boolean }) {
  let isDeaf = true
  const counterpart = await startCounterpart(() => (isDeaf ? null : {}))
  const llm = await startLlm({
    answer: (request) =>
      request.messages.at(-1)?.role === 'tool'
        ? { say: `Result: ${lastSaid(request, 'tool')}` }
        : { calls: [{ name: 'book', args: { day: 4 } }] },
  })
  atEnd(() => llm.stop())
  const dataDir = newDataDir()
  const env: Record<string, string> = {
    BOOTSTRAP_API_KEY: apiKey,
    LLM_BASE_URL: `${llm.url}/v1`,
    LLM_API_KEY: KEY,
    LLM_MODEL: 'small',
    ...onLoopback,
    ...(usesPostgres ? { DATABASE_URL: await newPostgresDatabase() } : {}),
  }
  let service = await startService(dataDir, env)
  const send = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    JSON.parse((await ask(`${service.url}/api${path}`, apiKey, method, body, headers)).text)
  const agent = await send('POST', '/agents', anAgent)
  const tool = await send('POST', '/tools', {
    name: 'book',
    type: 'custom',
    requestUrl: counterpart.url,
    parameters: { type: 'object', properties: { day: { type: 'integer' } } },
    config,
  })
  await send('POST', `/tools/${tool.id}/agents/${agent.id}`)
  const { id } = await send('POST', '/conversations/start', { agentId: agent.id })
  const message = () =>
    send(
      'POST',
      `/conversations/message/send/${id}?reply=true`,
      { type: 'user', content: 'Book the 4th' },
      { 'idempotency-key': 'once' },
    )
  const calls = () => send('GET', `/conversations/${id}/tool-calls`)

  const cutOff = message().catch(() => 'cut off')
  await until('the request has arrived', () => counterpart.received.length === 1)
  await service.kill('SIGKILL')
  if (!config.async) assert.equal(await cutOff, 'cut off')
  const database = await openDatabase(readConfig({ DATA_DIR: dataDir, ...env }).database, () => {})
  const keys = await database.db.selectFrom('idempotency').selectAll().execute()
  for (const { statusCode, lockedUntil } of keys)
    assert.ok(statusCode !== null || Date.parse(lockedUntil) - Date.now() <= LEASE_MS, 'its key is free soon')
  // Simulates elapsed time: the leases have expired.
  await database.db.updateTable('toolCalls').set({ leaseUntil: PAST }).execute()
  await database.db.updateTable('idempotency').set({ lockedUntil: PAST }).execute()
  await database.close()
  service = await startService(dataDir, env)
  await until('it is known to be in doubt', async () => (await calls())[0]?.status === 'in_doubt')
  isDeaf = false
  const { reply } = await message()
  const rows = await calls()
  const messages = await send('GET', `/conversations/messages/${id}`)
  await service.kill('SIGTERM')
  return { counterpart, reply, rows, messages }
}

test('with an idempotent server the request is sent again under the same key: one side effect, and its result is used', async () => {
  const { counterpart, reply, rows, messages } = await killedBetweenSendingAndStoring({ idempotent: true })
  assert.equal(reply.content, 'Result: booked')
  assert.equal(counterpart.received.length, 2)
  assert.equal(counterpart.effects(), 1)
  assert.deepEqual(
    rows.map(({ status, result }: { status: string; result: string }) => [status, result]),
    [['done', 'booked']],
  )
  assert.equal(messages.length, 2, 'one question, one answer')
})

test('with any other server it is not sent again: the record and the agent say that it is in doubt', async () => {
  const { counterpart, reply, rows } = await killedBetweenSendingAndStoring({})
  assert.match(reply.content, /not known whether this was done/)
  assert.equal(counterpart.received.length, 1)
  assert.equal(rows.length, 1)
  assert.equal(rows[0].status, 'in_doubt')
  assert.match(rows[0].error, /stopped while this tool was running/)
})

test('an async tool whose process died is in doubt, although the model had its response at once', async () => {
  const { counterpart, reply, rows } = await killedBetweenSendingAndStoring({ async: true })
  assert.equal(counterpart.received.length, 1)
  assert.deepEqual(
    rows.map(({ status, endedAt }: { status: string; endedAt: string | null }) => [status, endedAt !== null]),
    [['in_doubt', true]],
  )
  assert.match(reply.content, /Started|not known whether this was done/, 'the same message: nothing is sent again')
})
