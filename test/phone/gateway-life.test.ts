// The life cycle of a device of the embedded gateway: a real phone is provisioned from the QR code image.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsQR from 'jsqr'
import { PNG } from 'pngjs'
import { readWav } from '../../src/audio/wav.ts'
import { anAgent, assertError } from '../app.ts'
import { everyRow } from '../every-row.ts'
import { AGENT_HZ, ended, newNumber, startPhoneApp } from '../phone-app.ts'
import { startLinphone } from '../phones/linphone.ts'
import { heardMs, listen, type Sound } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import { followEvents } from './event-stream.ts'

const PHONE_HZ = 1000
const devices = '/api/gateway/devices'

/** Decodes the image with a different library than the one that drew it. */
function scan(png: Buffer): string {
  const { data, width, height } = PNG.sync.read(png)
  const seen = (jsQR as unknown as typeof jsQR.default)(new Uint8ClampedArray(data), width, height)
  return seen?.data ?? assert.fail('there is no QR code in the picture')
}

test('108 a device is linked by QR code, calls, is called, exchanges messages, and is unlinked', async (t) => {
  const app = await startPhoneApp()
  const { ana } = app
  const base = await app.app.listen()
  const get = (path: string) => fetch(`${base}${path}`, { headers: { 'x-api-key': ana.key } })

  const { json: provisioned } = await ana.post('/api/gateway/provision-device')
  const one = `${devices}/${provisioned.deviceUuid}`
  const { events } = await followEvents(t, `${base}${one}/events`, ana.key)
  const { json: device } = await ana.get(one)
  assert.equal(device.status, 'waiting_qr')

  const url = scan(Buffer.from(await (await get(`${one}/qr`)).arrayBuffer()))
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/provision\/[\w-]{32}$/)
  assert.equal(scan(Buffer.from(device.qrCode.split(',')[1], 'base64')), url, 'the record shows the same one')
  assert.equal(await (await get(`${one}/qr?format=text`)).text(), url)
  assert.match(await (await get(`${one}/qr?format=svg`)).text(), /^<svg /)
  const { json: sip } = await ana.get('/api/gateway/sip/credentials')

  // The phone is given only the URL.
  const phone = await startLinphone({ provisioning: url, says: { hz: PHONE_HZ } })
  t.after(phone.stop)
  await until('the device is connected', async () => (await ana.get('/api/gateway/device-status')).json.connected)
  assert.equal((await ana.get(one)).json.qrCode, null)
  const [used, unknown] = [await fetch(url), await fetch(`${base}/nothing/here`)]
  assert.equal(used.status, 404)
  assert.deepEqual(await used.json(), await unknown.json(), 'a used link is like a path that never was')

  const prompt = 'We open at nine in the morning.\n\nThe address is Rua Augusta 100.'
  const { json: agent } = await ana.post('/api/agents', { ...anAgent, systemPrompt: prompt })
  await ana.patch(one, { agentId: agent.id })
  await app.app.phone?.refresh()

  await t.test('it calls its agent, and both are heard in the recording', async () => {
    phone.dial('sip:agent@127.0.0.1')
    await phone.next('established')
    await until('the phone hears the agent', () => heardMs(listen(phone.heard()), AGENT_HZ) > 1500)
    phone.hangUp()
    const [row] = await until('there is a call', async () => (await ana.get('/api/calls')).json)
    const call = await ended(ana, row.id)
    assert.deepEqual([call.direction, call.deviceId, call.agentId], ['inbound', device.id, agent.id])
    const recording = async (channel: string): Promise<Sound> => {
      const answer = await get(`/api/gateway/calls/recordings/${row.id}?channel=${channel}`)
      return readWav(Buffer.from(await answer.arrayBuffer()))
    }
    const [caller, ours, mixed] = [await recording('caller'), await recording('agent'), await recording('mixed')]
    const heard = (sound: Sound) => ({ phone: heardMs(sound, PHONE_HZ), agent: heardMs(sound, AGENT_HZ) })
    const sides = { caller: heard(caller), ours: heard(ours) }
    const told = JSON.stringify(sides)
    assert.ok(sides.caller.phone > 500 && sides.caller.agent < 100, `the caller's side is the phone alone: ${told}`)
    assert.ok(sides.ours.agent > 500 && sides.ours.phone < 100, `the agent's side is the agent alone: ${told}`)
    assert.equal(mixed.pcm.length, caller.pcm.length)
  })

  await t.test('an agent calls through the first named device that is available', async () => {
    const { json: away } = await ana.post(devices, { name: 'away' })
    await app.app.phone?.refresh()
    const order = { agentId: agent.id, toNumber: newNumber(), deviceTokens: [away.token, device.token] }
    const { json: started } = await ana.post('/api/gateway/calls/outbound', order)
    await phone.next('established')
    phone.hangUp()
    const call = await ended(ana, started.callId)
    assert.deepEqual([call.direction, call.status, call.deviceId], ['outbound', 'completed', device.id])
    const { json: alone } = await ana.post('/api/gateway/calls/outbound', { ...order, deviceTokens: [away.token] })
    const failed = await ended(ana, alone.callId)
    assert.match(failed.endDetail, /away is not connected/)
  })

  await t.test('its agent answers a message, in one conversation', async () => {
    for (const [text, answer] of [
      ['When do you open?', /Message received from .*agent@.*nine in the morning/],
      ['What is the address?', /Message received from .*agent@.*Rua Augusta 100/],
    ] as const) {
      phone.command(`chat sip:agent@127.0.0.1 ${text}`)
      await until('the answer is shown', () => answer.test(phone.program.output()))
    }
    const all = (await ana.get('/api/conversations')).json
    const written = all.filter(({ title }: { title: string | null }) => title?.startsWith('Texts with'))
    assert.equal(written.length, 1)
    const { json: messages } = await ana.get(`/api/conversations/messages/${written[0].id}`)
    assert.deepEqual(
      messages.map(({ type }: { type: string }) => type),
      ['user', 'agent', 'user', 'agent'],
    )
    assert.equal(messages[2].content, 'What is the address?')
  })

  await t.test('after unlinking, its password is refused', async () => {
    const unlinked = await ana.post(`${one}/unlink`)
    assert.deepEqual([unlinked.status, unlinked.json.status], [200, 'disconnected'])
    assert.equal((await ana.get('/api/gateway/device-status')).json.connected, false)
    phone.dial('sip:agent@127.0.0.1')
    await phone.next('ended')
    assert.equal((await ana.get(one)).json.status, 'disconnected')
    const next = await (await get(`${one}/qr?format=text`)).text()
    assert.notEqual(next, url)
    assert.equal((await ana.get(one)).json.status, 'waiting_qr')
  })

  const told = await until('all was told', () => events.length >= 4 && events)
  assert.deepEqual(
    told.map(({ status }) => status),
    ['waiting_qr', 'connected', 'disconnected', 'waiting_qr'],
  )
  assert.deepEqual(
    told.map(({ at }) => at),
    told.map(({ at }) => at).toSorted(),
  )
  const secrets = [sip.password, url.split('/').at(-1) as string]
  const shown = [app.logs(), await everyRow(app.database.db), (await ana.get(devices)).text]
  for (const secret of secrets) for (const text of shown) assert.ok(!text.includes(secret))
  assertError(await app.bia.get(`${one}/qr`), 404)
  assertError(await app.bia.get(`${one}/events`), 404)
  assertError(await app.bia.post(`${one}/unlink`), 404)
})
