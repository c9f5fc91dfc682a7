// The life cycle of a device at a remote gateway service: HTTP as in docs/gateway-api.yaml, SIP through Kamailio with
// digest authentication, and a real phone behind it.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import jsQR from 'jsqr'
import { PNG } from 'pngjs'
import { readWav } from '../../src/audio/wav.ts'
import { anAgent } from '../app.ts'
import { everyRow } from '../every-row.ts'
import { AGENT_HZ, ended, newNumber, startPhoneApp } from '../phone-app.ts'
import { startBaresip } from '../phones/baresip.ts'
import { startCarrier } from '../phones/kamailio.ts'
import { heardMs, listen, type Sound } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import { ACCOUNT, type FarSip, startGatewayService } from '../vendors/gateway-service.ts'

const PHONE_HZ = 1000
const PHONE = '+5511987654321'
const SIP = { username: 'far7', password: 'sip-secret-41c9' }
const devices = '/api/gateway/devices'

async function openService(t: TestContext, sip?: Partial<FarSip>) {
  const service = await startGatewayService({ sip: () => ({ host: '127.0.0.1', port: 5999, ...SIP, ...sip }) })
  t.after(async () => {
    await service.stop()
    assert.deepEqual(service.violations, [], 'all that crossed is in the contract')
  })
  const app = await startPhoneApp(
    { GATEWAY_DRIVER: 'remote', GATEWAY_URL: `${service.url}/` },
    { gateway: { provisioning: 200, disconnected: 500 } },
  )
  return { service, app, ana: app.ana, statusIs: (status: string) => until(`it is ${status}`, isStatus(app, status)) }
}
const isStatus = (app: Awaited<ReturnType<typeof startPhoneApp>>, status: string) => async () =>
  (await app.ana.get('/api/gateway/device-status')).json.status === status

