// Registered phones survive a restart and can be called by every node: over UDP, through the proxies of their Path, or
// through the node that has their connection.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { SipRequest } from '../../src/sip/message/message.ts'
import { atEnd, newPostgresDatabase, usesPostgres } from '../app.ts'
import { databaseOfRun, type PhoneService, startPhoneService } from '../phone-service.ts'
import { startEdgeProxy } from '../phones/kamailio.ts'
import { openAgent } from '../sip-agents.ts'
import { until } from '../until.ts'

/** Creates a device, and an agent that may call it. */
async function newDevice(service: PhoneService) {
  const agent = (await service.post('/api/agents', { name: 'Ana', systemPrompt: 'x', initialSpeech: 'Hi.' })).json
  const device = (await service.post('/api/gateway/devices', { name: 'desk', agentId: agent.id })).json
  const { username, password } = await service.get(`/api/gateway/sip/credentials?deviceId=${device.id}`)
  const status = async (from: PhoneService) => (await from.get(`/api/gateway/devices/${device.id}`)).status as string
  return {
    id: device.id as string,
    username: username as string,
    password: password as string,
    status,
    /** Requests a call to the device through this node. */
    async call(from: PhoneService): Promise<string> {
      const order = { agentId: agent.id, toNumber: '+551130001234', deviceTokens: [device.token] }
      const { status, json } = await from.post('/api/gateway/calls/outbound', order)
      assert.ok(status < 300, JSON.stringify(json))
      return json.callId
    },
  }
}
type TestDevice = Awaited<ReturnType<typeof newDevice>>

/** A phone that refuses calls as busy and keeps the INVITEs. */
async function openPhone(t: TestContext, { username, password }: TestDevice) {
  const agent = await openAgent(t, {
    timers: {},
    onInvite: (call) => {
      call.handle({ onEnd: () => {} })
      call.refuse(486)
    },
    listeners: [
      { transport: 'udp', host: '127.0.0.1', port: 0 },
      { transport: 'tcp', host: '127.0.0.1', port: 0 },
    ],
  })
  const account = `<sip:${username}@ramal.test>`
  return {
    port: agent.ua.stack.listeners[0]?.port,
    /** Each REGISTER uses two CSeq numbers because it is challenged. */
    async register(to: number, cseq: number, more: { transport?: string; password?: string } = {}): Promise<number> {
      const outcome = await agent.ua.request({
        method: 'REGISTER',
        uri: `sip:127.0.0.1:${to}${more.transport ? `;transport=${more.transport}` : ''}`,
        from: account,
        to: account,
        contactUser: username,
        callId: `one-phone-${username}`,
        cseq,
        headers: { expires: '600' },
        credentials: { username, password: more.password ?? password },
      })
      return 'response' in outcome ? outcome.response.status : assert.fail(outcome.detail)
    },
    connections: () => agent.ua.stack.connections,
    invites: () => agent.got('INVITE') as SipRequest[],
    rings: (count: number) => until(`INVITE number ${count}`, () => agent.got('INVITE')[count - 1] as SipRequest),
  }
}

const endOf = (service: PhoneService, callId: string) =>
  until('the call has ended', async () => {
    const call = await service.get(`/api/calls/${callId}`)
    return call.endedAt !== null && call
  })

test('after a restart, a phone is rung without a new REGISTER; a closed connection is forgotten', async (t) => {
  const env = await databaseOfRun()
  const before = await startPhoneService(env)
  const [device, other] = [await newDevice(before), await newDevice(before)]
  const [phone, overTcp] = [await openPhone(t, device), await openPhone(t, other)]
  assert.equal(await phone.register(before.sipPort, 1), 200)
  assert.equal(await overTcp.register(before.sipPort, 1, { transport: 'tcp' }), 200)
  await until('both are connected', async () =>
    [await device.status(before), await other.status(before)].every((status) => status === 'connected'),
  )
  await before.kill('SIGKILL')
  const again = { ...env, SIP_PORT: String(before.sipPort) }
  const after = await startPhoneService(again, { key: before.key, dataDir: before.dataDir })
  const call = await endOf(after, await device.call(after))
  assert.deepEqual([call.status, call.deviceId, phone.invites().length], ['busy', device.id, 1])
  assert.equal(await device.status(after), 'connected')
  const failed = await endOf(after, await other.call(after))
  assert.match(failed.endDetail, /not connected/)
  await after.kill('SIGTERM')
})

