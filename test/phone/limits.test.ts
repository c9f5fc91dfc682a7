// Limits on concurrent calls, call duration and destinations, also under concurrent requests.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client } from '../app.ts'
import { agentOnTrunk, ended, newNumber, type PhoneApp, startPhoneApp } from '../phone-app.ts'
import { openByHand } from '../phones/by-hand.ts'
import { startSipp } from '../phones/sipp.ts'
import { callee } from '../phones/sipp-scenarios.ts'
import { until } from '../until.ts'

const rowsOf = async (client: Client) => (await client.get('/api/calls')).json

async function refusedWith(app: PhoneApp, client: Client, carrier: Awaited<ReturnType<typeof openByHand>>, to: string) {
  const before = (await rowsOf(client)).length
  const response = await (await carrier.call(app.sipPort, { uri: to })).final()
  const [row] = await until('it is in the list', async () => {
    const rows = await rowsOf(client)
    return rows.length > before && rows
  })
  return { response, row }
}

test("above the user's limit a call is refused with 486, above the platform's with 503", async (t) => {
  const app = await startPhoneApp({ MAX_CALLS: '2', MAX_CALLS_PER_USER: '1' })
  const [one, two] = [await openByHand(t, '127.0.5.1'), await openByHand(t, '127.0.5.2')]
  const three = await openByHand(t, '127.0.5.3')
  const cid = await app.newUser('cid')
  const ofAna = await agentOnTrunk(app, app.ana, one.port, { trunk: { host: one.address } })
  const ofBia = await agentOnTrunk(app, app.bia, two.port, { trunk: { host: two.address } })
  const ofCid = await agentOnTrunk(app, cid, three.port, { trunk: { host: three.address } })
  const first = await one.call(app.sipPort, { uri: ofAna.number })
  await first.answered()
  const full = await refusedWith(app, app.ana, one, ofAna.number)
  assert.deepEqual([full.response.status, full.row.sipCode, full.row.endReason], [486, 486, 'concurrency_limit'])
  assert.match(full.row.endDetail, /This account carries 1 calls/)
  const second = await two.call(app.sipPort, { uri: ofBia.number })
  await second.answered()
  const elsewhere = await refusedWith(app, cid, three, ofCid.number)
  assert.equal(elsewhere.response.status, 503)
  assert.ok(Number(elsewhere.response.headers.get('retry-after')) >= 1)
  assert.match(elsewhere.row.endDetail, /This server carries 2 calls/)
  await first.bye()
  await second.bye()
  await until('all have left', () => app.app.phone?.live.total === 0)
  const again = await three.call(app.sipPort, { uri: ofCid.number })
  await again.answered()
  await again.bye()
})

test('a call ends at the maximum duration', async (t) => {
  const app = await startPhoneApp({ MAX_CALL_MINUTES: '0.05' })
  const carrier = await openByHand(t)
  const { number } = await agentOnTrunk(app, app.ana, carrier.port)
  const began = performance.now()
  const call = await carrier.call(app.sipPort, { uri: number })
  await call.answered()
  await call.over()
  assert.ok(performance.now() - began > 2500, 'not before')
  const [row] = await rowsOf(app.ana)
  const end = await ended(app.ana, row.id)
  assert.deepEqual([end.status, end.endReason, end.hangupBy], ['completed', 'max_duration', 'system'])
})

test("127 fifty calls at once wait for slots and never exceed the user's limit", async (t) => {
  const app = await startPhoneApp({ MAX_CALLS_PER_USER: '5', CALLS_PER_SECOND: '1000', MAX_CALLS: '100' })
  const there = await startSipp({ scenario: callee({ hangsUpAfterMs: 300 }), calls: 50, withinMs: 300_000 })
  t.after(there.stop)
  const { agentId } = await agentOnTrunk(app, app.ana, there.port, { type: 'outbound' })
  let most = 0
  const watching = setInterval(() => {
    most = Math.max(most, app.app.phone?.live.total ?? 0)
  }, 5)
  t.after(() => clearInterval(watching))
  const body = () => ({ agentId, toNumber: newNumber() })
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.ana.post('/api/calls/outbound', body())))
  assert.ok(answers.every(({ status, json }) => status === 201 && json.status === 'initiating'))
  const active = (await app.ana.get('/api/calls/outbound/active')).json
  assert.ok(active.length > 5 && active.some((call: { status: string }) => call.status === 'initiating'))
  for (const { json } of answers) {
    const { status, endDetail } = await ended(app.ana, json.callId, 120_000)
    assert.deepEqual([status, endDetail], ['completed', null])
  }
  assert.equal(most, 5)
  assert.equal((await there.succeeded()).statistics.get('SuccessfulCall(C)'), '50')
})

test('a trunk has its own limit, and calls wait for it when there is no other trunk', async (t) => {
  const app = await startPhoneApp({ CALLS_PER_SECOND: '1000' })
  const there = await startSipp({ scenario: callee({ hangsUpAfterMs: 300 }), calls: 6, withinMs: 60_000 })
  t.after(there.stop)
  const trunk = { maxConcurrentCalls: 2 }
  const { agentId } = await agentOnTrunk(app, app.ana, there.port, { type: 'outbound', trunk })
  let most = 0
  const watching = setInterval(() => {
    most = Math.max(most, app.app.phone?.live.total ?? 0)
  }, 5)
  t.after(() => clearInterval(watching))
  const calls = await Promise.all(
    Array.from({ length: 6 }, () => app.ana.post('/api/calls/outbound', { agentId, toNumber: newNumber() })),
  )
  for (const { json } of calls) assert.equal((await ended(app.ana, json.callId)).status, 'completed')
  assert.equal(most, 2)
})

test('a denied number is refused, also as a transfer target', async (t) => {
  let transferred: Promise<string> | undefined
  const app = await startPhoneApp(
    { DENIED_PREFIXES: '+5599' },
    {
      converse: async (_call, transport) => {
        transferred = transport
          .act({ do: 'transfer', to: '+559912345678' })
          .then(({ status, detail }) => `${status}: ${detail}`)
        for await (const _ of transport.input);
        return { endReason: 'agent_ended' }
      },
    },
  )
  const carrier = await openByHand(t)
  const { number, agentId } = await agentOnTrunk(app, app.ana, carrier.port)
  assertError(await app.ana.post('/api/calls/outbound', { agentId, toNumber: '+559912345678' }), 403)
  const call = await carrier.call(app.sipPort, { uri: number })
  await call.answered()
  const outcome = await until('the transfer is refused', () => transferred)
  assert.match(outcome, /failed: .*may not be called/)
  await call.bye()
  assert.equal(carrier.all('REFER').length, 0)
})
