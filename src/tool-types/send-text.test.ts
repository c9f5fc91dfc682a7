// send_text against an HTTP provider on a real server, and through a device.
import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { type TestContext, test } from 'node:test'
import { freeSipPort } from '../../test/phones/ports.ts'
import { dialPolicy } from '../phone/dial-policy.ts'
import { checkArguments } from './arguments.ts'
import type { CallControl, Json, Outcome, ToolContext, ToolRecord } from './ports.ts'
import { sendText, type TextParts } from './send-text.ts'

const CALLER = '+5511911112222'
const call = { id: 'cal_1', direction: 'inbound', fromNumber: CALLER, toNumber: '+551130001000' } as CallControl
const place = (live: CallControl | null = call): ToolContext => ({
  userId: 'usr_1',
  agent: { id: 'agt_1', name: 'Ana' },
  conversationId: 'cnv_1',
  language: 'pt-BR',
  timeZone: 'UTC',
  call: live,
  variables: { order: '42' },
  history: [],
  summary: async () => '',
})
const toolOf = (config: Json): ToolRecord => ({
  id: 'tol_1',
  userId: 'usr_1',
  name: 'text',
  description: null,
  type: 'send_text',
  method: null,
  requestUrl: null,
  parameters: null,
  headers: null,
  authorization: null,
  body: null,
  messages: null,
  config,
})

type Asked = { method: string; url: string; headers: IncomingHttpHeaders; body: string }
async function provider(t: TestContext, answer: { status: number; body?: string } = { status: 200 }) {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
      response.writeHead(answer.status, { location: 'http://127.0.0.1:1/' }).end(answer.body ?? 'ok')
    })
  })
  await new Promise<void>((up) => server.listen(0, '127.0.0.1', up))
  t.after(() => server.close())
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const messages: Parameters<TextParts['sendMessage']>[0][] = []
const partsOf = (sms: TextParts['sms']): TextParts => ({
  dialPolicy: dialPolicy(['+1900']),
  sms,
  smsTimeoutMs: 600_000, // a busy machine is not a provider that never answers
  spendText: async () => {},
  async sendMessage(text) {
    messages.push(text)
    return { ok: true, detail: 'delivered' }
  },
})
const never = new AbortController().signal
async function send(
  sms: TextParts['sms'],
  config: Json,
  args: Json,
  where = place(),
  signal = never,
): Promise<Outcome> {
  const [offer] = sendText(partsOf(sms)).functions(toolOf(config))
  assert.ok(offer)
  const checked = checkArguments(offer.parameters, args)
  if (!checked.ok) return { ok: false, error: checked.error }
  return offer.run({ id: 'tcl_7', args: checked.args, context: where }, signal)
}

test('a message is sent to the caller through the provider, with its key and an idempotency key', async (t) => {
  const { asked, url } = await provider(t)
  const headers = { Authorization: 'Bearer s3cret-token' }
  const sms = { url: `${url}/send?to={to}`, method: 'POST', headers, body: { msg: '{text}', src: '{from}', n: 1 } }
  const outcome = await send(sms, { from: 'Loja' }, { text: 'Olá "você" & {to}' })
  assert.deepEqual(outcome, { ok: true, text: 'The message was sent.' })
  const [one] = asked
  assert.equal(one?.url, '/send?to=%2B5511911112222')
  assert.deepEqual(JSON.parse(one?.body ?? ''), { msg: 'Olá "você" & {to}', src: 'Loja', n: 1 })
  assert.equal(one?.headers.authorization, 'Bearer s3cret-token')
  assert.equal(one?.headers['idempotency-key'], 'tcl_7')
})

test('a provider that takes forms gets a form, and one that takes GET gets everything in the URL', async (t) => {
  const { asked, url } = await provider(t)
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  await send({ url, method: 'POST', headers, body: { To: '{to}', Body: '{text}' } }, {}, { text: 'a&b=c' })
  assert.equal(asked[0]?.body, 'To=%2B5511911112222&Body=a%26b%3Dc')
  await send({ url: `${url}/?t={to}&m={text}`, method: 'GET', headers: {}, body: null }, {}, { text: 'x&admin=1' })
  assert.equal(asked[1]?.url, '/?t=%2B5511911112222&m=x%26admin%3D1')
  await send(
    { url, method: 'POST', headers: {}, body: null },
    { template: 'Pedido {order}: {text}' },
    { text: 'pronto' },
  )
  assert.deepEqual(JSON.parse(asked[2]?.body ?? ''), { to: CALLER, text: 'Pedido 42: pronto', from: '' })
})

