// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsQR from 'jsqr'
import { PNG } from 'pngjs'
import { assertError, type Client, startTestApp, type TestApp, testApp } from '../../../test/app.ts'
import { everyRow } from '../../../test/every-row.ts'
import { nowMs, toIso } from '../../base/time/clock.ts'

const url = '/api/gateway/devices'

const textOf = async (client: Client, id: string, query = 'format=text') =>
  (await client.get(`${url}/${id}/qr?${query}`)).text
const tokenOf = (link: string) => new URL(link).pathname

/** A request without a key, from its own address. */
let addresses = 0
const openLink = (app: TestApp, path: string, method: 'GET' | 'HEAD' = 'GET', address = `198.51.100.${++addresses}`) =>
  app.anonymous({ method, url: path, remoteAddress: address })

/** Decodes the QR code as a scanner does, independently of the encoder. */
function scan(png: Buffer): string | undefined {
  const { data, width, height } = PNG.sync.read(png)
  return (jsQR as unknown as typeof jsQR.default)(new Uint8ClampedArray(data), width, height)?.data
}

test('the QR code has a link on PUBLIC_URL that stays the same until it is used, and provisions a phone once', async () => {
  const app = await startTestApp({ PUBLIC_URL: 'https://voice.example.org/', SIP_TLS_PORT: '', SIP_PORT: '0' })
  const { ana } = app
  const { json: device } = await ana.post(url, { name: 'Desk "one" <&>' })
  const link = await textOf(ana, device.id)
  assert.match(link, /^https:\/\/voice\.example\.org\/provision\/[\w-]{32}$/)
  assert.equal(await textOf(ana, device.id), link)
  assert.equal(scan(Buffer.from(device.qrCode.split(',')[1], 'base64')), link)
  const png = await app.app.http.inject({ url: `${url}/${device.id}/qr`, headers: { 'x-api-key': ana.key } })
  assert.equal(png.headers['content-type'], 'image/png')
  assert.equal(scan(png.rawPayload), link)
  assert.equal((await ana.get(`${url}/${device.id}/qr?format=svg`)).headers['content-type'], 'image/svg+xml')

  const head = await openLink(app, tokenOf(link), 'HEAD')
  assert.equal(head.status, 404, 'to look is not to use')
  const config = await openLink(app, tokenOf(link))
  assert.equal(config.status, 200)
  assert.match(String(config.headers['content-type']), /^application\/xml/)
  assert.equal(config.headers['cache-control'], 'no-store')
  const { json: sip } = await ana.get(`/api/gateway/sip/credentials?deviceId=${device.id}`)
  assert.match(config.text, new RegExp(`name="passwd" overwrite="true">${sip.password}<`))
  assert.match(config.text, new RegExp(`&lt;sip:${sip.username}@voice.example.org&gt;`))
  assert.match(config.text, /Desk one &lt;&amp;&gt;/)

  const next = await textOf(ana, device.id)
  assert.notEqual(next, link, 'a fresh one')
})

test('a QR code that points to a loopback address has a warning with the settings to change', async () => {
  const warningOf = async (env: Record<string, string>) => {
    const { ana } = await startTestApp({ SIP_PORT: '0', ...env })
    const { json: device } = await ana.post(url)
    assert.equal((await ana.get(url)).json[0].qrWarning, null, 'lists show no code')
    return (await ana.get(`${url}/${device.id}`)).json.qrWarning
  }
  assert.match(await warningOf({}), /points to a loopback address.*HOST=0\.0\.0\.0 .*SIP_HOST=0\.0\.0\.0/)
  assert.match(await warningOf({ PUBLIC_URL: 'http://localhost:3000' }), /points to a loopback address/)
  const lan = { HOST: '127.0.0.1', PUBLIC_ADDRESS: '192.0.2.7' }
  assert.match(await warningOf(lan), /HOST=0\.0\.0\.0 .*SIP_HOST=0\.0\.0\.0/, 'nothing listens at that address')
  const proxied = { PUBLIC_URL: 'https://voice.example.org' }
  assert.match(await warningOf(proxied), /would register at a loopback address.*set SIP_HOST=0\.0\.0\.0, and/)
  assert.equal(await warningOf({ ...proxied, SIP_HOST: '0.0.0.0' }), null)
  assert.equal(await warningOf({ HOST: '0.0.0.0' }), null)
})

test('a used, expired, replaced or unknown link, or one of a disabled device, reveals nothing', async () => {
  const app = await testApp()
  const { ana } = app
  const [one, two, three] = await Promise.all([ana.post(url), ana.post(url), ana.post(url)])
  const links = await Promise.all([one, two, three].map(({ json }) => textOf(ana, json.id)))
  const [used = '', expired = '', disabled = ''] = links.map(tokenOf)
  assert.equal((await openLink(app, used)).status, 200)
  await ana.patch(`${url}/${three.json.id}`, { isDisabled: true })
  const nothing = await openLink(app, '/there/is/nothing')
  const same = async (path: string, why: string) => {
    const answer = await openLink(app, path)
    assert.equal(answer.status, 404, why)
    assert.equal(answer.text, nothing.text, why)
  }
  await same(used, 'used')
  await same(disabled, 'disabled')
  await same(`/provision/${'A'.repeat(32)}`, 'unknown')
  await same('/provision/%00', 'nonsense')
  await app.database.db
    .updateTable('provisioningLinks')
    .set({ expiresAt: toIso(nowMs() - 1) })
    .where('deviceId', '=', two.json.id)
    .execute()
  await same(expired, 'expired')
  assert.notEqual(tokenOf(await textOf(ana, two.json.id)), expired, 'a new one is given')
  await same(expired, 'replaced')
})

