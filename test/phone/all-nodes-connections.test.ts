// Phones connected to one node over TCP, without a proxy: the other node calls them and transfers its calls to them.
// @run postgres
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { usesPostgres } from '../app.ts'
import { NUMBER, type PhoneService, spoken } from '../phone-service.ts'
import { until } from '../until.ts'
import { baresipPhone, hears } from './talks.ts'
import { startTwoNodes } from './two-nodes-of-phones.ts'

const CALLER = '+5511988881000'
const CALLER_HZ = 1000
const DESK_HZ = 1600

/** A phone on the first node, and a function with which the second node requests a call to it. */
async function deskPhone(t: TestContext, { one, two, agentId }: Awaited<ReturnType<typeof startTwoNodes>>) {
  const device = (await one.post('/api/gateway/devices', { name: 'desk', agentId })).json
  const { username, password, uri } = await one.get(`/api/gateway/sip/credentials?deviceId=${device.id}`)
  const order = { agentId, toNumber: NUMBER, fromDeviceTokens: [device.token] }
  const call = async (): Promise<string> => (await two.post('/api/calls/outbound', order)).json.callId
  const registrar = { port: one.sipPort, password, transport: 'tcp' as const }
  const phone = await baresipPhone({ user: username, registrar, answer: 'manual', says: { hz: DESK_HZ } })
  t.after(phone.stop)
  await phone.registered()
  return { phone, call, uri: uri as string }
}

const rowOf = (node: PhoneService, callId: string) => node.get(`/api/calls/${callId}`)

const endOf = (node: PhoneService, callId: string) =>
  until('the call has ended', async () => {
    const call = await rowOf(node, callId)
    return call.endedAt !== null && call
  })

if (usesPostgres)
  test('a node calls a phone that is connected to another one, and transfers calls to it: audio flows, and each side can hang up', async (t) => {
    const nodes = await startTwoNodes(t)
    const { two } = nodes
    const { phone, call, uri } = await deskPhone(t, nodes)
    const answered = async () => {
      await phone.incoming()
      await phone.accept()
      await phone.established()
    }

    // A node picks up another node's registrations within a second.
    const callId = await until('the phone rings', async () => {
      const id = await call()
      const status = await until('it is dialled', async () => {
        const row = await rowOf(two, id)
        return row.status !== 'initiating' && row.status
      })
      return status === 'ringing' && id
    })
    await answered()
    await phone.hangUp()
    await phone.over()
    const { nodeId, endReason, hangupBy } = await endOf(two, callId)
    assert.deepEqual([nodeId, endReason, hangupBy], ['two', 'caller_hangup', 'caller'])

    const caller = await baresipPhone({ user: CALLER, says: { hz: CALLER_HZ } })
    t.after(caller.stop)
    for (const hangsUp of [phone, caller]) {
      await caller.dial(`sip:${NUMBER}@127.0.0.1:${two.sipPort}`)
      await caller.established()
      const row = await spoken(two)
      const transferred = two.post(`/api/calls/${row.id}/transfer`, { to: uri, method: 'bridge' })
      await answered()
      const { json } = await transferred
      assert.deepEqual([json.status, json.detail], ['connected', null])
      await hears(phone, CALLER_HZ, 500)
      await hears(caller, DESK_HZ, 500)
      await hangsUp.hangUp()
      await Promise.all([phone.over(), caller.over()])
      assert.equal((await endOf(two, row.id)).nodeId, 'two')
    }
  })
