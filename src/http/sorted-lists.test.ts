// Sorted, filtered and searched lists: every order has each row exactly once, whatever the page size and concurrent
// writes.
// @run own-process: it measures memory and the event loop, or moves the clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../test/answers.ts'
import { aNumber, anAgent, assertError, type Client, testApp } from '../../test/app.ts'
import { aCall, putConversation } from '../../test/call-rows.ts'
import type { Db } from '../db/database.ts'

type Row = { id: string } & Record<string, unknown>
const nextOf = (answer: Answer) => /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link ?? ''))?.[1]

async function walk(client: Client, start: string, between: () => Promise<unknown> = async () => {}): Promise<Row[]> {
  const rows: Row[] = []
  for (let url: string | undefined = start; url; ) {
    const answer: Answer = await client.get(url)
    assert.equal(answer.status, 200, answer.text)
    rows.push(...answer.json)
    url = nextOf(answer)
    assert.ok(rows.length < 1000, 'the walk ends')
    await between()
  }
  return rows
}

/** Pseudo-random numbers, the same in every run. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % below
  }
}

const names = ['ana', 'Ana', 'Álvaro', 'bia', 'Bia 2', 'ção', 'Zé', 'zebra', '_x', '10', '9']
const lists = {
  '/api/agents': ['name', 'language', 'updatedAt', 'createdAt'],
  '/api/tools': ['name', 'type', 'updatedAt', 'createdAt'],
  '/api/trunks': ['name', 'createdAt'],
  '/api/did': ['phoneNumber', 'status', 'createdAt'],
  '/api/calls': ['startedAt', 'durationSeconds'],
  '/api/conversations': ['startedAt'],
} as const

/** Many rows with equal values, so that ids decide between them. */
async function fill(client: Client, db: Db): Promise<void> {
  const roll = dice(7)
  const name = () => names[roll(names.length)] as string
  const agents: string[] = []
  for (let i = 0; i < 14; i++) {
    const language = ['pt-BR', 'en-US', 'es-ES'][roll(3)]
    agents.push((await client.post('/api/agents', { ...anAgent, name: name(), language })).json.id)
    const type = ['custom', 'dtmf', 'end_call'][roll(3)]
    await client.post('/api/tools', { name: name(), type })
    await client.post('/api/trunks', { name: name() })
    const { id } = (await client.post('/api/did', { phoneNumber: aNumber(), countryCode: '55' })).json
    if (roll(2)) await client.patch(`/api/did/${id}`, { status: 'inactive' })
    await client.post('/api/conversations/start', { agentId: agents[0] })
  }
  const calls = Array.from({ length: 60 }, () => {
    const startedMs = Date.parse('2026-05-01T12:00:00Z') + roll(8) * 60_000
    const at = (seconds: number) => new Date(startedMs + seconds * 1000).toISOString()
    const isAnswered = roll(4) > 0
    return aCall({
      userId: client.userId,
      agentId: agents[roll(agents.length)] ?? null,
      startedAt: at(0),
      ...(isAnswered ? { answeredAt: at(2), endedAt: at(2 + roll(5)) } : { answeredAt: null, endedAt: at(9) }),
    })
  })
  await db.insertInto('calls').values(calls).execute()
}

test('every order of every list has each row once, in pages of any size and without pages', async () => {
  const { ana, bia, database } = await testApp()
  await fill(ana, database.db)
  await fill(bia, database.db)
  const roll = dice(3)
  for (const [list, sorts] of Object.entries(lists)) {
    const own = new Set((await ana.get(list)).json.map(({ id }: Row) => id))
    for (const sort of sorts.flatMap((name) => [name, `-${name}`])) {
      const whole: Row[] = (await ana.get(`${list}?sort=${sort}`)).json
      const ids = whole.map(({ id }) => id)
      assert.equal(new Set(ids).size, own.size, `${list} by ${sort}`)
      assert.ok(ids.every((id) => own.has(id)))
      for (const limit of [1 + roll(3), 4 + roll(20)]) {
        const paged = await walk(ana, `${list}?sort=${sort}&limit=${limit}`)
        assert.deepEqual(paged, whole, `${list} by ${sort}, ${limit} a page`)
      }
      const opposite = sort.startsWith('-') ? sort.slice(1) : `-${sort}`
      const other: Row[] = (await ana.get(`${list}?sort=${opposite}`)).json
      assert.deepEqual(other.map(({ id }) => id).reverse(), ids, `${list} by ${opposite} is the reverse`)
    }
  }
})

