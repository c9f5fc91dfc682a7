// The WhatsApp webhook: only signed requests are accepted, each text is processed once, and none is lost if we fail.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { APP_SECRET, NUMBER_ID, signed, VERIFY_TOKEN, webhook, written } from '../../../../test/vendors/whatsapp.ts'
import type { HookRequest, TextIn } from '../driver-port.ts'
import { whatsappDriver } from './driver.ts'

type Delivered = { key: string | null; externalId: string; error: string | null }

function open(t: TestContext, more: { appSecret?: string | null; received?: (text: TextIn) => Promise<boolean> } = {}) {
  const texts: TextIn[] = []
  const deliveries: Delivered[] = []
  const lines: string[] = []
  const driver = whatsappDriver({
    settings: {
      token: 'x',
      phoneNumberId: NUMBER_ID,
      businessAccountId: null,
      appSecret: APP_SECRET,
      verifyToken: more.appSecret === null ? null : VERIFY_TOKEN,
      apiUrl: 'http://127.0.0.1:9/v24.0',
      sipHost: 'wa.meta.vc',
      sipPassword: null,
      ...('appSecret' in more ? { appSecret: more.appSecret } : {}),
    } as never,
    desk: {
      device: async (_driver, externalId) =>
        externalId === NUMBER_ID
          ? { id: 'd1', userId: 'u1', driver: 'whatsapp', name: null, phone: null, externalId }
          : undefined,
      received:
        more.received ??
        (async (text) => {
          texts.push(text)
          return true
        }),
      claim: async () => true,
      release: async () => {},
    },
    mayUse: async () => true,
    delivered: async (_deviceId, text) => void deliveries.push(text),
    sipServer: null,
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
  })
  t.after(driver.close)
  const send = ({ body, headers }: { body: string; headers: Record<string, string> }) =>
    driver.hook({ method: 'POST', query: {}, headers, body: Buffer.from(body) })
  const verify = (query: HookRequest['query']) =>
    driver.hook({ method: 'GET', query, headers: {}, body: Buffer.alloc(0) })
  return { texts, deliveries, send, verify, logs: () => lines.join('') }
}

test('the webhook is set up by who knows our word', async (t) => {
  const { verify } = open(t)
  const query = { 'hub.mode': 'subscribe', 'hub.verify_token': VERIFY_TOKEN, 'hub.challenge': '1158201444' }
  assert.deepEqual(await verify(query), { status: 200, type: 'text/plain', body: '1158201444' })
  assert.deepEqual(await verify({ ...query, 'hub.verify_token': 'guess' }), { status: 403 })
  assert.deepEqual(await verify({ ...query, 'hub.mode': 'other' }), { status: 403 })
  assert.deepEqual(await verify({}), { status: 403 })
})

test('a signed text is handed over as it was written', async (t) => {
  const { texts, send, logs } = open(t)
  const id = 'wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRB'
  assert.deepEqual(await send(webhook(written('5511987654321', 'Vocês abrem às 7? ☕', id))), { status: 200 })
  const at = '2025-11-15T09:46:40.000Z'
  assert.deepEqual(texts, [{ deviceId: 'd1', from: '+5511987654321', text: 'Vocês abrem às 7? ☕', key: id, at }])
  assert.ok(!logs().includes('abrem') && !logs().includes('98765'), 'what callers say is not logged')
})

