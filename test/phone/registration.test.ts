// Trunk status: registration with a carrier, and OPTIONS pings.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SipRequest } from '../../src/sip/message/message.ts'
import type { Client } from '../app.ts'
import { agentOnTrunk, ended, startPhoneApp } from '../phone-app.ts'
import { openByHand } from '../phones/by-hand.ts'
import { startCarrier } from '../phones/kamailio.ts'
import { freeUdpPort } from '../phones/ports.ts'
import { runSipp } from '../phones/sipp.ts'
import { caller } from '../phones/sipp-scenarios.ts'
import { until } from '../until.ts'

const app = await startPhoneApp({}, { pingMs: 600 })

const trunkOf = async (client: Client, id: string) => (await client.get(`/api/trunks/${id}`)).json
const status = (client: Client, id: string, wanted: string, boundMs?: number) =>
  until(
    `the trunk is ${wanted}`,
    async () => {
      const trunk = await trunkOf(client, id)
      return trunk.status === wanted && trunk
    },
    boundMs,
  )

/** A scripted registrar that accepts every REGISTER and keeps the requests. */
async function registrarByHand(t: TestContext) {
  const registrar = await openByHand(t)
  const expires = (request: SipRequest) => Number(request.headers.get('expires'))
  let isAway = false
  let farewells = 0
  let overtaken = 0
  const answer = (request: SipRequest) =>
    registrar.answer(request, 200, { headers: [['expires', request.headers.get('expires') ?? '60']] })
  registrar.onRequest = (request) => {
    if (isAway) return
    if (expires(request) !== 0) {
      overtaken += farewells
      return answer(request)
    }
    // Responds late, as if it challenged first.
    farewells++
    setTimeout(() => {
      farewells--
      answer(request)
    }, 150)
  }
  const asked = () => registrar.all('REGISTER') as SipRequest[]
  return {
    ...registrar,
    asked,
    expires,
    /** How many registrations arrived while an unregistration was still in progress. */
    overtaken: () => overtaken,
    isAway(is: boolean) {
      isAway = is
    },
  }
}
const account = { authMode: 'register', username: 'trunk7', password: 's3cret' }

for (const numberIn of ['to', 'request-uri'] as const)
  test(`a trunk registers, and a call to its number (in ${numberIn}) reaches the agent`, async (t) => {
    const client = await app.newUser('registered')
    const number = numberIn === 'to' ? '+551155550001' : '+551155550002'
    const carrier = await startCarrier({ accounts: { trunk7: 's3cret' }, numbers: { [number]: 'trunk7' }, numberIn })
    t.after(carrier.stop)
    const { trunkId, agentId } = await agentOnTrunk(app, client, carrier.port, { trunk: account })
    await client.post(`/api/agents/${agentId}/link-trunk`, { trunkId, trunkType: 'inbound', phoneNumber: number })
    const trunk = await status(client, trunkId, 'registered')
    assert.match(trunk.statusDetail, /for \d+ s/)
    assert.ok(trunk.lastSeenAt)
    await runSipp({ scenario: caller({ talkMs: 200 }), to: `127.0.0.1:${carrier.outsidePort}`, service: number })
    const [row] = (await client.get('/api/calls')).json
    assert.deepEqual([row.trunkId, row.toNumber, row.agentId], [trunkId, number, agentId])
    assert.equal((await ended(client, row.id)).endReason, 'caller_hangup')
  })

test('a wrong password is reported as auth_failed, and the right one takes effect at once', async (t) => {
  const client = await app.newUser('wrong')
  const carrier = await startCarrier({ accounts: { trunk7: 's3cret' } })
  t.after(carrier.stop)
  const { trunkId } = await agentOnTrunk(app, client, carrier.port, { trunk: { ...account, password: 'wrong' } })
  const trunk = await status(client, trunkId, 'auth_failed')
  assert.match(trunk.statusDetail, /401/)
  await client.patch(`/api/trunks/${trunkId}`, { password: 's3cret' })
  await status(client, trunkId, 'registered')
})

test('a dead carrier is detected, and registered with again after its return', async (t) => {
  const client = await app.newUser('gone')
  const registrar = await registrarByHand(t)
  const { trunkId } = await agentOnTrunk(app, client, registrar.port, { trunk: { ...account, optionsPing: true } })
  await status(client, trunkId, 'registered')
  await until('it was asked', () => registrar.all('OPTIONS').length > 0)
  const before = registrar.asked().length
  registrar.isAway(true)
  const trunk = await status(client, trunkId, 'unreachable')
  assert.match(trunk.statusDetail, /does not answer/)
  registrar.isAway(false)
  await until('it is registered with again', () => registrar.asked().length > before)
  await status(client, trunkId, 'registered')
})

test('a change takes effect long before the registration is refreshed, and a deleted trunk is unregistered', async (t) => {
  const client = await app.newUser('changed')
  const [one, two] = [await registrarByHand(t), await registrarByHand(t)]
  const { trunkId } = await agentOnTrunk(app, client, one.port, { trunk: account })
  await status(client, trunkId, 'registered')
  // A name change causes no new registration.
  await client.patch(`/api/trunks/${trunkId}`, { name: 'new name', priority: 5 })
  await client.patch(`/api/trunks/${trunkId}`, { port: two.port, password: account.password })
  await until('the new registrar is asked', () => two.asked().length === 1)
  assert.deepEqual(one.asked().map(one.expires), [300, 0])
  await client.patch(`/api/trunks/${trunkId}`, { registerExpires: 90 })
  await until('it is asked for another time', () => two.asked().length === 3)
  assert.deepEqual(two.asked().map(two.expires), [300, 0, 90])
  assert.equal(two.overtaken(), 0, 'the good-bye is through before anything new is asked')
  await client.patch(`/api/trunks/${trunkId}`, { isActive: false })
  await until('it was taken back', () => two.asked().length === 4)
  assert.equal((await trunkOf(client, trunkId)).status, 'disabled')
  await client.patch(`/api/trunks/${trunkId}`, { isActive: true })
  await status(client, trunkId, 'registered')
  await client.delete(`/api/trunks/${trunkId}`)
  await until('it was taken back for good', () => two.asked().length === 6)
  assert.equal(two.expires(two.asked().at(-1) as SipRequest), 0)
})

test('a status change alone causes no new registration', async (t) => {
  const client = await app.newUser('steady')
  const registrar = await registrarByHand(t)
  const { trunkId } = await agentOnTrunk(app, client, registrar.port, { trunk: account })
  await status(client, trunkId, 'registered')
  await agentOnTrunk(app, client, await freeUdpPort(), { trunk: { name: 'another' } })
  await app.app.phone?.refresh()
  await agentOnTrunk(app, client, await freeUdpPort(), { trunk: { name: 'a third' } })
  await app.app.phone?.refresh()
  assert.deepEqual(registrar.asked().map(registrar.expires), [300])
})

test('a trunk without registration is pinged by OPTIONS: reachable, unreachable, and reachable again', async (t) => {
  const client = await app.newUser('pinged')
  const far = await openByHand(t)
  far.onRequest = (request) => far.answer(request, 404)
  const { trunkId } = await agentOnTrunk(app, client, far.port, { trunk: { optionsPing: true } })
  const trunk = await status(client, trunkId, 'reachable')
  assert.ok(trunk.lastSeenAt)
  const answer = far.onRequest
  far.onRequest = () => {}
  const away = await status(client, trunkId, 'unreachable')
  assert.match(away.statusDetail, /does not answer/)
  far.onRequest = answer
  await status(client, trunkId, 'reachable')
})
