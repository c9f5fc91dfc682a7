import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { anAgent, assertError, type Client, testApp } from '../../../test/app.ts'
import { goingOn, putCall, putConversation, putRecording } from '../../../test/call-rows.ts'
import { until } from '../../../test/until.ts'

const url = '/api/calls'
const makeAgent = async (client: Client): Promise<string> => (await client.post('/api/agents', anAgent)).json.id
const at = (hour: number) => `2026-03-01T${String(hour).padStart(2, '0')}:00:00.000Z`

/** Ids in the list with these filters, newest first. */
async function found(client: Client, filters: Record<string, string>): Promise<string[]> {
  const { status, json, text } = await client.get(`${url}?${new URLSearchParams(filters)}`)
  assert.equal(status, 200, text)
  return json.map((call: { id: string }) => call.id)
}

/** Five calls of ana, one per hour, told apart by every filter, and one of bia. */
async function someCalls() {
  const app = await testApp()
  const { ana, bia, database } = app
  const { db } = database
  const [agentId, otherAgent] = [await makeAgent(ana), await makeAgent(ana)]
  const userId = ana.userId
  const numbers = { toNumber: '+5511900000001', fromNumber: '+551130000000' }
  /** A number that no search below matches. */
  const elsewhere = { toNumber: '+819012345678' }
  const said = async (...texts: string[]) => (await putConversation(db, { userId, agentId }, texts)).id
  const calls = [
    await putCall(db, { userId, agentId, startedAt: at(1), ...numbers, conversationId: await said('Alô? 100% certo') }),
    await putCall(db, { userId, agentId, startedAt: at(2), status: 'busy', toNumber: '+14155550002' }),
    await putCall(db, { userId, agentId: otherAgent, startedAt: at(3), toNumber: '+442079460003' }),
    await putCall(db, {
      userId,
      agentId,
      startedAt: at(4),
      direction: 'inbound',
      fromNumber: '+33612345678',
      ...elsewhere,
    }),
    await putCall(db, {
      userId,
      agentId,
      startedAt: at(5),
      ...goingOn,
      ...elsewhere,
      conversationId: await said('Oi', 'NÃO É ISSO'),
    }),
  ].map((call) => call.id)
  await putCall(db, { userId: bia.userId, agentId: await makeAgent(bia), startedAt: at(3), ...numbers })
  const ids = (...hours: number[]) => hours.map((hour) => calls[hour - 1])
  return { ...app, agentId, otherAgent, ids }
}

test('137 the list has all calls of its user, newest first, in the same form as a single call', async () => {
  const { ana, ids } = await someCalls()
  assert.deepEqual(await found(ana, {}), ids(5, 4, 3, 2, 1))
  const { json: list } = await ana.get(url)
  for (const listed of list.slice(1)) assert.deepEqual((await ana.get(`${url}/${listed.id}`)).json, listed)
})

test('137 filter by agentId', async () => {
  const { ana, bia, agentId, otherAgent, ids } = await someCalls()
  assert.deepEqual(await found(ana, { agentId: otherAgent }), ids(3))
  assert.deepEqual(await found(ana, { agentId }), ids(5, 4, 2, 1))
  assert.deepEqual(await found(bia, { agentId }), [])
  for (const nobody of ['agt_none', '', '\0', 'x'.repeat(5000)])
    assert.deepEqual(await found(ana, { agentId: nobody }), [])
})

test('137 filter by status and direction', async () => {
  const { ana, ids } = await someCalls()
  assert.deepEqual(await found(ana, { status: 'busy' }), ids(2))
  assert.deepEqual(await found(ana, { status: 'in_progress' }), ids(5))
  assert.deepEqual(await found(ana, { status: 'completed' }), ids(4, 3, 1))
  assert.deepEqual(await found(ana, { status: 'no_answer' }), [])
  assert.deepEqual(await found(ana, { direction: 'inbound' }), ids(4))
  assert.deepEqual(await found(ana, { direction: 'outbound' }), ids(5, 3, 2, 1))
  assertError(await ana.get(`${url}?status=gone`), 400, /status/)
  assertError(await ana.get(`${url}?status=busy&status=failed`), 400, /status/)
  assertError(await ana.get(`${url}?direction=sideways`), 400, /direction/)
})

