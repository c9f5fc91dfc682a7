// The user's own list of suppressed numbers: one row per number, effective in every campaign at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, anAgent, assertError, type Client, testApp } from '../../../test/app.ts'
import { newId } from '../../base/ids.ts'
import { now } from '../../base/time/clock.ts'
import { type NewEntry, suppressionStore } from './store.ts'

const hash = (number: string) => `hash of ${number}`

async function setUp() {
  const started = await testApp()
  const { db } = started.database
  const store = suppressionStore(db, hash)
  const suppress = (userId: string, number: string, changes: Partial<NewEntry> = {}) =>
    db.inTransaction((trx) =>
      store.suppress(trx, {
        userId,
        number,
        reason: 'opt_out',
        campaignId: null,
        callId: null,
        note: null,
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
      id: newId('cct'),
      userId,
      campaignId: campaign.id,
      phoneNumber: number,
      numberHash: hash(number),
      variables: '{"nome":"Maria"}',
      status,
      outcome: null,
      tries: 0,
      dueAt: at,
      dueReason: null,
      hasVoicemail: 0 as const,
      createdAt: at,
      updatedAt: at,
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

const mobile = '+5511987654321'
const numbers = (answer: { json: { phoneNumber: string | null }[] }) =>
  answer.json.map(({ phoneNumber }) => phoneNumber)

test('the API adds a number in any notation, once, and removes it; each with an event', async () => {
  const { ana, bia, events, contact } = await setUp()
  const added = await ana.post('/api/suppressions', { phoneNumber: '(11) 98765-4321', note: ' Pediu por e-mail ' })
  assert.equal(added.status, 201)
  const { id, ...rest } = added.json
  assert.deepEqual(
    [rest.phoneNumber, rest.reason, rest.note, rest.listId, rest.campaignId, rest.callId],
    [mobile, 'manual', 'Pediu por e-mail', null, null, null],
  )
  const twice = await Promise.all(
    [mobile, '+55 11 98765 4321'].map((phoneNumber) => ana.post('/api/suppressions', { phoneNumber })),
  )
  for (const { json } of twice) assert.deepEqual([json.id, json.note], [id, 'Pediu por e-mail'])
  assert.equal((await ana.get(`/api/suppressions/${id}`)).json.phoneNumber, mobile)
  for (const answer of [await bia.get(`/api/suppressions/${id}`), await bia.delete(`/api/suppressions/${id}`)])
    assertError(answer, 404)
  assert.deepEqual((await bia.get('/api/suppressions')).json, [])
  assert.equal((await bia.post('/api/suppressions/check', { phoneNumber: mobile })).json.isSuppressed, false)

  const { json: check } = await ana.post('/api/suppressions/check', { phoneNumber: '11987654321' })
  assert.deepEqual([check.phoneNumber, check.isSuppressed, check.suppressions[0].id], [mobile, true, id])
  assert.equal((await ana.delete(`/api/suppressions/${id}`)).json.id, id)
  assertError(await ana.delete(`/api/suppressions/${id}`), 404)
  assert.equal((await ana.post('/api/suppressions/check', { phoneNumber: mobile })).json.isSuppressed, false)
  const told = await events(ana)
  assert.deepEqual(
    told.map(({ type, data }) => [type, data.suppression.id]),
    [
      ['suppression.created', id],
      ['suppression.removed', id],
    ],
  )
  const waiting = await contact(ana, mobile)
  assert.equal((await waiting.read()).status, 'waiting')
})

test('removing a number revives no contact', async () => {
  const { ana, db, contact } = await setUp()
  const { numberHash, ...waiting } = await contact(ana, mobile)
  await ana.post('/api/suppressions', { phoneNumber: mobile })
  // The app's own hash, which this test cannot compute.
  const stored = await db
    .selectFrom('suppressions')
    .select(['id', 'numberHash'])
    .where('userId', '=', ana.userId)
    .executeTakeFirstOrThrow()
  assert.notEqual(stored.numberHash, numberHash)
  await db.updateTable('campaignContacts').set({ numberHash: stored.numberHash }).where('id', '=', waiting.id).execute()
  await ana.post('/api/suppressions', { phoneNumber: mobile })
  assert.equal((await waiting.read()).status, 'suppressed')
  await ana.delete(`/api/suppressions/${stored.id}`)
  assert.equal((await waiting.read()).status, 'suppressed')
})

test('what is no number of its country is refused with its field', async () => {
  const { ana } = await setUp()
  assertError(await ana.post('/api/suppressions', { phoneNumber: '123' }), 400, /phoneNumber: 123 .* BR/)
  assertError(await ana.post('/api/suppressions', { phoneNumber: mobile, reason: 'imported' }), 400)
  assertError(await ana.post('/api/suppressions', { phoneNumber: mobile, note: 'x'.repeat(501) }), 400)
  assertError(await ana.post('/api/suppressions', {}), 400)
  assertError(await ana.post('/api/suppressions/check', { phoneNumber: 'x' }), 400, /phoneNumber/)
  assertError(await ana.post('/api/suppressions', { phoneNumber: mobile, defaultCountry: 'brasil' }), 400)
  const { json } = await ana.post('/api/suppressions', { phoneNumber: '(202) 456-1111', defaultCountry: 'US' })
  assert.equal(json.phoneNumber, '+12024561111')
})

test('they are searched by number in any notation, a part of it, and words of the note, in pages', async () => {
  const { ana } = await setUp()
  const all = ['+5511987650001', '+5511987650002', '+551133330003']
  const notes = ['Ligou à tarde', 'e-mail', null]
  for (const [i, phoneNumber] of all.entries())
    await ana.post('/api/suppressions', { phoneNumber, note: notes[i], reason: i === 2 ? 'wrong_person' : 'opt_out' })
  const search = async (query: object) =>
    numbers(await ana.get(`/api/suppressions?${new URLSearchParams({ ...query })}`))
  assert.deepEqual(await search({}), all.toReversed())
  assert.deepEqual(await search({ q: '(11) 98765-0002' }), [all[1]])
  assert.deepEqual(await search({ q: '98765' }), [all[1], all[0]])
  assert.deepEqual(await search({ q: 'LIGOU tarde' }), [all[0]])
  assert.deepEqual(await search({ q: 'nada' }), [])
  assert.deepEqual(await search({ reason: 'opt_out' }), [all[1], all[0]])
  assert.deepEqual(await search({ reason: 'imported' }), [])
  assert.deepEqual(await search({ reason: 'opt_out', q: '3333' }), [])
  assert.deepEqual(await search({ listId: 'own', q: all[0] }), [all[0]])
  assert.deepEqual(await search({ listId: 'sul_unknown' }), [])
  const first = await ana.get('/api/suppressions?limit=2')
  const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
  assert.deepEqual([...numbers(first), ...numbers(await ana.get(next))], all.toReversed())
})

test('a forgotten number stays suppressed by its hash alone', async () => {
  const { ana, bia, db, events } = await setUp()
  const { id } = (await ana.post('/api/suppressions', { phoneNumber: mobile, note: 'Maria, por e-mail' })).json
  await bia.post('/api/suppressions', { phoneNumber: mobile })
  const other = (await ana.post('/api/suppressions', { phoneNumber: '+5511987650001' })).json
  const forget = async (dryRun: boolean) =>
    (await ana.post('/api/conversations/forget', { number: '+55 (11) 98765-4321', dryRun })).json.suppressions
  assert.equal(await forget(true), 1)
  assert.equal((await ana.get(`/api/suppressions/${id}`)).json.phoneNumber, mobile)
  assert.equal(await forget(false), 1)
  const { json } = await ana.get(`/api/suppressions/${id}`)
  assert.deepEqual([json.phoneNumber, json.note, json.reason], [null, null, 'manual'])
  assert.equal((await ana.post('/api/suppressions/check', { phoneNumber: mobile })).json.isSuppressed, true)
  assert.deepEqual(
    (await events(ana)).map(({ data }) => data.suppression.id),
    [other.id],
    'no event names it any more',
  )
  const stored = await db.selectFrom('suppressions').selectAll().where('userId', '=', ana.userId).execute()
  assert.ok(!JSON.stringify(stored.find((row) => row.id === id)).includes('98765'))
  assert.equal(await forget(false), 0)
  assert.equal(
    (await bia.post('/api/suppressions/check', { phoneNumber: mobile })).json.suppressions[0].phoneNumber,
    mobile,
  )
  const again = (await ana.post('/api/suppressions', { phoneNumber: mobile })).json
  assert.deepEqual([again.id, again.phoneNumber], [id, mobile], 'added again, it has its number again')
})
