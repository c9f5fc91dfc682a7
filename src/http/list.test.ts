// Lists: whole and newest first, or paginated.
// @run gate-postgres
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../test/answers.ts'
import { aNumber, anAgent, assertError, type Client, testApp } from '../../test/app.ts'

const nextOf = (answer: Answer) => /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link ?? ''))?.[1]

/** All rows, page by page, following the Link header. */
async function walk(client: Client, start: string): Promise<{ rows: { id: string }[]; sizes: number[] }> {
  const rows: { id: string }[] = []
  const sizes: number[] = []
  for (let url: string | undefined = start; url; ) {
    const answer: Answer = await client.get(url)
    assert.equal(answer.status, 200, answer.text)
    assert.ok(Array.isArray(answer.json))
    rows.push(...answer.json)
    sizes.push(answer.json.length)
    url = nextOf(answer)
    assert.ok(sizes.length < 1000, 'the walk ends')
  }
  return { rows, sizes }
}

type Filled = { list: string; ids: string[] }

/** Seven records of each listed resource, with ids in creation order. */
async function fill(client: Client): Promise<Filled[]> {
  const { id: agentId } = (await client.post('/api/agents', anAgent)).json
  const made: Filled[] = []
  const add = async (list: string, create: () => Promise<Answer>, known: string[] = []) => {
    const ids = [...known]
    for (let i = 0; i < 7; i++) {
      const { status, json } = await create()
      assert.equal(status, 201)
      ids.push(json.id ?? json.callId)
    }
    made.push({ list, ids })
  }
  await add('/api/agents', () => client.post('/api/agents', anAgent), [agentId])
  await add('/api/tools', () => client.post('/api/tools', { name: 'x', type: 'custom' }))
  await add('/api/trunks', () => client.post('/api/trunks', { name: 'x' }))
  await add('/api/did', () => client.post('/api/did', { phoneNumber: aNumber(), countryCode: '55' }))
  await add('/api/gateway/devices', () => client.post('/api/gateway/devices', {}))
  await add('/api/conversations', () => client.post('/api/conversations/start', { agentId }))
  await add('/api/calls', () => client.post('/api/calls/outbound', { agentId, toNumber: '+5511999990000' }))
  const own = (await client.get('/api/api-keys')).json.map((key: { id: string }) => key.id)
  await add('/api/api-keys', () => client.post('/api/api-keys', { name: 'x' }), own)
  return made
}

test('11, 28 without a limit every list is one plain array of all rows, newest first', async () => {
  const { ana, bia } = await testApp()
  for (const { list, ids } of await fill(ana)) {
    const answer = await ana.get(list)
    assert.ok(Array.isArray(answer.json), list)
    const listed = answer.json.map((row: { id: string }) => row.id)
    assert.deepEqual(listed, ids.toReversed(), list)
    assert.equal(answer.headers.link, undefined, list)
    if (list !== '/api/api-keys') assert.deepEqual((await bia.get(list)).json, [], list)
  }
})

test('28 with a limit the Link header leads through each row once, in the same order', async () => {
  const { ana } = await testApp()
  for (const { list } of await fill(ana)) {
    const ids = (await ana.get(list)).json.map((row: { id: string }) => row.id)
    for (const limit of [1, 2, 3, ids.length - 1, ids.length, ids.length + 1, 500]) {
      const { rows, sizes } = await walk(ana, `${list}?limit=${limit}`)
      assert.deepEqual(
        rows.map((row) => row.id),
        ids,
        `${list} by ${limit}`,
      )
      assert.equal(sizes.length, Math.ceil(ids.length / limit), `${list} by ${limit}`)
    }
  }
})

test('28 the messages of a conversation are listed oldest first, whole and in pages', async () => {
  const { ana } = await testApp()
  const { id: agentId } = (await ana.post('/api/agents', anAgent)).json
  const { id } = (await ana.post('/api/conversations/start', { agentId })).json
  for (let i = 0; i < 12; i++)
    await ana.post(`/api/conversations/message/send/${id}`, { type: 'user', content: `message ${i}` })
  const said = Array.from({ length: 12 }, (_, i) => `message ${i}`)
  const contents = (rows: unknown[]) => rows.map((row) => (row as { content: string }).content)
  assert.deepEqual(contents((await ana.get(`/api/conversations/messages/${id}`)).json), said)
  assert.deepEqual(contents((await walk(ana, `/api/conversations/messages/${id}?limit=5`)).rows), said)
})

