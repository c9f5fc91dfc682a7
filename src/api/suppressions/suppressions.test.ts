// The user's own list of suppressed numbers: one row for each number, effective in every campaign at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, anAgent, type Client, testApp } from '../../../test/app.ts'
import { now } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import { type NewEntry, suppressionStore } from './store.ts'

const hash = (number: string) => `hash of ${number}`

async function setUp() {
  const started = await testApp()
  const { db } = started.database
  const store = suppressionStore(db, hash)
  const suppress = (userId: string, number: string, changes: Partial<NewEntry> = {}) =>
    db.inTransaction((trx) =>
      store.suppress(trx, {
        ...{ userId, number, reason: 'opt_out', campaignId: null, callId: null, note: null },
        ...changes,
      }),
    )
  const events = async ({ userId }: Client) =>
    (
      await db
        .selectFrom('events')
        .select(['type', 'data'])
        .where('userId', '=', userId)
        .where((e) => e.or([e('type', 'like', 'suppression.%'), e('type', 'like', 'campaign.contact.%')]))
        .orderBy('sequence')
        .execute()
    ).map(({ type, data }) => ({ type, data: JSON.parse(data) }))

  /** A contact of a new campaign. */
  async function contact({ userId, post }: Client, number: string, status: 'waiting' | 'calling' = 'waiting') {
    const { id: agentId } = (await post('/api/agents', anAgent)).json
    const campaign = (await post('/api/campaigns', { name: 'Lista', agentId })).json
    const at = now()
    const row = {
      ...{ id: newId('cct'), userId, campaignId: campaign.id, phoneNumber: number, numberHash: hash(number) },
      ...{ variables: '{"nome":"Maria"}', status, outcome: null, tries: 0, dueAt: at, dueReason: null },
      ...{ hasVoicemail: 0 as const, createdAt: at, updatedAt: at },
    }
    await db.insertInto('campaignContacts').values(row).execute()
    return {
      ...row,
      read: () => db.selectFrom('campaignContacts').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow(),
    }
  }
  return { ...started, db, store, suppress, events, contact }
}

test('a number is stored once, however many ask at once, with one event', async () => {
  const { ana, bia, store, suppress, events } = await setUp()
  const number = aNumber()
  const rows = await Promise.all(Array.from({ length: 8 }, () => suppress(ana.userId, number)))
  assert.equal(new Set(rows.map(({ id }) => id)).size, 1)
  const [event, ...more] = await events(ana)
  assert.deepEqual(more, [])
  assert.equal(event?.type, 'suppression.created')
  const { suppression } = event?.data ?? {}
  assert.deepEqual([suppression.phoneNumber, suppression.reason, suppression.listId], [number, 'opt_out', null])
  const found = await store.find(ana.userId, [hash(number), hash(aNumber())])
  assert.deepEqual([...found], [[hash(number), { listId: null, reason: 'opt_out' }]])
  assert.equal((await store.find(bia.userId, [hash(number)])).size, 0)
  assert.deepEqual(await store.versions(ana.userId), { own: 1, lists: [] })
  assert.deepEqual(await store.versions(bia.userId), { own: 0, lists: [] })
})

test('waiting contacts with the number end in every campaign of the user', async () => {
  const { ana, bia, suppress, events, contact } = await setUp()
  const [number, other] = [aNumber(), aNumber()]
  const ended = [await contact(ana, number), await contact(ana, number)]
  const untouched = [await contact(ana, other), await contact(ana, number, 'calling'), await contact(bia, number)]
  await suppress(ana.userId, number)
  for (const { read } of ended) {
    const { status, outcome, dueAt } = await read()
    assert.deepEqual([status, outcome, dueAt], ['suppressed', 'suppressed', null])
  }
  for (const { read, status } of untouched) assert.equal((await read()).status, status)
  const told = await events(ana)
  assert.deepEqual(
    told.map(({ type }) => type),
    ['suppression.created', 'campaign.contact.completed', 'campaign.contact.completed'],
  )
  assert.deepEqual(new Set(told.slice(1).map(({ data }) => data.contact.id)), new Set(ended.map(({ id }) => id)))
  const late = await contact(ana, number)
  await suppress(ana.userId, number)
  assert.equal((await late.read()).status, 'suppressed', 'also when the number was on the list already')
  assert.equal((await events(ana)).filter(({ type }) => type === 'suppression.created').length, 1)
})
