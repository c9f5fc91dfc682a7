// Limits that two nodes on one PostgreSQL enforce together, as the called party sees them.
// @run postgres
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { newPostgresDatabase, usesPostgres } from '../app.ts'
import { campaignWith, start } from '../campaign-api.ts'
import { agentOnTrunk, ended, newNumber, type PhoneApp, startPhoneApp } from '../phone-app.ts'
import { openByHand } from '../phones/by-hand.ts'
import { startSipp } from '../phones/sipp.ts'
import { callee } from '../phones/sipp-scenarios.ts'
import { until } from '../until.ts'

async function twoNodes(env: Record<string, string>): Promise<[PhoneApp, PhoneApp]> {
  const database = { DATABASE_URL: await newPostgresDatabase({ isMigrated: true }), MASTER_KEY: 'm'.repeat(32) }
  return [await startPhoneApp({ ...database, ...env }), await startPhoneApp({ ...database, ...env })]
}

/** Requests a call by Ana through a node. */
async function order(node: PhoneApp, key: string, agentId: string, toNumber = newNumber()): Promise<string> {
  const { status, json, text } = await node.anonymous({
    method: 'POST',
    url: '/api/calls/outbound',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    payload: JSON.stringify({ agentId, toNumber }),
  })
  assert.equal(status, 201, text)
  return json.callId
}

type Seen = { atMs: number; callId: string; number: string; is: 'begun' | 'over' }

/**
 * sipp's view of its calls, in order: the first INVITE of each, and the BYE that it sent. A slow sipp is late but keeps
 * the order.
 */
function seenBy(messages: string): Seen[] {
  const begun = new Map<string, string>()
  return messages.split(/^-{20,} /m).flatMap((part): Seen[] => {
    const atMs = Date.parse(part.slice(0, 23).replace(' ', 'T'))
    const callId = /^Call-ID: *(.+?)\r?$/im.exec(part)?.[1]
    if (!callId) return []
    const isInvite = /message received.*\n\s*INVITE /.test(part)
    const isBye = /message sent.*\n\s*BYE /.test(part)
    if (isBye) return [{ atMs, callId, number: begun.get(callId) ?? '', is: 'over' }]
    const number = /^To: .*?sip:([^@>]+)@/im.exec(part)?.[1]
    if (!isInvite || number === undefined || begun.has(callId)) return []
    begun.set(callId, number)
    return [{ atMs, callId, number, is: 'begun' }]
  })
}

function mostAtOnce(seen: readonly Seen[]): number {
  const live = new Set<string>()
  let most = 0
  for (const { callId, is } of seen) {
    if (is === 'begun') live.add(callId)
    else live.delete(callId)
    most = Math.max(most, live.size)
  }
  return most
}

const calledParty = (calls: number) =>
  startSipp({ scenario: callee({ hangsUpAfterMs: 1500 }), calls, withinMs: 120_000 })