test("only the other party and the tool's own numbers can be recipients", async (t) => {
  const { asked, url } = await provider(t)
  const sms = { url, method: 'POST', headers: {}, body: null }
  const config = { allowedNumbers: ['+55 11 4002-8922', '+19005551234'] }
  for (const to of ['+5511999999999', '+19005551234', '190', 'caller@evil'])
    assert.equal((await send(sms, config, { text: 'x', to })).ok, false, to)
  const noList = sendText(partsOf(sms)).functions(toolOf({}))[0]?.parameters.properties as Json
  assert.equal('to' in noList, false, 'without a list the model cannot choose')
  assert.equal((await send(sms, {}, { text: 'x' }, place(null))).ok, false, 'nobody is there')
  assert.equal((await send(sms, {}, { text: 'x'.repeat(1001) })).ok, false)
  assert.equal((await send(sms, { template: `${'y'.repeat(990)}{text}` }, { text: 'x'.repeat(20) })).ok, false)
  const whatsapp = await send(sms, { channel: 'whatsapp' }, { text: 'x' })
  assert.equal(whatsapp.ok, true)
  assert.deepEqual(
    [messages.at(-1)?.channel, messages.at(-1)?.deviceId],
    ['whatsapp', null],
    'the gateway finds its device',
  )
  assert.equal(asked.length, 0)
  assert.equal((await send(sms, config, { text: 'x', to: '+551140028922' })).ok, true)
  assert.equal((await send(sms, { defaultTo: '+551140028922' }, { text: 'x' }, place(null))).ok, true)
  const outbound = { ...call, direction: 'outbound', toNumber: '+5511933334444' } as CallControl
  await send(sms, {}, { text: 'x' }, place(outbound))
  assert.equal(JSON.parse(asked.at(-1)?.body ?? '').to, '+5511933334444')
})

test('a refusal is reported without echoed secrets, a redirect is not followed, no response is in doubt', async (t) => {
  const body = 'bad key s3cret-token for account acc-99887766, pin pin-123456'
  const { url } = await provider(t, { status: 403, body })
  const headers = { 'X-Key': 's3cret-token' }
  const sms = { url: `${url}/?account=acc-99887766&to={to}`, method: 'POST', headers, body: { pin: 'pin-123456' } }
  const refused = await send(sms, {}, { text: 'x' })
  assert.match(refused.ok ? '' : refused.error, /status 403: bad key \*+ for account \*+, pin \*+/)
  const elsewhere = await provider(t, { status: 302 })
  assert.equal((await send({ ...sms, url: elsewhere.url }, {}, { text: 'x' })).ok, false)
  const closed = await send({ ...sms, url: `http://127.0.0.1:${await freeSipPort()}/` }, {}, { text: 'x' })
  assert.deepEqual(closed, { ok: false, error: 'The message was not sent: the provider could not be reached' })
  const server = createServer((request) => request.socket.destroy())
  await new Promise<void>((up) => server.listen(0, '127.0.0.1', up))
  t.after(() => server.close())
  const cut = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const doubt = await send({ ...sms, url: cut }, {}, { text: 'x' })
  assert.equal(!doubt.ok && doubt.isDoubtful, true)
})

test('a time-out before the connection is open sent nothing, and one after the request is in doubt', async (t) => {
  const timeOut = async (scheme: string, server: Server) => {
    const late = new AbortController()
    server.once(scheme === 'https' ? 'connection' : 'request', () => late.abort())
    await new Promise<void>((up) => server.listen(0, '127.0.0.1', up))
    t.after(() => server.close())
    const url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`
    return send({ url, method: 'POST', headers: {}, body: null }, {}, { text: 'x' }, place(), late.signal)
  }
  // It never answers the TLS handshake.
  const unopened = await timeOut('https', createTcpServer())
  assert.deepEqual(unopened, { ok: false, error: 'The message was not sent: the provider could not be reached' })
  const unanswered = await timeOut('http', createServer())
  assert.equal(!unanswered.ok && unanswered.isDoubtful, true)
})

test('a configured device sends the message, and without device or provider the tool says why', async () => {
  const outcome = await send(null, { deviceId: 'dev_1', from: '+551130001000' }, { text: 'Olá' })
  assert.equal(outcome.ok, true)
  assert.deepEqual(messages.at(-1), {
    userId: 'usr_1',
    deviceId: 'dev_1',
    channel: null,
    text: 'Olá',
    from: '+551130001000',
    to: CALLER,
    callId: 'cal_1',
    key: 'tcl_7',
  })
  const unnumbered = place()
  assert.ok(unnumbered.call)
  const phone = { ...unnumbered, call: { ...unnumbered.call, fromNumber: null } }
  assert.equal((await send(null, { deviceId: 'dev_1' }, { text: 'Oi' }, phone)).ok, true)
  assert.deepEqual([messages.at(-1)?.to, messages.at(-1)?.callId], [null, 'cal_1'], 'the phone that is calling')
  assert.match(sendText(partsOf(null)).problem?.(toolOf({})) ?? '', /SMS_URL/)
})
