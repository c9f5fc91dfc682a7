// The list of calls: live calls, and searches across several slices.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, type Client, testApp } from '../../../test/app.ts'
import { aCall, goingOn, putCall, putConversation } from '../../../test/call-rows.ts'
import type { CallRow } from '../../db/tables.ts'
import { callTurns } from './turn-store.ts'

async function withAgent() {
  const { ana, bia, database } = await testApp()
  const { id: agentId } = (await ana.post('/api/agents', anAgent)).json
  return { ana, bia, db: database.db, owner: { userId: ana.userId, agentId } }
}
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const ids = async (client: Client, query: string): Promise<string[]> =>
  (await client.get(`/api/calls?${query}`)).json.map(({ id }: CallRow) => id)

/** All pages of a list, following its Link headers. */
async function pages(client: Client, query: string): Promise<string[][]> {
  const all: string[][] = []
  for (let url: string | undefined = `/api/calls?${query}`; url; ) {
    const { json, headers } = await client.get(url)
    all.push(json.map(({ id }: CallRow) => id))
    url = /<([^>]+)>/.exec(String(headers.link ?? ''))?.[1]
  }
  return all
}

test('live=true returns the calls in progress in both directions, newest first, and live=false the others', async () => {
  const { ana, bia, db, owner } = await withAgent()
  const put = (minutes: number, call: Partial<CallRow>) =>
    putCall(db, { ...owner, ...goingOn, startedAt: minutesAgo(minutes), ...call })
  const talking = await put(5, { direction: 'inbound' })
  const ringing = await put(1, { status: 'ringing' })
  const waiting = await put(3, { status: 'initiating' })
  const moving = await put(4, { status: 'transferring', direction: 'inbound', channel: 'web' })
  const over = await putCall(db, { ...owner, startedAt: minutesAgo(2) })
  const live = [ringing.id, waiting.id, moving.id, talking.id]
  assert.deepEqual(await ids(ana, 'live=true'), live)
  assert.deepEqual(await ids(ana, 'live=false'), [over.id])
  assert.deepEqual(await ids(ana, 'live=true&direction=inbound'), [moving.id, talking.id])
  assert.deepEqual(await ids(ana, 'live=true&status=ringing'), [ringing.id])
  assert.deepEqual(await ids(ana, 'live=true&status=completed'), [])
  assert.deepEqual(await ids(ana, `live=true&q=${encodeURIComponent(waiting.toNumber)}`), [waiting.id])
  assert.deepEqual(await pages(ana, 'live=true&limit=3'), [live.slice(0, 3), live.slice(3)])
  assert.deepEqual(await ids(bia, 'live=true'), [])
  assertError(await ana.get('/api/calls?live=now'), 400, /live/)
})

test('test calls are marked, filtered out or listed alone, and counted, in both orders', async () => {
  const { ana, bia, db, owner } = await withAgent()
  const real = await putCall(db, { ...owner, startedAt: minutesAgo(3) })
  const tried = await putCall(db, { ...owner, startedAt: minutesAgo(2), isTest: 1, direction: 'inbound' })
  const marked = (await ana.get('/api/calls')).json.map(({ isTest }: { isTest: boolean }) => isTest)
  assert.deepEqual(marked, [true, false])
  assert.deepEqual(await ids(ana, 'isTest=true'), [tried.id])
  assert.deepEqual(await ids(ana, 'isTest=false'), [real.id])
  assert.deepEqual(await ids(ana, 'isTest=true&sort=durationSeconds'), [tried.id])
  const count = async (query: string, client = ana) => (await client.get(`/api/calls/count?${query}`)).json
  assert.deepEqual(await count(''), { count: 2, hasMore: false })
  assert.deepEqual(await count('isTest=true&direction=inbound'), { count: 1, hasMore: false })
  assert.deepEqual(await count('isTest=true&direction=outbound'), { count: 0, hasMore: false })
  assert.deepEqual(await count('', bia), { count: 0, hasMore: false })
  assertError(await ana.get('/api/calls?isTest=perhaps'), 400, /isTest/)
})