test('the orders are those of the values', async () => {
  const { ana, database } = await testApp()
  await fill(ana, database.db)
  const values = async (list: string, sort: string, field: string) =>
    (await ana.get(`${list}?sort=${sort}`)).json.map((row: Row) => row[field])
  const isSorted = (all: unknown[]) => all.every((value, i) => i === 0 || (all[i - 1] as number) <= (value as number))
  assert.ok(
    isSorted((await values('/api/calls', 'durationSeconds', 'durationSeconds')).map((s: number | null) => s ?? -1)),
  )
  assert.ok(isSorted(await values('/api/calls', 'startedAt', 'startedAt')))
  assert.ok(isSorted(await values('/api/did', 'phoneNumber', 'phoneNumber')))
  const ascii = (await values('/api/agents', 'name', 'name')).filter((name: string) => /^[a-z]+$/i.test(name))
  assert.ok(isSorted(ascii.map((name: string) => name.toLowerCase())), 'without case')
})

test('rows written between two pages neither repeat nor hide others', async () => {
  const { ana, database } = await testApp()
  await fill(ana, database.db)
  for (const sort of ['name', '-name', 'updatedAt']) {
    const before = (await ana.get(`/api/agents?sort=${sort}`)).json.map(({ id }: Row) => id)
    const paged = await walk(ana, `/api/agents?sort=${sort}&limit=4`, () => ana.post('/api/agents', anAgent))
    const ids = paged.map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length, `${sort}: none twice`)
    assert.deepEqual(
      ids.filter((id) => before.includes(id)),
      before,
      `${sort}: all that were there`,
    )
  }
})

test('a cursor of another order, and an order that does not exist, are refused', async () => {
  const { ana, database } = await testApp()
  await fill(ana, database.db)
  const cursorOf = (answer: Answer) => new URLSearchParams(nextOf(answer)?.split('?')[1]).get('cursor')
  const byName = cursorOf(await ana.get('/api/agents?sort=name&limit=2'))
  const plain = cursorOf(await ana.get('/api/agents?limit=2'))
  for (const query of [`cursor=${byName}`, `sort=-name&cursor=${byName}`, `sort=name&cursor=${plain}`])
    assertError(await ana.get(`/api/agents?limit=2&${query}`), 400, /cursor/)
  for (const sort of ['systemPrompt', '--name', 'name,id', '', 'userId'])
    assertError(await ana.get(`/api/agents?sort=${sort}`), 400, /sort/)
  const forged = Buffer.from(JSON.stringify(['9'.repeat(40), 'x', 'durationSeconds'])).toString('base64url')
  assert.deepEqual((await ana.get(`/api/calls?limit=2&sort=durationSeconds&cursor=${forged}`)).json, [])
})