test('what is forged is refused and not heard', async (t) => {
  const { texts, send } = open(t)
  const good = webhook(written('5511987654321', 'oi'))
  const forged = [
    webhook(written('5511987654321', 'oi'), 'another secret'),
    { ...good, body: good.body.replace('"oi"', '"ai"') },
    { ...good, headers: {} },
    { ...good, headers: { 'x-hub-signature-256': 'sha256=' } },
    { ...good, headers: { 'x-hub-signature-256': `sha1=${'0'.repeat(40)}` } },
    { ...good, headers: { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` } },
  ]
  for (const one of forged) assert.deepEqual(await send(one as typeof good), { status: 403 })
  assert.deepEqual(texts, [])
})

test('without the app secret nothing comes in', async (t) => {
  const { texts, send, verify } = open(t, { appSecret: null })
  assert.equal((await send(webhook(written('5511987654321', 'oi')))).status, 404)
  assert.equal((await verify({ 'hub.mode': 'subscribe', 'hub.verify_token': '' })).status, 404)
  assert.deepEqual(texts, [])
})

test('what cannot be kept is sent again by Meta', async (t) => {
  const { send } = open(t, { received: () => Promise.reject(new Error('the database is away')) })
  assert.deepEqual(await send(webhook(written('5511987654321', 'oi'))), { status: 503 })
})

test('texts for a number that nobody has here, or for a disabled device, are not sent again and again', async (t) => {
  const nobody = open(t)
  assert.deepEqual(await nobody.send(webhook(written('5511987654321', 'oi'), APP_SECRET, '999')), { status: 200 })
  assert.deepEqual(nobody.texts, [])
  const disabled = open(t, { received: async () => false })
  assert.deepEqual(await disabled.send(webhook(written('5511987654321', 'oi'))), { status: 200 })
})

const kinds: [name: string, message: object, text: string | null][] = [
  ['a button', { type: 'button', button: { text: 'Sim', payload: 'p' } }, 'Sim'],
  [
    'an answer from a list',
    { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: '1', title: 'Amanhã' } } },
    'Amanhã',
  ],
  ['a picture with words', { type: 'image', image: { id: '1', caption: 'Quanto custa?' } }, 'Quanto custa?'],
  ['a voice message', { type: 'audio', audio: { id: '1', voice: true } }, '[audio]'],
  ['a reaction', { type: 'reaction', reaction: { message_id: 'wamid.1', emoji: '👍' } }, null],
  ['a change of number', { type: 'system', system: { body: 'changed' } }, null],
  ['what WhatsApp itself does not know', { type: 'unsupported', errors: [{ code: 131051 }] }, null],
]
for (const [name, message, text] of kinds)
  test(`${name} is ${text === null ? 'passed over' : `heard as ${text}`}`, async (t) => {
    const { texts, send } = open(t)
    const one = { from: '5511987654321', id: 'wamid.1', timestamp: '1763200000', ...message }
    assert.deepEqual(await send(webhook({ messages: [one] })), { status: 200 })
    assert.deepEqual(
      texts.map((each) => each.text),
      text === null ? [] : [text],
    )
  })

test('who hides his number is known by his id', async (t) => {
  const { texts, send } = open(t)
  const one = { from_user_id: 'BR.13491208655302741918', id: 'wamid.2', timestamp: 'x', type: 'text' }
  await send(webhook({ messages: [{ ...one, text: { body: 'oi' } }] }))
  assert.deepEqual([texts[0]?.from, texts[0]?.text], ['BR.13491208655302741918', 'oi'])
  assert.ok(Math.abs(Date.parse(texts[0]?.at ?? '') - Date.now()) < 60_000, 'a time that is none is now')
})

test('what became of a text is told, with its key', async (t) => {
  const { deliveries, send } = open(t)
  const status = (name: string, more = {}) => ({
    id: 'wamid.3',
    status: name,
    timestamp: '1',
    recipient_id: '1',
    ...more,
  })
  const failed = status('failed', { errors: [{ code: 131047, title: 'Re-engagement message' }] })
  const sent = status('delivered', { biz_opaque_callback_data: 'txt_1' })
  assert.deepEqual(await send(webhook({ statuses: [sent, failed, status('deleted'), {}] })), { status: 200 })
  assert.deepEqual(deliveries[0], { key: 'txt_1', externalId: 'wamid.3', error: null })
  assert.match(deliveries[1]?.error ?? '', /24 hours/)
  assert.equal(deliveries.length, 2)
})

test('what is signed and makes no sense does no harm', async (t) => {
  const { texts, send } = open(t)
  for (const body of ['', '{', 'null', '[]', '{"object":"page","entry":[]}'])
    assert.deepEqual(await send(signed(body)), { status: 400 }, body)
  const odd = [null, 1, 'x', [], {}, { changes: 1 }, { changes: [{ value: { messages: [null, 7, {}] } }] }]
  assert.deepEqual(await send(signed(JSON.stringify({ object: 'whatsapp_business_account', entry: odd }))), {
    status: 200,
  })
  assert.deepEqual(texts, [])
})