test('a list with details has summary, goal and response time of each call, and needs the scope of conversations', async () => {
  const { ana, db, owner } = await withAgent()
  const analysis = JSON.stringify({ summary: 'Booked for Friday.', success: true })
  const talk = await putConversation(db, { ...owner, analysis, analysisStatus: 'done' }, ['Olá'])
  const call = await putCall(db, { ...owner, startedAt: minutesAgo(2), conversationId: talk.id })
  await putCall(db, { ...owner, startedAt: minutesAgo(3) })
  await callTurns(db).save(call.id, [{ latency: { totalMs: 900 } }, { latency: { totalMs: 700 } }] as never)
  const details = async (query: string) =>
    (await ana.get(`/api/calls?${query}`)).json.map((one: Record<string, unknown>) => [
      one.summary,
      one.success,
      one.medianResponseMs,
    ])
  assert.deepEqual(await details('include=details'), [
    ['Booked for Friday.', true, 700],
    [null, null, null],
  ])
  assert.deepEqual(await details('limit=1'), [[undefined, undefined, undefined]])
  const only = await ana.withKey({ scopes: ['calls'] })
  assertError(await only.get('/api/calls?include=details'), 403)
  assert.equal((await only.get('/api/calls')).status, 200)
})

test('a search matches transcripts and numbers among thousands of calls, in pages', async () => {
  const { ana, bia, db, owner } = await withAgent()
  const many = Array.from({ length: 1200 }, (_, i) =>
    aCall({ ...owner, startedAt: minutesAgo(10 + i), toNumber: '+100' }),
  )
  for (let i = 0; i < many.length; i += 200)
    await db
      .insertInto('calls')
      .values(many.slice(i, i + 200))
      .execute()
  const said = async (minutes: number, words: string) => {
    const { id: conversationId } = await putConversation(db, owner, ['Olá', words])
    return (await putCall(db, { ...owner, conversationId, startedAt: minutesAgo(minutes), toNumber: '+200' })).id
  }
  const newest = await said(1, 'É NÃO?, e 100% certo')
  const middle = await said(700.5, 'Então não?')
  const oldest = await said(5000, 'Não_sei')
  const caller = await putCall(db, {
    ...owner,
    startedAt: minutesAgo(6000),
    toNumber: '+200',
    fromNumber: 'sip:Maria@example.com',
  })

  assert.deepEqual(await ids(ana, `q=${encodeURIComponent('não')}`), [newest, middle, oldest])
  assert.deepEqual(await ids(ana, `q=${encodeURIComponent('NÃO')}`), [newest, middle, oldest])
  assert.deepEqual(await pages(ana, `limit=1&q=${encodeURIComponent('não')}`), [[newest], [middle], [oldest]])
  assert.deepEqual(await pages(ana, 'q=n%C3%A3o?&limit=1'), [[newest], [middle]], 'a question mark in the query')
  assert.deepEqual(await ids(ana, `q=${encodeURIComponent('0% c')}`), [newest])
  assert.deepEqual(await ids(ana, `q=${encodeURIComponent('o_s')}`), [oldest])
  assert.deepEqual(await ids(ana, 'q=maria'), [caller.id])
  assert.deepEqual(await ids(ana, `q=${encodeURIComponent('não')}&from=${minutesAgo(60)}`), [newest])
  assert.equal((await ids(ana, `q=${encodeURIComponent('+100')}`)).length, 1200)
  assert.deepEqual(await ids(ana, 'q=nothing-of-it'), [])
  assert.deepEqual(await ids(bia, `q=${encodeURIComponent('não')}`), [])
})

test('conversationId filters to the call of that conversation, for its owner only', async () => {
  const { ana, bia, db, owner } = await withAgent()
  const { id: conversationId } = await putConversation(db, owner, ['Olá'])
  const call = await putCall(db, { ...owner, conversationId })
  await putCall(db, owner)
  assert.deepEqual(await ids(ana, `conversationId=${conversationId}`), [call.id])
  assert.deepEqual(await ids(bia, `conversationId=${conversationId}`), [])
})