if (usesPostgres) {
  const env = { DATABASE_URL: await newPostgresDatabase(), MASTER_KEY: randomBytes(24).toString('hex') }
  const one = await startPhoneService({ ...env, NODE_NAME: 'one' })
  const two = await startPhoneService({ ...env, NODE_NAME: 'two' }, { key: one.key })
  atEnd(() => Promise.all([one.kill('SIGKILL'), two.kill('SIGKILL')]))

  test('a phone behind a proxy is rung by another node through its Path', async (t) => {
    const proxy = await startEdgeProxy({ node: one.sipPort })
    t.after(proxy.stop)
    const device = await newDevice(one)
    const phone = await openPhone(t, device)
    assert.equal(await phone.register(proxy.port, 1), 200)
    const call = await until('the other node has read the registration', async () => {
      const ended = await endOf(two, await device.call(two))
      return ended.status === 'busy' && ended
    })
    assert.equal(call.nodeId, 'two')
    const invite = await phone.rings(1)
    const vias = invite.headers.all('via').join()
    assert.match(vias, new RegExp(`127\\.0\\.0\\.1:${proxy.port}\\b.*127\\.0\\.0\\.1:${two.sipPort}\\b`))
    assert.ok(invite.headers.get('record-route')?.includes(`127.0.0.1:${proxy.port}`))
    assert.equal(await device.status(two), 'connected')
  })

  test('a phone that is connected over TCP is called by another node through the one that has the connection', async (t) => {
    const device = await newDevice(one)
    const phone = await openPhone(t, device)
    assert.equal(await phone.register(one.sipPort, 1, { transport: 'tcp' }), 200)
    const call = await until('the other node has read the registration', async () => {
      const ended = await endOf(two, await device.call(two))
      return ended.status === 'busy' && ended
    })
    assert.deepEqual([call.nodeId, call.deviceId, phone.invites().length], ['two', device.id, 1])
    assert.match(phone.invites()[0]?.headers.get('via') ?? '', new RegExp(`/TCP 127\\.0\\.0\\.1:${two.sipPort}\\b`))
    assert.equal(phone.connections(), 1)
  })

  test('a refresh through another node continues the registration; an older request is refused there', async (t) => {
    const device = await newDevice(one)
    const phone = await openPhone(t, device)
    // An earlier REGISTER would count as password guessing.
    await until('the other node knows the device', async () => {
      const { endDetail } = await endOf(two, await device.call(two))
      return /no phone is registered/.test(endDetail ?? '')
    })
    assert.equal(await phone.register(one.sipPort, 10), 200)
    assert.equal(await phone.register(two.sipPort, 5), 500)
    assert.equal(await phone.register(two.sipPort, 20), 200)
    assert.equal(await phone.register(one.sipPort, 15), 500)
    const call = await endOf(one, await device.call(one))
    assert.deepEqual([call.status, phone.invites().length], ['busy', 1])
  })

  test('a new password ends the registration on every node', async (t) => {
    const device = await newDevice(one)
    const phone = await openPhone(t, device)
    assert.equal(await phone.register(one.sipPort, 1), 200)
    await until('the other node rings it', async () => (await endOf(two, await device.call(two))).status === 'busy')
    const { status, json } = await one.post(`/api/gateway/sip/credentials/rotate?deviceId=${device.id}`)
    assert.equal(status, 200, JSON.stringify(json))
    await until('it is disconnected', async () => (await device.status(two)) === 'disconnected')
    await until('the other node knows', async () => {
      const { endDetail } = await endOf(two, await device.call(two))
      return /not connected/.test(endDetail ?? '')
    })
    const before = phone.invites().length
    assert.equal((await endOf(one, await device.call(one))).status, 'failed')
    assert.equal(phone.invites().length, before)
    assert.equal(await phone.register(one.sipPort, 30, { password: json.password }), 200)
    await until(
      'the other node rings it again',
      async () => (await endOf(two, await device.call(two))).status === 'busy',
    )
  })
}
