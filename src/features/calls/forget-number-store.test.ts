// conversations/forget removes all data of a number, and nothing else.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { anAgent, assertError, type Client, testApp } from '../../../test/app.ts'
import { aCall, goingOn, putCall, putConversation, putRecording } from '../../../test/call-rows.ts'
import { putText } from '../../../test/text-rows.ts'
import { until } from '../../../test/until.ts'

const HERS = '+5511977776666'
const OURS = '+551133334444'
const forget = (client: Client, number: string, dryRun?: boolean) =>
  client.post('/api/conversations/forget', { number, ...(dryRun === undefined ? {} : { dryRun }) })

async function busyUser() {
  const base = await testApp()
  const { ana, database } = base
  const { json: agent } = await ana.post('/api/agents', anAgent)
  return { ...base, db: database.db, owner: { userId: ana.userId, agentId: agent.id as string } }
}

test('all finished calls with a number are removed, in either direction and any notation; a dry run only counts', async () => {
  const { ana, bia, db, owner, config } = await busyUser()
  const { id: conversationId } = await putConversation(db, { ...owner, status: 'ended' }, ['Alô', 'Sou eu'])
  putRecording(config.dataDir, 'forget-me.wav')
  const inbound = { ...owner, direction: 'inbound', toNumber: OURS } as const
  const gone = [
    await putCall(db, { ...inbound, fromNumber: HERS, conversationId, recording: 'forget-me.wav' }),
    await putCall(db, { ...inbound, fromNumber: HERS.slice(1), status: 'failed' }),
    await putCall(db, { ...owner, toNumber: HERS, fromNumber: OURS }),
  ]
  const stay = [
    await putCall(db, { ...inbound, fromNumber: '+5511977776667' }),
    await putCall(db, { ...inbound, fromNumber: null }),
    await putCall(db, { ...owner, toNumber: OURS, fromNumber: HERS }), // here her number is in our position
    await putCall(db, { ...inbound, fromNumber: '011977776666' }),
    await putCall(db, { ...inbound, fromNumber: HERS, ...goingOn }),
  ]
  const { json: agent } = await bia.post('/api/agents', anAgent)
  const foreign = await putCall(db, { ...inbound, userId: bia.userId, agentId: agent.id, fromNumber: HERS })

  const counts = {
    calls: 3,
    recordings: 1,
    conversations: 1,
    texts: 0,
    callbacks: 0,
    contacts: 0,
    suppressions: 0,
    underWay: 1,
    similar: ['011977776666'],
  }
  const dry = await forget(ana, '+55 (11) 97777-6666', true)
  assert.equal(dry.status, 200)
  assert.deepEqual(dry.json, { number: HERS, dryRun: true, ...counts })
  assert.equal((await ana.get('/api/calls')).json.length, gone.length + stay.length)
  assert.deepEqual((await forget(ana, '005511977776666')).json, { number: HERS, dryRun: false, ...counts })
  const left = (await ana.get('/api/calls')).json.map(({ id }: { id: string }) => id)
  assert.deepEqual(left.sort(), stay.map(({ id }) => id).sort())
  assertError(await ana.get(`/api/conversations/${conversationId}`), 404)
  await until('the file is deleted', () => !existsSync(join(config.dataDir, 'recordings', 'forget-me.wav')))
  assert.equal((await bia.get(`/api/calls/${foreign.id}`)).status, 200, "another user's call stays")
  const again = { ...counts, calls: 0, recordings: 0, conversations: 0 }
  assert.deepEqual((await forget(ana, HERS)).json, { number: HERS, dryRun: false, ...again })
})

test('texts with a number are removed with their conversations; those in progress stay', async () => {
  const { ana, db, owner } = await busyUser()
  const { json: device } = await ana.post('/api/gateway/devices', { agentId: owner.agentId })
  const write = (key: string, peer: string, conversationId: string | null, status: 'answered' | 'waiting') =>
    putText(db, { userId: ana.userId, deviceId: device.id, key, peer, text: `of ${key}`, conversationId, status })
  const old = new Date(Date.now() - 2 * 86_400_000).toISOString()
  const talk = async (more: object) => (await putConversation(db, { ...owner, ...more }, ['Oi'])).id
  const ended = await talk({ status: 'ended' })
  const silent = await talk({ startedAt: old, lastMessageAt: old })
  const goesOn = await talk({ lastMessageAt: new Date().toISOString() })
  const other = await talk({ status: 'ended' })
  await write('ended', HERS.slice(1), ended, 'answered')
  await write('silent', HERS, silent, 'answered')
  await write('alone', HERS, null, 'answered')
  await write('goesOn', HERS, goesOn, 'answered')
  await write('waits', HERS, null, 'waiting')
  await write('other', '+5511900000000', other, 'answered')

  const counts = {
    calls: 0,
    recordings: 0,
    conversations: 2,
    texts: 3,
    callbacks: 0,
    contacts: 0,
    suppressions: 0,
    underWay: 1,
    similar: [],
  }
  assert.deepEqual((await forget(ana, HERS)).json, { number: HERS, dryRun: false, ...counts })
  for (const id of [ended, silent]) assertError(await ana.get(`/api/conversations/${id}`), 404)
  for (const id of [goesOn, other]) assert.equal((await ana.get(`/api/conversations/${id}`)).status, 200)
  const rows = await db.selectFrom('deviceTexts').select('key').where('userId', '=', ana.userId).execute()
  assert.deepEqual(rows.map(({ key }) => key).sort(), ['goesOn', 'other', 'waits'])
  const events = await db.selectFrom('events').select('data').where('userId', '=', ana.userId).execute()
  const told = events.flatMap(({ data }) => JSON.parse(data).text?.content ?? [])
  assert.deepEqual(told.sort(), ['of goesOn', 'of other', 'of waits'])
})

test('the calls of a number are found among 1,200', async () => {
  const { ana, db, owner } = await busyUser()
  const many = Array.from({ length: 1200 }, (_, i) =>
    aCall({ ...owner, toNumber: i % 400 === 7 ? HERS : `+55119000${String(i).padStart(5, '0')}` }),
  )
  for (let i = 0; i < many.length; i += 100)
    await db
      .insertInto('calls')
      .values(many.slice(i, i + 100))
      .execute()
  assert.equal((await forget(ana, HERS)).json.calls, 3)
  assert.equal((await ana.get('/api/calls')).json.length, 1197)
})

test('an invalid number is a 400, and a key without both scopes a 403', async () => {
  const { ana } = await testApp()
  for (const wrong of ['ana', '12', '+', '%', '*', '5511*'])
    assertError(await forget(ana, wrong), 400, /^number must be a telephone number/)
  for (const body of [{}, { number: 5 }, { number: ' ' }, { number: HERS, dryRun: 'yes' }])
    assertError(await ana.post('/api/conversations/forget', body), 400)
  const talks = await ana.withKey({ scopes: ['conversations'] })
  assertError(await forget(talks, HERS, true), 403, 'This key does not have the scope calls')
  const both = await ana.withKey({ scopes: ['conversations', 'calls'] })
  assert.equal((await forget(both, HERS, true)).status, 200)
})
