// The WhatsApp driver against a server that implements Meta's HTTP API: numbers, texts, calling settings, and every
// failure.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { freePort } from '../../../../test/servers.ts'
import { KEY } from '../../../../test/vendors/server.ts'
import {
  ACCOUNT_ID,
  APP_SECRET,
  NUMBER_ID,
  startWhatsapp,
  TOKEN,
  VERIFY_TOKEN,
} from '../../../../test/vendors/whatsapp.ts'
import { DriverTrouble, type GatewayDevice } from '../driver-port.ts'
import { textParts } from '../text-parts.ts'
import { type WhatsappParts, whatsappDriver } from './driver.ts'

const device: GatewayDevice = { id: 'd1', userId: 'u1', driver: 'whatsapp', name: null, phone: null, externalId: null }
const made = { ...device, externalId: NUMBER_ID }
const sipServer = { hostname: 'voice.example.org', port: 5061 }
const PHONE = '+5511912345678'
const signal = new AbortController().signal

async function open(t: TestContext, more: Partial<WhatsappParts['settings']> = {}, parts: Partial<WhatsappParts> = {}) {
  const meta = await startWhatsapp()
  const lines: string[] = []
  const driver = whatsappDriver({
    settings: {
      token: TOKEN,
      phoneNumberId: NUMBER_ID,
      businessAccountId: null,
      appSecret: APP_SECRET,
      verifyToken: VERIFY_TOKEN,
      apiUrl: `${meta.url}/v24.0`,
      sipHost: 'wa.meta.vc',
      sipPassword: null,
      timeoutMs: 60_000,
      ...more,
    },
    desk: {
      device: async () => undefined,
      received: async () => true,
      claim: async () => true,
      release: async () => {},
    },
    mayUse: async () => true,
    sipServer,
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
    ...parts,
  })
  t.after(async () => {
    await driver.close()
    await meta.stop()
    assert.ok(!lines.join('').includes(KEY), 'nothing secret is logged')
  })
  return { meta, driver }
}

const troubleOf = async (asked: Promise<unknown>): Promise<DriverTrouble> => {
  const error = await asked.then(
    () => assert.fail('it was to fail'),
    (error) => error,
  )
  assert.ok(error instanceof DriverTrouble, String(error))
  assert.ok(!error.message.includes(KEY) && !/html/i.test(error.message), error.message)
  return error
}

test('108 a number that Meta says is connected is connected, and its calls are sent to us', async (t) => {
  const { meta, driver } = await open(t)
  const state = await driver.create(device, signal)
  assert.deepEqual(state, { status: 'connected', externalId: NUMBER_ID, phone: PHONE, error: null })
  const { status, srtp_key_exchange_protocol, sip } = meta.calling.get(NUMBER_ID) ?? assert.fail()
  assert.deepEqual([status, srtp_key_exchange_protocol, sip.status], ['ENABLED', 'SDES', 'ENABLED'])
  assert.deepEqual([sip.servers[0]?.hostname, sip.servers[0]?.port], ['voice.example.org', 5061])
  const posts = () => meta.asked.filter(({ method }) => method === 'POST').length
  assert.equal(posts(), 1)
  assert.deepEqual(await driver.create(device, signal), state)
  assert.deepEqual(await driver.look(made, signal), state)
  assert.equal(posts(), 1, 'what is set up is not set up again')
  assert.equal(await driver.link(made, signal), null, 'there is nothing to scan')
})

const statuses: [status: string | undefined, expected: string, words: RegExp | null][] = [
  ['CONNECTED', 'connected', null],
  ['FLAGGED', 'connected', /flagged/],
  ['PENDING', 'disconnected', /not registered/],
  ['UNVERIFIED', 'disconnected', /not verified/],
  ['DISCONNECTED', 'disconnected', /not connected/],
  ['BANNED', 'error', /banned/],
  ['SOMETHING_NEW', 'disconnected', /SOMETHING_NEW/],
  [undefined, 'connected', null],
]
for (const [status, expected, words] of statuses)
  test(`a number of the status ${status ?? 'that is not told'} is ${expected}`, async (t) => {
    const { meta, driver } = await open(t)
    const number = meta.numbers.get(NUMBER_ID) ?? assert.fail()
    if (status === undefined) delete number.status
    else number.status = status
    const state = await driver.create(device, signal)
    assert.equal(state.status, expected)
    if (words) assert.match(state.error ?? '', words)
    else assert.equal(state.error, null)
  })

test('the trunk has the demands of calls by SIP', async (t) => {
  const { driver } = await open(t)
  await driver.create(device, signal)
  const trunk = await driver.trunk(made, signal)
  assert.deepEqual(trunk, {
    host: 'wa.meta.vc',
    port: null,
    transport: 'tls',
    username: '5511912345678',
    password: `sip-password-${KEY}-0`,
    realm: null,
    fromUser: PHONE,
    fromDomain: 'voice.example.org',
    codecs: ['opus', 'PCMA', 'PCMU'],
    mediaEncryption: 'required',
    sessionTimers: false,
    allowedAddresses: [],
  })
})