test('search and filters: words without accents, numbers in any notation, pages of what matches', async () => {
  const { ana, bia } = await testApp()
  const make = (path: string, body: object) => ana.post(path, body)
  for (let i = 0; i < 6; i++) await make('/api/agents', { ...anAgent, name: `Recepção ${i}`, direction: 'inbound' })
  await make('/api/agents', {
    ...anAgent,
    name: 'Cobrança',
    description: 'Liga para a recepcao',
    direction: 'outbound',
  })
  await bia.post('/api/agents', { ...anAgent, name: 'Recepção de outra pessoa' })
  const found = async (query: string) => (await walk(ana, `/api/agents?limit=2&${query}`)).map(({ name }) => name)
  assert.equal((await found('q=RECEPCAO')).length, 7)
  assert.deepEqual(await found('q=recep%C3%A7%C3%A3o%203'), ['Recepção 3'])
  assert.deepEqual(await found('q=recepcao&direction=outbound'), ['Cobrança'])
  assert.deepEqual((await found('q=recepcao&direction=inbound&sort=name'))[0], 'Recepção 0')
  assert.deepEqual(await found('isActive=false'), [])

  await make('/api/did', { phoneNumber: '+5511987650001', countryCode: '55', provider: 'Vivo' })
  await make('/api/did', { phoneNumber: '+5521912340002', countryCode: '55' })
  const numbers = async (q: string) =>
    (await ana.get(`/api/did?q=${encodeURIComponent(q)}`)).json.map((row: Row) => row.phoneNumber)
  for (const q of ['(11) 98765-0001', '+55 11 98765', 'vivo']) assert.deepEqual(await numbers(q), ['+5511987650001'], q)

  await make('/api/tools', { name: 'agenda', type: 'custom' })
  await make('/api/tools', { name: 'agenda 2', type: 'end_call' })
  assert.deepEqual(
    (await ana.get('/api/tools?q=agenda&type=end_call')).json.map((row: Row) => row.name),
    ['agenda 2'],
  )
  assertError(await ana.get(`/api/agents?q=${'x'.repeat(300)}`), 400, /q/)
})

test('conversations: by agent, channel, time and words; with their calls only when asked for', async () => {
  const { ana, bia, database } = await testApp()
  const { db } = database
  const agentId = (await ana.post('/api/agents', anAgent)).json.id
  const other = (await ana.post('/api/agents', anAgent)).json.id
  const owner = { userId: ana.userId, agentId }
  const chat = (await ana.post('/api/conversations/start', { agentId: other, title: 'Orçamento' })).json.id
  const { id: spoken } = await putConversation(db, owner, ['Olá', 'quero remarcar'])
  const web = (await putConversation(db, owner, ['oi'])).id
  await db
    .insertInto('calls')
    .values([
      aCall({ ...owner, conversationId: spoken, direction: 'inbound', fromNumber: '+5511987650001' }),
      aCall({ ...owner, conversationId: web, channel: 'web', direction: 'inbound' }),
    ])
    .execute()
  const ids = async (query: string) =>
    (await ana.get(`/api/conversations?${query}`)).json.map(({ id }: Row) => id).sort()
  assert.deepEqual(await ids('channel=text'), [chat])
  assert.deepEqual(await ids('channel=sip'), [spoken])
  assert.deepEqual(await ids(`agentId=${agentId}`), [spoken, web].sort())
  assert.deepEqual(await ids('q=orcamento'), [chat])
  assert.deepEqual(await ids('q=remarcar'), [spoken])
  assert.deepEqual(await ids(`q=${encodeURIComponent('11 98765-0001')}`), [spoken])
  assert.deepEqual(await ids('from=2999-01-01T00:00:00Z'), [])
  assert.deepEqual((await bia.get('/api/conversations?q=remarcar')).json, [])

  const plain: Row[] = (await ana.get('/api/conversations')).json
  assert.ok(plain.length > 0)
  assert.ok(plain.every((row) => !('call' in row)))
  const withCalls: Row[] = (await ana.get('/api/conversations?include=call')).json
  const callOf = (id: string) => withCalls.find((row) => row.id === id)?.call as Row | null
  assert.equal(callOf(chat), null)
  assert.equal(callOf(spoken)?.fromNumber, '+5511987650001')
  assert.equal(callOf(web)?.channel, 'web')
  const narrow = await ana.withKey({ name: 'narrow', scopes: ['conversations'] })
  assertError(await narrow.get('/api/conversations?include=call'), 403, /calls/)
  assert.equal((await narrow.get('/api/conversations')).status, 200)
})
