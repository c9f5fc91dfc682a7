// Limits that two nodes on one PostgreSQL keep together, as the called party sees them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
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

/** Orders a call of ana through a node. */
async function order(node: PhoneApp, key: string, agentId: string): Promise<string> {
  const { status, json, text } = await node.anonymous({
    method: 'POST',
    url: '/api/calls/outbound',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    payload: JSON.stringify({ agentId, toNumber: newNumber() }),
  })
  assert.equal(status, 201, text)
  return json.callId
}

type Seen = { atMs: number; callId: string; is: 'begun' | 'over' }

/** What sipp saw of its calls, in order: the first INVITE of each, and the BYE that it sent. */
function seenBy(messages: string): Seen[] {
  const begun = new Set<string>()
  return messages.split(/^-{20,} /m).flatMap((part): Seen[] => {
    const atMs = Date.parse(part.slice(0, 23).replace(' ', 'T'))
    const callId = /^Call-ID: *(.+?)\r?$/im.exec(part)?.[1]
    if (!callId) return []
    const isInvite = /message received.*\n\s*INVITE /.test(part)
    const isBye = /message sent.*\n\s*BYE /.test(part)
    if (isBye) return [{ atMs, callId, is: 'over' }]
    if (!isInvite || begun.has(callId)) return []
    begun.add(callId)
    return [{ atMs, callId, is: 'begun' }]
  })
}

/** The most calls at once that these parties saw together. */
function mostAtOnce(...parties: Seen[][]): number {
  const live = new Set<string>()
  let most = 0
  for (const { callId, is } of parties.flat().sort((a, b) => a.atMs - b.atMs)) {
    if (is === 'begun') live.add(callId)
    else live.delete(callId)
    most = Math.max(most, live.size)
  }
  return most
}

const calledParty = (calls: number) =>
  startSipp({ scenario: callee({ hangsUpAfterMs: 1500 }), calls, withinMs: 120_000 })

if (usesPostgres) {
  test('calls ordered on two nodes never exceed the limits of their trunk and their user', async (t) => {
    const env = { MAX_CALLS_PER_USER: '3', CALLS_PER_SECOND: '1000', MAX_CALLS: '100' }
    const [one, two] = await twoNodes(env)
    const [a, b] = [await calledParty(6), await calledParty(6)]
    t.after(a.stop)
    t.after(b.stop)
    const trunk = { maxConcurrentCalls: 2 }
    const agents = [
      await agentOnTrunk(one, one.ana, a.port, { type: 'outbound', trunk }),
      await agentOnTrunk(one, one.ana, b.port, { type: 'outbound', trunk }),
    ]
    await two.app.phone?.refresh()
    const orders = Array.from({ length: 12 }, (_, i) =>
      order(i % 2 ? one : two, one.ana.key, agents[i % 4 < 2 ? 0 : 1]?.agentId as string),
    )
    for (const callId of await Promise.all(orders))
      assert.equal((await ended(one.ana, callId, 120_000)).status, 'completed')
    const [ofA, ofB] = [seenBy((await a.succeeded()).messages), seenBy((await b.succeeded()).messages)]
    for (const seen of [ofA, ofB]) {
      assert.equal(seen.filter(({ is }) => is === 'begun').length, 6)
      assert.equal(mostAtOnce(seen), 2, 'the trunk is used up to its limit')
    }
    assert.equal(mostAtOnce(ofA, ofB), 3)
    assert.deepEqual(await one.database.db.selectFrom('callSlots').selectAll().execute(), [])
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
    assert.ok(spanMs > 2600, `seven gaps of half a second took ${spanMs} ms: each node alone would need 1500`)
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