test('a password that the operator has set is not asked for', async (t) => {
  const { meta, driver } = await open(t, { sipPassword: 'own', sipHost: 'sip.test:5071' })
  const trunk = await driver.trunk(made, signal)
  assert.deepEqual([trunk?.host, trunk?.port, trunk?.password], ['sip.test', 5071, 'own'])
  assert.ok(!meta.asked.some(({ url }) => url.includes('credentials')))
})

test('where our phone has no TLS there are texts and no calls, and it is said why', async (t) => {
  const { meta, driver } = await open(t, {}, { sipServer: null })
  const state = await driver.create(device, signal)
  assert.equal(state.status, 'connected')
  assert.match(state.error ?? '', /SIP_TLS_PORT/)
  assert.equal(await driver.trunk(made, signal), null)
  assert.equal(meta.calling.size, 0)
})

test("somebody else's SIP server is left as it is, also when the device goes", async (t) => {
  const { meta, driver } = await open(t)
  const sip = { status: 'ENABLED', servers: [{ hostname: 'other.example.org', sip_user_password: 'x' }] }
  meta.calling.set(NUMBER_ID, { status: 'ENABLED', sip })
  const state = await driver.create(device, signal)
  assert.equal(state.status, 'connected')
  assert.match(state.error ?? '', /another SIP server/)
  assert.equal(await driver.trunk(made, signal), null)
  await driver.remove(made, signal)
  assert.equal(meta.calling.get(NUMBER_ID)?.sip.servers[0]?.hostname, 'other.example.org')
})

test('a device that goes takes its calls away', async (t) => {
  const { meta, driver } = await open(t)
  await driver.create(device, signal)
  await driver.remove(made, signal)
  const { status, sip } = meta.calling.get(NUMBER_ID) ?? assert.fail()
  assert.deepEqual([status, sip.status, sip.servers], ['DISABLED', 'DISABLED', []])
  await driver.remove(device, signal) // a device that was never created
})

test('a device names its number among those of the business account', async (t) => {
  const { driver } = await open(t, { businessAccountId: ACCOUNT_ID })
  const state = await driver.create({ ...device, phone: '+5521988887777' }, signal)
  assert.deepEqual([state.externalId, state.phone], ['106540352242923', '+5521988887777'])
  const unknown = await troubleOf(driver.create({ ...device, phone: '+5521900000000' }, signal))
  assert.deepEqual([unknown.kind, /no such number/.test(unknown.message)], ['refused', true])
})

test('without the account only the number of the settings can be had, by one device', async (t) => {
  const other = { ...made, id: 'd2' }
  const desk = {
    device: async () => other,
    received: async () => true,
    claim: async (deviceId: string) => deviceId === other.id,
    release: async () => assert.fail('its user may have it'),
  }
  const { meta, driver } = await open(t, {}, { desk })
  assert.match((await troubleOf(driver.create({ ...device, phone: '+5521988887777' }, signal))).message, /is \+5511912/)
  const taken = await troubleOf(driver.create(device, signal))
  assert.deepEqual([taken.kind, /another device/.test(taken.message)], ['forbidden', true])
  assert.equal(meta.calling.size, 0, 'nothing is changed at Meta for a device that does not get the number')
  assert.equal((await driver.create(other, signal)).status, 'connected')
})

test('a text is sent once, with its key, and its id is told', async (t) => {
  const { meta, driver } = await open(t)
  const outcome = await driver.sendText(made, '+55 11 98765-4321', 'Olá! ☕', 'txt_1', signal)
  const [sent] = meta.sent
  assert.deepEqual(outcome, { ok: true, externalId: sent?.id })
  assert.deepEqual(
    [sent?.from, sent?.to, sent?.body, sent?.data, meta.sent.length],
    [NUMBER_ID, '5511987654321', 'Olá! ☕', 'txt_1', 1],
  )
  await driver.sendText(made, 'BR.13491208655302741918', 'oi', 'txt_2', signal)
  const body = JSON.parse(meta.asked.at(-1)?.body ?? '')
  assert.deepEqual([body.to, body.recipient], [undefined, 'BR.13491208655302741918'])
})

test('a long text goes in parts; when one fails, none is sent again', async (t) => {
  const { meta, driver } = await open(t)
  const text = 'palavra '.repeat(1000).trim()
  assert.equal((await driver.sendText(made, PHONE, text, 'k', signal)).ok, true)
  assert.deepEqual([meta.sent.length, meta.sent.map(({ body }) => body).join(' ')], [2, text])
  meta.refusals.push(null, meta.failure(400, 131047, 'Re-engagement message'))
  const outcome = await driver.sendText(made, PHONE, text, 'k', signal)
  assert.ok(!outcome.ok)
  assert.deepEqual([outcome.isDoubtful, /24 hours.*\(part 2 of 2\)/.test(outcome.error)], [true, true])
  assert.equal(meta.sent.length, 3)
})