test('108 a remote device is linked by the remote code, calls, is called, exchanges messages, and is unlinked', async (t) => {
  const number = newNumber()
  const phone = await startBaresip({ user: number, says: { hz: PHONE_HZ } })
  t.after(phone.stop)
  const carrier = await startCarrier({ accounts: { [SIP.username]: SIP.password }, phones: { [number]: phone.uri } })
  t.after(carrier.stop)
  const { service, app, ana, statusIs } = await openService(t, { port: carrier.port, addresses: ['127.0.0.1'] })
  const base = await app.app.listen()
  const get = (path: string) => fetch(`${base}${path}`, { headers: { 'x-api-key': ana.key } })

  assert.equal((await ana.post('/api/gateway/credentials', ACCOUNT)).json.status, 'valid')
  const twenty = Array.from({ length: 20 }, () => ana.post('/api/gateway/provision-device'))
  const provisioned = (await Promise.all(twenty)).map(({ json }) => json)
  assert.equal(provisioned.filter(({ alreadyExisted }) => !alreadyExisted).length, 1)
  await statusIs('waiting_qr')
  assert.equal(service.devices().length, 1)
  const far = service.devices()[0] ?? assert.fail()
  const one = `${devices}/${provisioned[0].deviceUuid}`
  assert.equal(far.reference, provisioned[0].deviceUuid)

  const png = PNG.sync.read(Buffer.from(await (await get(`${one}/qr`)).arrayBuffer()))
  const seen = (jsQR as unknown as typeof jsQR.default)(new Uint8ClampedArray(png.data), png.width, png.height)
  assert.equal(seen?.data, `FAR-LINK:${far.id}`)
  const { json: waiting } = await ana.get(one)
  assert.match(waiting.qrCode, /^data:image\/png/)
  assert.ok(Date.parse(waiting.qrExpiresAt) > Date.now())

  service.link(far.id, PHONE)
  await statusIs('connected')
  const { json: device } = await ana.get(one)
  assert.deepEqual([device.phone, device.qrCode, device.lastError], [PHONE, null, null])
  const prompt = 'We open at nine in the morning.\n\nThe address is Rua Augusta 100.'
  const { json: agent } = await ana.post('/api/agents', { ...anAgent, systemPrompt: prompt })
  await ana.patch(one, { agentId: agent.id })
  await app.app.phone?.refresh()

  const recording = async (id: string, channel: string): Promise<Sound> =>
    readWav(Buffer.from(await (await get(`/api/gateway/calls/recordings/${id}?channel=${channel}`)).arrayBuffer()))
  async function bothHeard(callId: string): Promise<void> {
    const [theirs, ours] = [await recording(callId, 'caller'), await recording(callId, 'agent')]
    assert.ok(heardMs(theirs, PHONE_HZ) > 500 && heardMs(theirs, AGENT_HZ) === 0, 'the phone alone')
    assert.ok(heardMs(ours, AGENT_HZ) > 500 && heardMs(ours, PHONE_HZ) === 0, 'the agent alone')
  }
  const hearsAgent = () => until('the phone hears the agent', () => heardMs(listen(phone.heard()), AGENT_HZ) > 700)

  await t.test('a call from the remote side reaches its agent, and both are in the recording', async () => {
    const callsTo = service.callsTo(far.id) ?? assert.fail('it was told where calls go')
    await phone.dial(callsTo.replace('sip:', `sip:${SIP.username}@`))
    await phone.next('CALL_ESTABLISHED')
    await hearsAgent()
    await phone.hangUp()
    await phone.next('CALL_CLOSED')
    const [row] = await until('there is a call', async () => (await ana.get('/api/calls')).json)
    const call = await ended(ana, row.id)
    assert.deepEqual([call.direction, call.deviceId, call.agentId], ['inbound', device.id, agent.id])
    assert.deepEqual([call.fromNumber, call.toNumber], [number, PHONE])
    await bothHeard(call.id)
  })

  await t.test('an agent calls through it: the remote side challenges, then the phone rings', async () => {
    const order = { agentId: agent.id, toNumber: number, deviceTokens: [device.token] }
    const { json: started } = await ana.post('/api/gateway/calls/outbound', order)
    await phone.next('CALL_ESTABLISHED')
    await hearsAgent()
    await phone.hangUp()
    const call = await ended(ana, started.callId)
    assert.deepEqual([call.direction, call.status, call.deviceId], ['outbound', 'completed', device.id])
    assert.match((await ana.get(`/api/calls/${call.id}/sip`)).text, /407 Proxy Authentication Required/)
    await bothHeard(call.id)
  })

  await t.test('its agent answers messages in one conversation, each once', async () => {
    for (const [i, [text, answer]] of [
      ['When do you open?', /nine in the morning/],
      ['What is the address?', /Rua Augusta 100/],
    ].entries() as Iterable<[number, [string, RegExp]]>) {
      service.failOn(/^POST .*messages$/, 'reset', 1)
      service.textIn(far.id, number, text, `m${i}`)
      service.textIn(far.id, number, text, `m${i}`) // a duplicate event for the same message, as a service may send after a failure
      const sent = await until('the answer is sent', () => service.sent()[i])
      assert.deepEqual([sent.to, sent.deviceId], [number, far.id])
      assert.match(sent.text, answer)
    }
    const all = (await ana.get('/api/conversations')).json
    const written = all.filter(({ title }: { title: string | null }) => title?.startsWith('Texts with'))
    assert.equal(written.length, 1)
    const { json: messages } = await ana.get(`/api/conversations/messages/${written[0].id}`)
    assert.deepEqual(
      messages.map(({ type }: { type: string }) => type),
      ['user', 'agent', 'user', 'agent'],
    )
    assert.equal(service.sent().length, 2)
  })

  await t.test('unlinked remotely, linked again, unlinked here, and removed on both sides', async () => {
    service.change(far.id, { status: 'disconnected' })
    await statusIs('disconnected')
    await app.app.phone?.refresh()
    const order = { agentId: agent.id, toNumber: number, deviceTokens: [device.token] }
    const { json: started } = await ana.post('/api/gateway/calls/outbound', order)
    assert.match((await ended(ana, started.callId)).endDetail, /not connected/)
    assert.equal(await (await get(`${one}/qr?format=text`)).text(), `FAR-LINK:${far.id}`)
    service.link(far.id, PHONE)
    await statusIs('connected')
    assert.equal((await ana.post(`${one}/unlink`)).json.status, 'disconnected')
    assert.equal(service.device(far.id).status, 'disconnected')
    assert.equal((await ana.delete(one)).status, 200)
    assert.deepEqual(service.devices(), [])
  })

  const shown = [app.logs(), await everyRow(app.database.db), (await ana.get(devices)).text]
  for (const secret of [ACCOUNT.password, SIP.password, 'Bearer tok-'])
    for (const text of shown) assert.ok(!text.includes(secret), `${secret} is shown`)
})

test("a remote side without addresses authenticates with the account's password", async (t) => {
  const { service, app, ana, statusIs } = await openService(t)
  await ana.post('/api/gateway/credentials', ACCOUNT)
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const { json: device } = await ana.post(devices, { agentId: agent.id })
  service.link(service.devices()[0]?.id ?? '', PHONE)
  await statusIs('connected')
  await app.app.phone?.refresh()
  for (const [password, isTaken] of [
    [SIP.password, true],
    ['wrong', false],
  ] as const) {
    const account = `<sip:${SIP.username}@127.0.0.1>;auth_user=${SIP.username};auth_pass=${password};regint=0`
    const phone = await startBaresip({ account })
    t.after(phone.stop)
    await phone.dial(`sip:${SIP.username}@127.0.0.1:${app.sipPort}`)
    await phone.next(isTaken ? 'CALL_ESTABLISHED' : 'CALL_CLOSED')
    if (isTaken) await phone.hangUp()
  }
  const calls = (await ana.get('/api/calls')).json
  assert.deepEqual(
    calls.map(({ deviceId }: { deviceId: string }) => deviceId),
    [device.id],
  )
})