/** Keeps the user's calls from getting slots until `free` is called. */
async function holdSlots({ database: { db } }: PhoneApp, userId: string) {
  const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = db.inTransaction(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`callSlots ${userId}`}, 0))`.execute(trx)
    held.resolve()
    await free.promise
  })
  await held.promise
  const areAsked = async () => {
    const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
    return rows.length > 0
  }
  return {
    asked: () => until('a call asks for its slot', areAsked),
    async free() {
      free.resolve()
      await done
    },
  }
}

async function assertNoSlots({ app, database }: PhoneApp): Promise<void> {
  await until('the slots are released', async () => {
    const rows = await database.db.selectFrom('callSlots').selectAll().execute()
    return rows.length === 0 && app.phone?.live.total === 0
  })
}

if (usesPostgres) {
  test('calls ordered on two nodes never exceed the limits of their trunk and their user', async (t) => {
    const env = { MAX_CALLS_PER_USER: '3', CALLS_PER_SECOND: '1000', MAX_CALLS: '100' }
    const [one, two] = await twoNodes(env)
    const there = await calledParty(12)
    t.after(there.stop)
    const trunk = { maxConcurrentCalls: 2 }
    const agents = [
      await agentOnTrunk(one, one.ana, there.port, { type: 'outbound', trunk }),
      await agentOnTrunk(one, one.ana, there.port, { type: 'outbound', trunk }),
    ]
    await two.app.phone?.refresh()
    const numbers = Array.from({ length: 12 }, newNumber)
    const trunkOf = (number: string) => (numbers.indexOf(number) % 4 < 2 ? 0 : 1)
    const orders = numbers.map((number, i) =>
      order(i % 2 ? one : two, one.ana.key, agents[trunkOf(number)]?.agentId as string, number),
    )
    for (const callId of await Promise.all(orders)) {
      const { status, endDetail } = await ended(one.ana, callId, 120_000)
      assert.deepEqual([status, endDetail], ['completed', null])
    }
    const all = seenBy((await there.succeeded()).messages)
    for (const trunk of [0, 1]) {
      const seen = all.filter(({ number }) => trunkOf(number) === trunk)
      assert.equal(seen.filter(({ is }) => is === 'begun').length, 6)
      assert.equal(mostAtOnce(seen), 2, 'the trunk is used up to its limit')
    }
    assert.equal(mostAtOnce(all), 3)
    for (const node of [one, two]) await assertNoSlots(node)
  })

  test('calls ordered on two nodes keep the pace of their user', async (t) => {
    const [one, two] = await twoNodes({ CALLS_PER_SECOND: '2' })
    const there = await calledParty(8)
    t.after(there.stop)
    const { agentId } = await agentOnTrunk(one, one.ana, there.port, { type: 'outbound' })
    await two.app.phone?.refresh()
    await Promise.all(Array.from({ length: 8 }, (_, i) => order(i % 2 ? one : two, one.ana.key, agentId)))
    const begun = seenBy((await there.succeeded()).messages).filter(({ is }) => is === 'begun')
    const spanMs = (begun.at(-1)?.atMs ?? 0) - (begun[0]?.atMs ?? 0)
    assert.equal(begun.length, 8)
    assert.ok(spanMs > 1900, `seven gaps of half a second took ${spanMs} ms: each node alone would need 1500`)
  })

  test('an inbound call on one node is refused while the calls of the other fill the account', async (t) => {
    const [one, two] = await twoNodes({ MAX_CALLS_PER_USER: '1' })
    const carrier = await openByHand(t)
    const { number } = await agentOnTrunk(one, one.ana, carrier.port)
    await two.app.phone?.refresh()
    const first = await carrier.call(one.sipPort, { uri: number })
    await first.answered()
    const refused = await (await carrier.call(two.sipPort, { uri: number })).final()
    assert.equal(refused.status, 486)
    await first.bye()
    await until('the call has ended', async () => (await one.ana.get('/api/calls?live=true')).json.length === 0)
    const again = await carrier.call(two.sipPort, { uri: number })
    await again.answered()
    await again.bye()
  })

  test('a caller who hangs up while the slot is acquired leaves none behind', async (t) => {
    const app = await startPhoneApp({ MAX_CALLS_PER_USER: '1' })
    const carrier = await openByHand(t)
    const { number } = await agentOnTrunk(app, app.ana, carrier.port)
    const slots = await holdSlots(app, app.ana.userId)
    const call = await carrier.call(app.sipPort, { uri: number })
    await slots.asked()
    call.cancel()
    assert.equal((await call.final()).status, 487)
    await slots.free()
    const row = await until('the call is listed', async () => (await app.ana.get('/api/calls')).json[0])
    assert.deepEqual([row.status, row.endReason], ['canceled', 'caller_hangup'])
    await assertNoSlots(app)
    const next = await carrier.call(app.sipPort, { uri: number })
    await next.answered()
    await next.bye()
    await assertNoSlots(app)
  })

  test('an outbound call that is hung up while its slot is acquired is not dialled, and leaves no slot behind', async (t) => {
    const app = await startPhoneApp({ MAX_CALLS_PER_USER: '1' })
    const carrier = await openByHand(t)
    const { agentId } = await agentOnTrunk(app, app.ana, carrier.port, { type: 'outbound' })
    const slots = await holdSlots(app, app.ana.userId)
    const callId = await order(app, app.ana.key, agentId)
    await slots.asked()
    assert.equal((await app.ana.post(`/api/calls/${callId}/hangup`)).status, 200)
    await slots.free()
    assert.equal((await ended(app.ana, callId)).status, 'canceled')
    await assertNoSlots(app)
    assert.equal(carrier.all('INVITE').length, 0)
  })

  test('a campaign that two nodes dial keeps its share of the account, and calls everybody once', async (t) => {
    const env = { MAX_CALLS_PER_USER: '4', CAMPAIGN_MAX_SHARE: '0.5', CALLS_PER_SECOND: '50', MAX_CALLS: '100' }
    const [one, two] = await twoNodes(env)
    const there = await calledParty(8)
    t.after(there.stop)
    const { agentId, trunkId } = await agentOnTrunk(one, one.ana, there.port, { type: 'outbound' })
    await two.app.phone?.refresh()
    const pacing = { maxConcurrentCalls: 100, callsPerSecond: 50 }
    const id = await campaignWith(one.ana, { agentId, trunkId, pacing }, Array.from({ length: 8 }, newNumber))
    await start(one.ana, id)
    const seen = seenBy((await there.succeeded()).messages)
    assert.equal(seen.filter(({ is }) => is === 'begun').length, 8)
    assert.equal(mostAtOnce(seen), 2)
  })
}