test('parts are cut between words, and never within a letter', () => {
  assert.deepEqual(textParts('aaaa bbbb cccc', 9), ['aaaa bbbb', 'cccc'])
  assert.deepEqual(textParts('abcdefghij', 4), ['abcd', 'efgh', 'ij'])
  assert.deepEqual(textParts('😀😀😀', 3), ['😀', '😀', '😀'])
  assert.deepEqual(textParts('   '), [])
})

const texts: [name: string, status: number, code: number, words: RegExp, isDoubtful?: true][] = [
  ['a token that has expired', 401, 190, /does not accept the access token/],
  ['too many requests', 429, 130429, /too often/],
  ['too many requests of the app', 400, 80007, /too often/],
  ['24 hours of silence', 400, 131047, /24 hours.*template/],
  ['missing permission', 403, 10, /permissions/],
  ['another refusal', 400, 131009, /400, error 131009/],
  ['a fault of Meta', 500, 131000, /fault of its own/, true],
]
for (const [name, status, code, words, isDoubtful] of texts)
  test(`a text is not sent for ${name}: the words are ours, and it is asked once`, async (t) => {
    const { meta, driver } = await open(t)
    meta.refusals.push(meta.failure(status, code, 'Some words'))
    const outcome = await driver.sendText(made, PHONE, 'oi', 'k', signal)
    assert.ok(!outcome.ok)
    assert.match(outcome.error, words)
    assert.equal(outcome.isDoubtful, isDoubtful)
    assert.ok(!outcome.error.includes(KEY))
    assert.equal(meta.asked.length, 1)
  })

for (const fault of ['silent', 'reset-at-once', 'wrong', 'empty'] as const)
  test(`a text whose answer is ${fault} may have been sent: it is in doubt, and not sent again`, async (t) => {
    const { meta, driver } = await open(t, fault === 'silent' ? { timeoutMs: 400 } : {})
    meta.fail(fault)
    const outcome = await driver.sendText(made, PHONE, 'oi', 'k', signal)
    assert.ok(!outcome.ok && outcome.isDoubtful, JSON.stringify(outcome))
    assert.equal(meta.asked.length, 1)
  })

test('where nobody listens, nothing was sent, and that is certain', async (t) => {
  const { driver } = await open(t, { apiUrl: `http://127.0.0.1:${await freePort()}/v24.0` })
  const outcome = await driver.sendText(made, PHONE, 'oi', 'k', signal)
  assert.deepEqual(outcome, { ok: false, error: 'WhatsApp could not be reached' })
})

const looks = [
  ['unauthorized', 'unauthorized'],
  ['throttled', 'unavailable'],
  ['broken', 'unavailable'],
  ['silent', 'timeout'],
  ['reset-at-once', 'unavailable'],
  ['wrong', 'protocol'],
  ['empty', 'protocol'],
] as const
for (const [fault, kind] of looks)
  test(`a look that meets ${fault} is a trouble of the kind ${kind}`, async (t) => {
    const { meta, driver } = await open(t, fault === 'silent' ? { timeoutMs: 3000 } : {})
    meta.fail(fault)
    assert.equal((await troubleOf(driver.look(made, signal))).kind, kind)
    if (fault === 'throttled') assert.match((await troubleOf(driver.look(made, signal))).message, /in 7 seconds/)
    meta.heal()
    assert.equal((await driver.look(made, signal)).status, 'connected')
  })

test('who stops asking is not waited for', async (t) => {
  const { meta, driver } = await open(t, { timeoutMs: 60_000 })
  meta.fail('silent')
  assert.equal((await troubleOf(driver.look(made, AbortSignal.timeout(50)))).kind, 'unavailable')
})

test('a user who may not use the account gets neither number, calls nor texts', async (t) => {
  const { meta, driver } = await open(t, {}, { mayUse: async (userId) => userId === 'u1' })
  const theirs = { ...made, userId: 'u2' }
  for (const asked of [driver.create(theirs, signal), driver.look(theirs, signal), driver.trunk(theirs, signal)])
    assert.equal((await troubleOf(asked)).kind, 'forbidden')
  assert.equal((await troubleOf(driver.sendText(theirs, PHONE, 'oi', 'k', signal))).kind, 'forbidden')
  assert.deepEqual([meta.asked.length, meta.sent.length], [0, 0])
  assert.equal((await driver.create(device, signal)).status, 'connected')
})

test('a device without a number of its own sends nothing', async (t) => {
  const { meta, driver } = await open(t)
  assert.equal((await driver.sendText(device, PHONE, 'oi', 'k', signal)).ok, false)
  assert.equal(meta.asked.length, 0)
  assert.equal((await driver.sendText(made, PHONE, 'oi', 'k', signal)).ok, true)
})