test('137 filter by time: from is inclusive, to is exclusive', async () => {
  const { ana, ids } = await someCalls()
  assert.deepEqual(await found(ana, { from: at(3) }), ids(5, 4, 3))
  assert.deepEqual(await found(ana, { to: at(3) }), ids(2, 1))
  assert.deepEqual(await found(ana, { from: at(2), to: at(4) }), ids(3, 2))
  assert.deepEqual(await found(ana, { from: '2026-03-01T01:00:00-02:00', to: '2026-03-01T04:30:00Z' }), ids(4, 3))
  assert.deepEqual(await found(ana, { from: at(4), to: at(2) }), [])
  for (const wrong of ['yesterday', '2026-03-01', '1', '2026-13-01T00:00:00Z', ''])
    for (const side of ['from', 'to'])
      assertError(await ana.get(`${url}?${new URLSearchParams({ [side]: wrong })}`), 400, new RegExp(side))
})

test('137 q matches part of a number or of the transcript', async () => {
  const { ana, bia, ids } = await someCalls()
  assert.deepEqual(await found(ana, { q: '+5511900' }), ids(1))
  assert.deepEqual(await found(ana, { q: '4155550' }), ids(2), 'the number that is called')
  assert.deepEqual(await found(ana, { q: '3361' }), ids(4), 'the number that calls')
  assert.deepEqual(await found(ana, { q: 'alô' }), ids(1))
  assert.deepEqual(await found(ana, { q: 'CERTO' }), ids(1))
  assert.deepEqual(await found(ana, { q: 'NÃO É' }), ids(5), 'a text is found as it was written')
  assert.deepEqual(await found(ana, { q: '100%' }), ids(1))
  assert.deepEqual(await found(ana, { q: '%' }), ids(1), 'a percent sign is itself')
  for (const nothing of ['_', '\\', "' or 1=1 --", 'never said', '\0'])
    assert.deepEqual(await found(ana, { q: nothing }), [])
  assert.deepEqual(await found(bia, { q: 'certo' }), [], 'what others said is not searched')
  assertError(await ana.get(`${url}?q=${'x'.repeat(256)}`), 400, /q /)
})

test('137 filters combine, also with paging', async () => {
  const { ana, agentId, ids } = await someCalls()
  assert.deepEqual(
    await found(ana, { agentId, status: 'completed', direction: 'outbound', to: at(3), q: '5511' }),
    ids(1),
  )
  const pages: string[] = []
  let next: string | undefined = `${url}?agentId=${agentId}&limit=3`
  while (next) {
    const { json, headers } = await ana.get(next)
    pages.push(...json.map((call: { id: string }) => call.id))
    next = /^<([^>]+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1]
  }
  assert.deepEqual(pages, ids(5, 4, 2, 1))
})

test('137 a call has its timestamps, end reason and answered duration', async () => {
  const { ana, ids } = await someCalls()
  const { json: call } = await ana.get(`${url}/${ids(1)[0]}`)
  assert.deepEqual(
    [call.status, call.endReason, call.hangupBy, call.durationSeconds, call.startedAt],
    ['completed', 'caller_hangup', 'caller', 30, at(1)],
  )
  assert.ok(call.ringingAt > call.startedAt && call.answeredAt > call.ringingAt && call.endedAt > call.answeredAt)
})

