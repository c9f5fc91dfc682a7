import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAgent } from '../../test/sip-agents.ts'
import { until } from '../../test/until.ts'
import { replyTo } from '../sip/agent-context.ts'
import { digestServer } from '../sip/auth/digest-server.ts'
import { newRequest } from '../sip/message/build.ts'
import type { Device } from './ports.ts'
import { messageSender, parseMessage, splitText } from './sip-messages.ts'

const device = {
  id: 'dev_1',
  userId: 'ana',
  username: 'desk',
  password: 'secret',
  phone: '+551130001000',
  isDisabled: false,
} as Device

/** Our side, and a peer reached by the flow of its own request, as after a registration. */
async function twoSides(
  t: Parameters<typeof openAgent>[0],
  onRequest: Parameters<typeof openAgent>[1],
  timeoutMs = 20_000,
) {
  const ours = await openAgent(t, { timers: {} })
  const far = await openAgent(t, { timers: {}, ...onRequest })
  void far.ua.request({ method: 'OPTIONS', uri: ours.uri(), from: 'sip:desk@x', to: ours.uri(), timeoutMs: 50 })
  const { flow } = await until('it came', () => ours.requests[0])
  const send = messageSender({
    ua: ours.ua,
    device: (id) => (id === device.id ? device : undefined),
    bindingsOf: () => [{ contact: far.uri(), flow }],
    domain: 'ramal.test',
    timeoutMs,
  })
  return { far, send }
}
const to = { userId: 'ana', deviceId: 'dev_1' }

test("a message goes to the device's registered contact, with sender and recipient", async (t) => {
  const { far, send } = await twoSides(t, {
    onRequest: (asked) => asked.respond(replyTo('far', asked.request, 200)),
  })
  assert.deepEqual(await send({ ...to, text: 'Olá, açúcar ☕', from: '+551140004000', to: '+5511987654321' }), {
    ok: true,
    detail: 'delivered',
  })
  const { request } = far.requests[0] ?? assert.fail()
  assert.equal(request.method, 'MESSAGE')
  assert.equal(request.body.toString('utf8'), 'Olá, açúcar ☕')
  const shown = ['from', 'to', 'x-to-number', 'content-type'].map((name) => request.headers.get(name)?.split(';tag')[0])
  assert.deepEqual(shown, [
    '<sip:+551140004000@ramal.test>',
    '<sip:+5511987654321@ramal.test>',
    '+5511987654321',
    'text/plain;charset=UTF-8',
  ])
})

test("a device's challenge is answered", async (t) => {
  const digest = digestServer({ realm: 'far' })
  const { far, send } = await twoSides(t, {
    async onRequest(asked) {
      const proof = await digest.verify(asked.request, '127.0.0.1', () => 'secret')
      const challenges = digest.challenge(asked.request, false, '127.0.0.1')
      const headers = challenges.map((value) => ['www-authenticate', value] as const)
      asked.respond(replyTo('far', asked.request, proof.ok ? 202 : 401, proof.ok ? {} : { headers }))
    },
  })
  assert.equal((await send({ ...to, text: 'x' })).ok, true)
  assert.equal(far.requests.length, 2)
})

test('a long message is sent in parts, in order, and stops at the first failure', async (t) => {
  let count = 0
  const { far, send } = await twoSides(t, {
    onRequest: (asked) => asked.respond(replyTo('far', asked.request, ++count === 3 ? 480 : 200)),
  })
  const text = Array.from({ length: 800 }, (_, i) => `palavra${i}`).join(' ')
  assert.deepEqual(await send({ ...to, text }), {
    ok: false,
    detail: 'part 3 of 7: 480 Temporarily Unavailable',
  })
  assert.equal(far.requests.length, 3)
})

test('a timeout is doubtful, and a failure is reported', async (t) => {
  const { send } = await twoSides(t, { onRequest: () => {} }, 300)
  assert.deepEqual(await send({ ...to, text: 'x' }), {
    ok: false,
    detail: 'the device did not answer',
    isDoubtful: true,
  })
  for (const wrong of [{ deviceId: 'other' }, { userId: 'bob' }, { text: '  ' }, { text: 'x'.repeat(20_000) }])
    assert.equal((await send({ ...to, text: 'x', ...wrong })).ok, false)
})

test('messages are split between words, never within a character', () => {
  assert.deepEqual(splitText('one two three', 8), ['one two', 'three'])
  assert.deepEqual(splitText('ção'.repeat(4), 7), ['çãoç', 'ãoçã', 'oção'])
  assert.deepEqual(splitText('👍👍👍', 9), ['👍👍', '👍'])
  assert.deepEqual(splitText('  ', 9), [])
  for (const part of splitText('até logo, '.repeat(500), 1300)) assert.ok(Buffer.byteLength(part) <= 1300)
})

test('only plain-text messages are accepted; a gateway names the sender', () => {
  const message = (type: string, content: string | Buffer, from = '<sip:desk@ramal.test>;tag=1') =>
    newRequest({
      method: 'MESSAGE',
      uri: 'sip:+551130001000@ramal.test',
      from,
      to: '<sip:agent@ramal.test>',
      callId: 'c',
      cseq: 1,
      body: { type, content },
    })
  assert.deepEqual(parseMessage(message('text/plain;charset=utf-8', 'olá'), device), {
    userId: 'ana',
    deviceId: 'dev_1',
    from: '+551130001000',
    to: '+551130001000',
    text: 'olá',
    key: 'c 1',
  })
  const relayed = parseMessage(message('text/plain', 'oi', '<sip:+5521999990000@gw>;tag=1'), device)
  assert.equal('from' in relayed && relayed.from, '+5521999990000')
  for (const type of ['application/im-iscomposing+xml', 'text/html', 'text/plain;charset=utf-16'])
    assert.deepEqual(parseMessage(message(type, 'x'), device), { refuse: 415 })
  assert.deepEqual(parseMessage(message('text/plain', ''), device), { refuse: 400 })
})