test('28 the link keeps the filters of the first request, and a cursor without a limit returns the rest', async () => {
  const { ana } = await testApp()
  const { id: agentId } = (await ana.post('/api/agents', anAgent)).json
  const { id: otherId } = (await ana.post('/api/agents', anAgent)).json
  for (const each of [agentId, otherId, agentId, otherId, agentId])
    await ana.post('/api/calls/outbound', { agentId: each, toNumber: '+5511999990000' })
  const { rows } = await walk(ana, `/api/calls?agentId=${agentId}&limit=2`)
  assert.deepEqual(
    rows.map((row) => (row as unknown as { agentId: string }).agentId),
    [agentId, agentId, agentId],
  )

  const all = (await ana.get('/api/calls')).json
  const first = await ana.get('/api/calls?limit=2')
  const cursor = new URL(nextOf(first) ?? '', 'http://x').searchParams.get('cursor')
  assert.deepEqual((await ana.get(`/api/calls?cursor=${cursor}`)).json.length, all.length - 2)
})

test('28 rows created or deleted during pagination do not affect other rows', async () => {
  const { ana } = await testApp()
  const make = async () => (await ana.post('/api/agents', anAgent)).json.id as string
  const ids: string[] = []
  for (let i = 0; i < 6; i++) ids.unshift(await make())
  const first = await ana.get('/api/agents?limit=2')
  await make()
  await ana.delete(`/api/agents/${ids[1]}`) // the row that the cursor points to
  await ana.delete(`/api/agents/${ids[4]}`)
  const { rows } = await walk(ana, nextOf(first) ?? '')
  assert.deepEqual(
    rows.map((row) => row.id),
    [ids[2], ids[3], ids[5]],
  )
})

test('28 rows with the same timestamp are all listed, whichever page they fall on', async () => {
  const { ana, database } = await testApp()
  for (let i = 0; i < 9; i++) await ana.post('/api/agents', anAgent)
  await database.db
    .updateTable('agents')
    .set({ createdAt: '2026-01-01T00:00:00.000Z' })
    .where('userId', '=', ana.userId)
    .execute()
  const ids = (await ana.get('/api/agents')).json.map((row: { id: string }) => row.id)
  assert.equal(new Set(ids).size, 9)
  assert.deepEqual(
    (await walk(ana, '/api/agents?limit=2')).rows.map((row) => row.id),
    ids,
  )
})

test('28 a limit is 1 to 500, and a cursor must come from the server', async () => {
  const { ana, bia } = await testApp()
  for (let i = 0; i < 3; i++) await ana.post('/api/agents', anAgent)
  for (const limit of ['0', '501', '-1', '1.5', 'x', '', '1&limit=2', '99999999999999999999'])
    assertError(await ana.get(`/api/agents?limit=${limit}`), 400)
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const bad = [
    'x',
    '',
    '%00',
    encoded([]),
    encoded(['a']),
    encoded([1, 2]),
    encoded(['a', 'b', 'c']),
    encoded(['a\0', 'b']),
    encoded({}),
  ]
  for (const cursor of [...bad, 'x'.repeat(2000)]) assertError(await ana.get(`/api/agents?cursor=${cursor}`), 400)
  const next = nextOf(await ana.get('/api/agents?limit=1')) ?? ''
  assert.deepEqual((await bia.get(next)).json, [], "a cursor opens no other user's list")
  assert.equal((await ana.get(next)).json.length, 1)
  assert.equal((await ana.get('/api/agents?unknown=1')).json.length, 3)
})

test('28 HEAD of a list has the Link header too', async () => {
  const { ana } = await testApp()
  for (let i = 0; i < 2; i++) await ana.post('/api/agents', anAgent)
  const head = await ana.send({ method: 'HEAD', url: '/api/agents?limit=1' })
  assert.ok(nextOf(head))
})