test("137 unknown calls and another user's are a 404 on every route", async () => {
  const { ana, bia, ids } = await someCalls()
  const strange = ['cal_none', '%00', '%F0%9F%98%80', 'x'.repeat(5000), 'outbound']
  for (const [client, id] of [[bia, ids(1)[0]] as const, ...strange.map((id) => [ana, id] as const)]) {
    assertError(await client.get(`${url}/${id}`), 404, 'Call not found')
    assertError(await client.delete(`${url}/${id}`), 404, 'Call not found')
    assertError(await client.post(`${url}/${id}/hangup`), 404, 'Call not found')
  }
  assert.equal((await found(ana, {})).length, 5)
})

test('137 DELETE removes a call with its recording and its transcript', async () => {
  const { ana, bia, database, config } = await testApp()
  const owner = { userId: ana.userId, agentId: await makeAgent(ana) }
  const conversation = await putConversation(database.db, owner, ['Alô', 'Oi'])
  const other = await putConversation(database.db, owner, ['stays'])
  const call = await putCall(database.db, { ...owner, conversationId: conversation.id, recording: 'removed.wav' })
  await putCall(database.db, { ...owner, conversationId: other.id, recording: 'kept.wav' })
  for (const name of ['removed.wav', 'kept.wav']) putRecording(config.dataDir, name)
  const { json: before } = await ana.get(`${url}/${call.id}`)
  assertError(await bia.delete(`${url}/${call.id}`), 404)
  const removed = await ana.delete(`${url}/${call.id}`)
  assert.equal(removed.status, 200)
  assert.deepEqual(removed.json, before)
  for (const path of [`${url}/${call.id}`, `/api/gateway/calls/recordings/${call.id}`])
    assertError(await ana.get(path), 404)
  assertError(await ana.get(`/api/conversations/${conversation.id}`), 404)
  assertError(await ana.get(`/api/conversations/messages/${conversation.id}`), 404)
  assertError(await ana.delete(`${url}/${call.id}`), 404)
  await until('the file is deleted', () => !existsSync(join(config.dataDir, 'recordings', 'removed.wav')))
  assert.equal(existsSync(join(config.dataDir, 'recordings', 'kept.wav')), true)
  assert.equal((await ana.get(`/api/conversations/messages/${other.id}`)).json.length, 1)
})

test('137 a call in progress is not removed', async () => {
  const { ana, database, config } = await testApp()
  const owner = { userId: ana.userId, agentId: await makeAgent(ana) }
  for (const status of ['initiating', 'ringing', 'in_progress'] as const) {
    const call = await putCall(database.db, { ...owner, ...goingOn, status, recording: 'goes-on.wav' })
    putRecording(config.dataDir, 'goes-on.wav')
    assertError(await ana.delete(`${url}/${call.id}`), 409, /not ended/)
    assert.equal((await ana.get(`${url}/${call.id}`)).json.status, status)
    assert.equal(existsSync(join(config.dataDir, 'recordings', 'goes-on.wav')), true)
  }
})

test('137 an ended call cannot be hung up, and its end does not change', async () => {
  const { ana, database } = await testApp()
  const owner = { userId: ana.userId, agentId: await makeAgent(ana) }
  for (const status of ['completed', 'failed', 'busy', 'no_answer', 'canceled'] as const) {
    const call = await putCall(database.db, { ...owner, status })
    assertError(await ana.post(`${url}/${call.id}/hangup`), 409, /already ended/)
    const { json } = await ana.get(`${url}/${call.id}`)
    assert.deepEqual([json.status, json.endedAt], [status, call.endedAt])
  }
})

test('an end reason written by an older version is returned unchanged', async () => {
  const { ana, app, database } = await testApp()
  const call = { userId: ana.userId, agentId: await makeAgent(ana), endReason: 'reason_of_old' }
  const { id } = await putCall(database.db, call)
  // Without the client, which validates responses against the OpenAPI document.
  const answer = await app.http.inject({ url: `${url}/${id}`, headers: { 'x-api-key': ana.key } })
  assert.deepEqual([answer.statusCode, answer.json().endReason], [200, 'reason_of_old'])
})