test('of twenty phones that open a link at once one is provisioned', async () => {
  const app = await testApp()
  const { ana } = app
  const { json: device } = await ana.post(url)
  const path = tokenOf(await textOf(ana, device.id))
  const all = await Promise.all(Array.from({ length: 20 }, () => openLink(app, path)))
  assert.equal(all.filter(({ status }) => status === 200).length, 1)
  assert.equal(all.filter(({ status }) => status === 404).length, 19)
})

test('guessing links is rate limited per address', async () => {
  const app = await testApp()
  const tries = []
  for (let i = 0; i < 30; i++) tries.push(await openLink(app, `/provision/guess${i}`, 'GET', '203.0.113.7'))
  assert.equal(tries[0]?.status, 404)
  assert.equal(tries.at(-1)?.status, 429)
  assert.ok(Number(tries.at(-1)?.headers['retry-after']) > 0)
  assert.equal((await openLink(app, '/provision/guess')).status, 404, 'another address is not held up')
})

test('neither link nor password is in a log, a row, a list or the reference', async () => {
  const app = await startTestApp()
  const { ana } = app
  const { json: device } = await ana.post(url, {}, { 'idempotency-key': 'once' })
  const link = await textOf(ana, device.id)
  const sipForm = await textOf(ana, device.id, 'format=text&kind=sip')
  const { json: sip } = await ana.get('/api/gateway/sip/credentials')
  assert.equal(sipForm, `sip:${sip.username}:${sip.password}@${sip.host}:${sip.port};transport=udp`)
  for (let i = 0; i < 25; i++) await openLink(app, tokenOf(link), 'GET', '203.0.113.9')
  const shown = [
    app.logs(),
    await everyRow(app.database.db),
    (await ana.get(url)).text,
    (await ana.get(`${url}/${device.id}`)).text,
  ]
  shown.push((await app.anonymous({ url: '/docs' })).text, (await app.anonymous({ url: '/openapi.json' })).text)
  const secret = tokenOf(link).split('/').at(-1) as string
  assert.ok(app.logs().includes('/provision/:token'), 'the log speaks of it')
  for (const text of shown)
    for (const word of [secret, sip.password]) assert.ok(!text.includes(word), text.slice(0, 100))
})

test('unlinking a device changes its password, and a new code links it again', async () => {
  const { ana, bia, database } = await testApp()
  const { json: device } = await ana.post(url)
  const one = `${url}/${device.id}`
  const before = (await ana.get(`/api/gateway/sip/credentials?deviceId=${device.id}`)).json
  const link = await textOf(ana, device.id)
  assertError(await bia.post(`${one}/unlink`), 404)
  await database.db.updateTable('devices').set({ status: 'connected' }).where('id', '=', device.id).execute()
  const { status, json } = await ana.post(`${one}/unlink`)
  assert.deepEqual([status, json.status, json.qrCode], [200, 'disconnected', null])
  const after = (await ana.get(`/api/gateway/sip/credentials?deviceId=${device.id}`)).json
  assert.notEqual(after.password, before.password)
  assert.notEqual(await textOf(ana, device.id), link, 'the old code is worth nothing')
  assert.equal((await ana.get(one)).json.status, 'waiting_qr')
  await ana.patch(one, { isDisabled: true })
  assertError(await ana.get(`${one}/qr`), 409, /disabled/)
})

test('a driver that is not configured creates no device, and an unknown driver is a 400', async () => {
  const { ana } = await testApp()
  assertError(await ana.post(url, { driver: 'carrier pigeon' }), 400, /driver/)
  const answer = await ana.post(url, { driver: 'whatsapp' })
  assertError(answer, 503, /whatsapp is not set up/)
  assert.deepEqual((await ana.get(url)).json, [])
  assertError(await ana.get(`${url}/x/qr`), 404)
  assertError(await ana.get(`${url}/x/qr?format=gif`), 400, /format/)
})

test("without PUBLIC_URL the link uses the server's own address", async () => {
  const app = await startTestApp()
  const base = await app.app.listen()
  const { json: device } = await app.ana.post(url)
  const link = await textOf(app.ana, device.id)
  assert.ok(link.startsWith(`${base}/provision/`), `${link} ${base}`)
  assert.equal((await fetch(link)).status, 200)
})

test('the webhook path of a driver that is missing or has none is a 404', async () => {
  const { anonymous } = await testApp()
  for (const [method, path] of [
    ['GET', '/hooks/embedded'],
    ['POST', '/hooks/embedded'],
    ['POST', '/hooks/nobody'],
    ['POST', '/hooks/__proto__'],
  ] as const)
    assertError(await anonymous({ method, url: path, payload: '{"x":' }), 404)
})
