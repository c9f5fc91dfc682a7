// A WhatsApp number as a device: creation, calls both ways, messages, failures, removal. Meta's HTTP and SIP are
// simulated.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { joinPcm } from '../../src/audio/pcm.ts'
import { anAgent, atEnd, type Client } from '../app.ts'
import { AGENT_HZ, ended, newNumber, startPhoneApp } from '../phone-app.ts'
import { freeSipPort } from '../phones/ports.ts'
import { newFolder } from '../phones/program.ts'
import { heardMs, stretchesOf } from '../phones/spectrum.ts'
import { testMedia } from '../rtp-call.ts'
import { until } from '../until.ts'
import { KEY } from '../vendors/server.ts'
import { APP_SECRET, NUMBER_ID, startWhatsapp, TOKEN, VERIFY_TOKEN, webhook, written } from '../vendors/whatsapp.ts'
import { type MetaCall, startMetaSip, WHATSAPP_HZ } from '../vendors/whatsapp-sip.ts'
import { answeredWith, baresipPhone, hears, messagesOf, recordingOf, rightlyEnded } from './talks.ts'

const folder = newFolder('certificate')
atEnd(() => rmSync(folder, { recursive: true }))
const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
execFileSync('openssl', [...made, ...names, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' })
const tls = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
setDefaultCACertificates([...getCACertificates('default'), tls.cert])

const PHONE = '+5511912345678'
const meta = await startWhatsapp()
const media = await testMedia()
const sip = await startMetaSip({
  tls,
  media,
  account: () => ({
    username: PHONE.slice(1),
    password: meta.calling.get(NUMBER_ID)?.sip.servers[0]?.sip_user_password ?? 'nothing is set up',
  }),
  domain: '127.0.0.1',
})
atEnd(async () => {
  await sip.close()
  await media.close()
  await meta.stop()
})
const tlsPort = await freeSipPort()
const app = await startPhoneApp(
  {
    SIP_TLS_PORT: String(tlsPort),
    TLS_CERT: certFile,
    TLS_KEY: keyFile,
    WHATSAPP_TOKEN: TOKEN,
    WHATSAPP_PHONE_NUMBER_ID: NUMBER_ID,
    WHATSAPP_APP_SECRET: APP_SECRET,
    WHATSAPP_VERIFY_TOKEN: VERIFY_TOKEN,
    WHATSAPP_API_URL: `${meta.url}/v24.0`,
    WHATSAPP_SIP_HOST: `127.0.0.1:${sip.port}`,
  },
  { gateway: { connected: 100, disconnected: 100, error: 100, provisioning: 100 } },
)

/** Runs with a user who has an agent and the number, until the test ends. */
async function withNumber(t: TestContext, more: object = {}) {
  meta.heal()
  meta.setTokens([TOKEN])
  const client = await app.newUser('ana', 'admin')
  const agentId = (await client.post('/api/agents', anAgent)).json.id as string
  const { status, json } = await client.post('/api/gateway/devices', { driver: 'whatsapp', agentId, ...more })
  assert.equal(status, 201)
  t.after(async () => {
    meta.heal()
    await client.delete(`/api/gateway/devices/${json.id}?force=true`)
  })
  await app.app.phone?.refresh()
  return { client, agentId, device: json, url: `/api/gateway/devices/${json.id}` }
}

const is = (client: Client, url: string, status: string) =>
  until(`the device is ${status}`, async () => {
    const { json } = await client.get(url)
    return json.status === status && json
  })

const hearsAgent = async (call: MetaCall) => {
  const frames: Int16Array[] = []
  const heard = () => heardMs({ pcm: joinPcm(frames), rateHz: 16_000 }, AGENT_HZ)
  for await (const { pcm } of call.leg.input) {
    frames.push(pcm)
    // At least 1.5 s, for the recording; at most 30 s.
    if (frames.length >= 1500 || (frames.length >= 75 && frames.length % 25 === 0 && heard() > 700)) break
  }
  assert.ok(heard() > 700, 'WhatsApp hears the agent')
  assert.equal(call.codec(), 'opus')
}
const callIn = (t: TestContext, more = {}) => sip.call(t, { number: PHONE, port: tlsPort }, more)
const lastCall = (client: Client) =>
  until('its row', async () => {
    const [call] = (await client.get('/api/calls')).json
    return call?.endedAt && call
  })

test('108 a WhatsApp number is connected when Meta says so; its secrets are not shown', async (t) => {
  const { client, device, url } = await withNumber(t, { name: 'padaria' })
  assert.deepEqual([device.status, device.connected, device.phone], ['connected', true, PHONE])
  assert.deepEqual([device.lastError, device.qrCode, device.driver], [null, null, 'whatsapp'])
  assert.equal((await client.get(`${url}/qr`)).status, 409, 'there is nothing to scan')
  assert.deepEqual(meta.calling.get(NUMBER_ID)?.sip.servers[0]?.hostname, '127.0.0.1')
  const pages = [await client.get(url), await client.get('/api/gateway/devices'), await client.get('/api/trunks')]
  assert.ok(!pages.some(({ text }) => text.includes(KEY)) && !app.logs().includes(KEY))
  assert.deepEqual(pages[2]?.json, [], 'the way to it is no trunk of the API')
  const other = (await client.post('/api/gateway/devices', { driver: 'whatsapp' })).json
  assert.deepEqual([other.status, /another device/.test(other.lastError)], ['error', true])
  assert.equal((await client.delete(`/api/gateway/devices/${other.id}?force=true`)).status, 200)
})

test("a WhatsApp call reaches the device's agent without a DID", async (t) => {
  const { client, agentId, device } = await withNumber(t)
  const call = await callIn(t)
  assert.ok(call.isAnswered)
  await hearsAgent(call)
  call.sip.hangUp()
  const row = await lastCall(client)
  assert.deepEqual(
    [row.agentId, row.deviceId, row.trunkId, row.channel, row.fromNumber, row.toNumber],
    [agentId, device.id, null, 'whatsapp', '+5511987654321', PHONE],
  )
  await rightlyEnded(client, row.id, { direction: 'inbound', endReason: 'caller_hangup', hangupBy: 'caller' })
  const { left, right } = await recordingOf(app, client, row.id)
  assert.ok(heardMs(left, WHATSAPP_HZ) > 700 && heardMs(right, AGENT_HZ) > 700, 'both are in the recording')
  const messages = await messagesOf(client, row.id)
  assert.ok(messages.every(({ transport }) => transport === 'tls'))
  const text = messages.map(({ message }) => message).join('')
  assert.match(text, /m=audio \d+ RTP\/SAVP/)
  assert.doesNotMatch(text, /inline:(?!\[hidden\])/, 'no key is kept')
  assert.doesNotMatch(text, /Session-Expires/i)
})

test("baresip calls in under WhatsApp's requirements: TLS, digest, SRTP and Opus only", async (t) => {
  const { client, device } = await withNumber(t)
  const password = meta.calling.get(NUMBER_ID)?.sip.servers[0]?.sip_user_password
  const account = [
    '<sip:+5511987654321@127.0.0.1;transport=tls>;regint=0',
    `auth_user=${PHONE.slice(1)};auth_pass=${password}`,
    'mediaenc=srtp-mand;audio_codecs=opus/48000/2',
  ].join(';')
  const config = [`sip_cafile ${certFile}`]
  const phone = await baresipPhone({ account, config, codecs: ['opus'], rateHz: 48_000, says: { hz: WHATSAPP_HZ } })
  t.after(phone.stop)
  await phone.dial(`sip:${PHONE}@127.0.0.1:${tlsPort};transport=tls`)
  await phone.established()
  await hears(phone, AGENT_HZ, 1500, 48_000)
  await phone.hangUp()
  const row = await lastCall(client)
  assert.deepEqual([row.deviceId, row.channel, row.status], [device.id, 'whatsapp', 'completed'])
  assert.deepEqual(await answeredWith(client, row.id), { codec: 'opus', profile: 'RTP/SAVP' })
  const { left } = await recordingOf(app, client, row.id)
  assert.ok(
    heardMs(left, WHATSAPP_HZ) > 500,
    `it is in the recording: ${JSON.stringify(stretchesOf(left, WHATSAPP_HZ))}`,
  )
})

test('116 a call by the token of the device rings on WhatsApp, with its password', async (t) => {
  const { client, agentId, device } = await withNumber(t)
  sip.invites.length = 0
  const order = { toNumber: '+5511987654321', agentId, deviceTokens: [device.token] }
  const { callId } = (await client.post('/api/gateway/calls/outbound', order)).json
  const call = await sip.next()
  await hearsAgent(call)
  call.sip.hangUp()
  const row = await ended(client, callId)
  assert.deepEqual(
    [row.deviceId, row.trunkId, row.channel, row.fromNumber, row.status],
    [device.id, null, 'whatsapp', PHONE, 'completed'],
  )
  assert.deepEqual([sip.refused, sip.invites.length, sip.invites[0]], [[], 2, ''])
  assert.match(sip.invites[1] ?? '', /^Digest username="5511912345678", realm="wa\.meta\.vc"/)
  assert.match(sip.invites[1] ?? '', /uri="sip:\+5511987654321@127\.0\.0\.1:\d+;transport=tls"/)
})

test('116 devices are tried in the order of their names: token, id and short id', async (t) => {
  const { client, agentId, device } = await withNumber(t)
  const desk = (await client.post('/api/gateway/devices', { name: 'desk' })).json
  for (const name of [device.token, device.id, device.deviceId]) {
    const order = { toNumber: '+5511987654321', agentId, fromDeviceTokens: [desk.token, name] }
    const { callId } = (await client.post('/api/calls/outbound', order)).json
    ;(await sip.next()).sip.hangUp()
    assert.equal((await ended(client, callId)).deviceId, device.id)
  }
})

test('108 calls through a number that is not connected fail with that reason', async (t) => {
  const { client, agentId, device, url } = await withNumber(t, { name: 'padaria' })
  const number = meta.numbers.get(NUMBER_ID) ?? assert.fail()
  t.after(() => {
    number.status = 'CONNECTED'
  })
  number.status = 'PENDING'
  await is(client, url, 'disconnected')
  await app.app.phone?.refresh()
  const order = { toNumber: '+5511987654321', agentId, deviceTokens: [device.token] }
  const { callId } = (await client.post('/api/gateway/calls/outbound', order)).json
  const row = await ended(client, callId)
  assert.deepEqual([row.status, row.endReason], ['failed', 'trunk_unavailable'])
  assert.match(row.endDetail, /^padaria is not connected: The number is not registered with WhatsApp yet/)
  number.status = 'CONNECTED'
  await is(client, url, 'connected')
})

test('a device respects its call limit, and takes no calls when closed, disabled or without an agent', async (t) => {
  const { client, url } = await withNumber(t, { maxConcurrentCalls: 1 })
  const first = await callIn(t)
  const second = await callIn(t)
  assert.deepEqual([first.isAnswered, second.isAnswered, (await second.ended).status], [true, false, 486])
  first.sip.hangUp()
  await first.ended
  const refusals: [patch: object, status: number, words: RegExp][] = [
    [{ inboundEnabled: false }, 403, /does not take its calls/],
    [{ inboundEnabled: true, agentId: null }, 404, /No agent is bound/],
    [{ isDisabled: true }, 403, /is disabled/],
  ]
  for (const [patch, status, words] of refusals) {
    await client.patch(url, patch)
    await app.app.phone?.refresh()
    const call = await callIn(t)
    assert.deepEqual([call.isAnswered, (await call.ended).status], [false, status])
    const row = await until('its row', async () => {
      const rows = (await client.get('/api/calls')).json as { endDetail: string | null; channel: string }[]
      return rows.find(({ endDetail }) => words.test(endDetail ?? ''))
    })
    assert.equal(row.channel, 'whatsapp')
  }
})

test('a caller without the password is refused and leaves no row', async (t) => {
  const { client } = await withNumber(t)
  const call = await callIn(t, { password: 'guess' })
  assert.deepEqual([call.isAnswered, (await call.ended).status], [false, 403])
  assert.deepEqual((await client.get('/api/calls')).json, [])
})

test('a message is answered once, however often it is delivered; forged ones are ignored', async (t) => {
  const { client, agentId } = await withNumber(t)
  meta.sent.length = 0
  const post = ({ body, headers }: ReturnType<typeof webhook>) =>
    app.anonymous({ method: 'POST', url: '/hooks/whatsapp', headers, payload: body })
  const text = webhook(written('5511987654321', 'Bom dia', 'wamid.once'))
  assert.equal((await post(webhook(written('5511987654321', 'Boa noite'), 'forged'))).status, 403)
  assert.deepEqual(
    [await post(text), await post(text)].map(({ status }) => status),
    [200, 200],
  )
  const answer = await until('the answer', () => meta.sent[0])
  assert.deepEqual([answer.to, answer.from], ['5511987654321', NUMBER_ID])
  await post(text)
  await post(webhook(written('5511987654321', 'Obrigado', 'wamid.more')))
  await until('the second answer', () => meta.sent[1])
  const list = (await client.get('/api/conversations')).json
  assert.equal(list.length, 1, 'one conversation goes on')
  assert.equal(list[0].agentId, agentId)
  const messages = (await client.get(`/api/conversations/messages/${list[0].id}`)).json as { content: string }[]
  assert.deepEqual(
    messages.map(({ content }) => content).filter((content) => ['Bom dia', 'Obrigado', 'Boa noite'].includes(content)),
    ['Bom dia', 'Obrigado'],
  )
  assert.equal(meta.sent.length, 2)
  const hello = `/hooks/whatsapp?hub.mode=subscribe&hub.verify_token=${VERIFY_TOKEN}&hub.challenge=77`
  assert.deepEqual([(await app.anonymous({ method: 'GET', url: hello })).text], ['77'])
  assert.ok(!app.logs().includes(VERIFY_TOKEN) && !app.logs().includes('Obrigado'))
})

test("a message in doubt is not sent again; Meta's later status resolves it", async (t) => {
  const { device } = await withNumber(t)
  meta.sent.length = 0
  const post = ({ body, headers }: ReturnType<typeof webhook>) =>
    app.anonymous({ method: 'POST', url: '/hooks/whatsapp', headers, payload: body })
  meta.refusals.push(meta.failure(500, 131000, 'Something went wrong'))
  await post(webhook(written('5511955554444', 'Bom dia', 'wamid.doubt')))
  const row = (status: string) =>
    until(`the answer is ${status}`, async () => {
      const texts = app.database.db.selectFrom('deviceTexts').selectAll().where('deviceId', '=', device.id)
      return (await texts.where('direction', '=', 'out').execute()).find((one) => one.status === status)
    })
  const { id, error } = await row('in_doubt')
  assert.match(error ?? '', /fault of its own/)
  const status = { id: 'wamid.out', timestamp: '1', recipient_id: '5511955554444', biz_opaque_callback_data: id }
  await post(webhook({ statuses: [{ ...status, status: 'delivered' }] }))
  assert.equal((await row('sent')).externalId, 'wamid.out')
  await post(webhook({ statuses: [{ ...status, status: 'failed', errors: [{ code: 131047 }] }] }))
  assert.match((await row('failed')).error ?? '', /24 hours/)
  assert.deepEqual(meta.sent, [], 'it was sent once')
})

test('a refused access token is reported, and cleared by a new one', async (t) => {
  const { client, url } = await withNumber(t)
  meta.setTokens([])
  const { lastError } = await is(client, url, 'error')
  assert.match(lastError, /does not accept the access token/)
  assert.ok(!lastError.includes(KEY))
  meta.setTokens([TOKEN])
  assert.equal((await is(client, url, 'connected')).lastError, null)
})

test('removing a device disconnects it at Meta; without Meta only by force', async (t) => {
  const { client, url } = await withNumber(t)
  meta.fail('broken')
  assert.equal((await client.delete(url)).status, 503)
  meta.heal()
  assert.equal((await client.delete(url)).status, 200)
  assert.equal(meta.calling.get(NUMBER_ID)?.sip.status, 'DISABLED')
  await app.app.phone?.refresh()
  const gone = await sip.call(t, { number: newNumber(), port: tlsPort }, { password: `sip-password-${KEY}-0` })
  assert.equal(gone.isAnswered, false)
})
