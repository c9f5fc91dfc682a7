// The answer hook as callers and the owner see it: normal, slow, late, wrong and hostile responses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { SipResponse } from '../../src/sip/message/message.ts'
import { ended, startPhoneApp } from '../phone-app.ts'
import { until } from '../until.ts'
import { openWebServer } from '../web-server.ts'
import { answers, hookedNumber, hookOf, newestCall } from './answer-hook.ts'
import { toneAgent } from './talks.ts'

const agent = toneAgent()
const app = await startPhoneApp(
  { ALLOWED_NETWORKS: '127.0.0.0/8', DENIED_PREFIXES: '+979' },
  { converse: agent.converse },
)
const quick = { timeoutMs: 500 }
const provisional = (response: SipResponse) => response.status === 180

test('the hook is asked while it rings, signed, and chooses agent, variables, language and context', async (t) => {
  const trunk = { headerVariables: ['X-Customer-Id', 'Diversion'] }
  let second = ''
  const hooked = await hookedNumber(
    t,
    app,
    (_, response) =>
      answers({ agentId: second, variables: { nome: 'Ana', plano: 3 }, language: 'es', context: 'VIP' })(_, response),
    { trunk },
  )
  second = hooked.second
  const { client, number, agentId, secret, server } = hooked
  const call = await hooked.call({
    headers: [
      ['X-Customer-Id', '42'],
      ['X-Secret', 'no'],
    ],
  })
  await call.answered()
  const talk = await agent.next()
  assert.ok(call.answers().some(provisional), 'the caller hears ringing')
  assert.equal(talk.call.agent.id, second)
  assert.deepEqual([talk.call.guidance?.language, talk.call.guidance?.context], ['es', 'VIP'])
  const [asked] = server.asked
  assert.ok(asked)
  const body = new Webhook(secret).verify(asked.body, asked.headers as Record<string, string>) as Record<
    string,
    unknown
  >
  const { callId } = talk.call
  assert.deepEqual(
    [body.callId, body.caller, body.called, body.channel, body.direction, body.agentId, body.headers],
    [callId, '+5521988887777', number, 'phone', 'inbound', agentId, { 'X-Customer-Id': '42' }],
  )
  assert.ok(Math.abs(Date.parse(String(body.time)) - Date.now()) < 60_000)
  const row = (await client.get(`/api/calls/${callId}`)).json
  assert.equal(row.agentId, second)
  assert.deepEqual(row.variables, { sip_x_customer_id: '42', nome: 'Ana', plano: '3' })
  const hook = await hookOf(client, callId)
  assert.deepEqual(
    [hook.status, hook.kind, hook.agentId, hook.language, hook.variables, hook.hasContext],
    ['applied', 'url', second, 'es', ['nome', 'plano'], true],
  )
  assert.ok(!app.logs().includes('VIP') && !app.logs().includes('hidden'))
  await call.bye()
  await ended(client, callId)
})

test('a call without a hook is answered without ringing first', async (t) => {
  const hooked = await hookedNumber(t, app, answers({}))
  await hooked.client.delete(hooked.hookUrl)
  const call = await hooked.call()
  await call.answered()
  const { callId } = (await agent.next()).call
  assert.ok(!call.answers().some(provisional))
  assert.equal((await hooked.client.get(`/api/calls/${callId}/answer-hook`)).json.hook, null)
  await call.bye()
})

test('a refusal reaches the caller with its SIP code, and is listed with its reason', async (t) => {
  for (const [refuse, code] of [
    [true, 603],
    [486, 486],
    [404, 404],
  ] as const) {
    const hooked = await hookedNumber(t, app, answers({ refuse }))
    const call = await hooked.call()
    assert.equal((await call.final()).status, code)
    const row = await ended(hooked.client, (await newestCall(hooked.client)).id)
    assert.deepEqual([row.status, row.endReason, row.sipCode, row.answeredAt], ['failed', 'rejected', code, null])
    assert.equal((await hookOf(hooked.client, row.id)).refuse, code)
  }
  await until('all places are free', () => app.app.phone?.live.total === 0)
})

test('a call is sent to a number of the answer, and the agent answers when nobody is reached there', async (t) => {
  const reached = await hookedNumber(t, app, answers({ transferTo: '+551155554444', context: 'VIP' }), {
    trunk: { directions: ['inbound', 'outbound'] },
  })
  const { carrier, client } = reached
  // The carrier refuses the REFER, then accepts or refuses the second leg.
  let status = 200
  carrier.onRequest = (request) => {
    if (request.method === 'REFER') carrier.answer(request, 405)
    else if (request.method === 'INVITE') carrier.answer(request, status, status === 200 ? { sdp: carrier.sdp() } : {})
    else carrier.answer(request, 200)
  }
  const call = await reached.call()
  await call.answered()
  const invite = await carrier.request('INVITE')
  assert.match(invite.uri, /551155554444/)
  const { id } = await newestCall(client)
  await until('both are connected', async () => {
    const sip = (await client.get(`/api/calls/${id}/sip`)).json
    return (await client.get(`/api/calls/${id}`)).json.status === 'in_progress' && sip
  })
  await call.bye()
  assert.equal((await ended(client, id)).endReason, 'transferred')

  status = 486
  const again = await reached.call()
  await again.answered()
  const talk = await agent.next()
  assert.match(talk.call.guidance?.context ?? '', /^VIP\n.*could not be reached/)
  await again.bye()
})

const denied = { transferTo: '+979555555' }
for (const [what, answer] of Object.entries({
  'a number that the dial policy denies': denied,
  'a foreign agent': { agentId: 'agt_01kjq4m8x2v6t0c3r9n5h7wzde' },
  'wrong types': { variables: { nome: 'Ana' }, agentId: 5 },
  'a code that is no refusal': { refuse: 200 },
  'a list': [1],
})) {
  test(`an answer with ${what} is not used at all: the agent of the number answers`, async (t) => {
    const hooked = await hookedNumber(t, app, answers(answer))
    const call = await hooked.call()
    await call.answered()
    const talk = await agent.next()
    assert.equal(talk.call.agent.id, hooked.agentId)
    const hook = await hookOf(hooked.client, talk.call.callId)
    assert.equal(hook.status, 'invalid')
    assert.ok(hook.detail.length > 10)
    assert.deepEqual([hook.agentId, hook.transferTo, hook.variables], [null, null, []])
    await call.bye()
  })
}

test('HTML, errors, a redirect to another address and garbage do not cost the call', async (t) => {
  const target = await openWebServer(t, answers({ refuse: true }))
  const faults: [Parameters<typeof hookedNumber>[2], string][] = [
    [(_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>'), 'invalid'],
    [(_, response) => response.writeHead(500).end('{"refuse":true}'), 'failed'],
    [(_, response) => response.writeHead(302, { location: target.url }).end(), 'failed'],
    [(_, response) => response.writeHead(307, { location: 'http://169.254.169.254/' }).end(), 'failed'],
    [(_, response) => response.socket?.end('nonsense\r\n\r\n'), 'failed'],
    [(_, response) => response.socket?.destroy(), 'failed'],
    [(_, response) => response.end(`{"context":"${'x'.repeat(70_000)}"}`), 'invalid'],
    [(_, response) => response.end(`${'['.repeat(1000)}${']'.repeat(1000)}`), 'invalid'],
  ]
  for (const [handle, status] of faults) {
    const hooked = await hookedNumber(t, app, handle)
    const call = await hooked.call()
    await call.answered()
    const talk = await agent.next()
    assert.equal(talk.call.agent.id, hooked.agentId)
    assert.equal((await hookOf(hooked.client, talk.call.callId)).status, status)
    await call.bye()
  }
  assert.equal(target.asked.length, 0)
})

test('an answer that never ends is given up after its time, and the connection is closed', async (t) => {
  const hooked = await hookedNumber(
    t,
    app,
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const drip = setInterval(() => response.write(' '), 20)
      response.once('close', () => clearInterval(drip))
    },
    { hook: quick },
  )
  const call = await hooked.call()
  await call.answered()
  const talk = await agent.next()
  assert.equal((await hookOf(hooked.client, talk.call.callId)).status, 'timeout')
  await call.bye()
  await until('the connection is closed', () => hooked.server.open() === 0)
})

test('a late answer becomes context and variables of the running call, and decides nothing more', async (t) => {
  const release = Promise.withResolvers<void>()
  const hooked = await hookedNumber(
    t,
    app,
    async (request, response) => {
      await release.promise
      answers({ variables: { nome: 'Ana' }, context: 'VIP', refuse: 603, agentId: hooked.second })(request, response)
    },
    { hook: quick },
  )
  const { client } = hooked
  const call = await hooked.call()
  await call.answered()
  const { call: answered } = await agent.next()
  assert.equal((await hookOf(client, answered.callId)).status, 'timeout')
  release.resolve()
  assert.deepEqual(await answered.guidance?.late, { variables: { nome: 'Ana' }, context: 'VIP' })
  const hook = await hookOf(client, answered.callId)
  assert.deepEqual([hook.status, hook.refuse, hook.agentId, hook.variables], ['late', null, null, ['nome']])
  assert.ok(hook.lateMs >= hook.ms)
  const row = (await client.get(`/api/calls/${answered.callId}`)).json
  assert.deepEqual([row.agentId, row.variables, row.status], [hooked.agentId, { nome: 'Ana' }, 'in_progress'])
  await call.bye()
})

test('a late answer after the end of the call is dropped', async (t) => {
  const hooked = await hookedNumber(t, app, () => {}, { hook: quick })
  const call = await hooked.call()
  await call.answered()
  const { call: answered } = await agent.next()
  await call.bye()
  await ended(hooked.client, answered.callId)
  assert.equal(await answered.guidance?.late, null)
  await until('the request is given up', () => hooked.server.open() === 0)
})

test('a CANCEL during the hook ends the call at once, and the request with it', async (t) => {
  const hooked = await hookedNumber(t, app, () => {}, { hook: { timeoutMs: 5000 } })
  const call = await hooked.call()
  await until('the server is asked', () => hooked.server.asked.length === 1)
  await until('it rings', () => call.answers().some(provisional))
  call.cancel()
  assert.equal((await call.final()).status, 487)
  const row = await ended(hooked.client, (await newestCall(hooked.client)).id)
  assert.deepEqual([row.status, row.endReason, row.answeredAt], ['canceled', 'caller_hangup', null])
  await until('the request is given up', () => hooked.server.open() === 0)
  await until('the place is free', () => app.app.phone?.live.total === 0)
})

test('a call that is hung up through the API during the hook stops ringing', async (t) => {
  const hooked = await hookedNumber(t, app, () => {}, { hook: { timeoutMs: 5000 } })
  const call = await hooked.call()
  await until('the server is asked', () => hooked.server.asked.length === 1)
  const { id } = await newestCall(hooked.client)
  assert.equal((await hooked.client.post(`/api/calls/${id}/hangup`)).status, 200)
  assert.ok((await call.final()).status >= 400)
  assert.equal((await ended(hooked.client, id)).endReason, 'canceled_by_api')
})

/**
 * Few enough that the admission control of a loaded machine refuses none; features/answer-hooks/ask.test.ts runs 50 at
 * once.
 */
test('callers at once with a dead hook are all answered, and the next one does not wait', async (t) => {
  const hooked = await hookedNumber(t, app, () => {}, { hook: quick })
  const calls = await Promise.all(Array.from({ length: 6 }, () => hooked.call()))
  await Promise.all(calls.map((call) => call.answered()))
  // Right away: the breaker tries the server again after some seconds.
  const askedBefore = hooked.server.asked.length
  const next = await hooked.call()
  await next.answered()
  const hook = await hookOf(hooked.client, (await newestCall(hooked.client)).id)
  assert.deepEqual([hook.status, hook.ms, hooked.server.asked.length], ['skipped', 0, askedBefore])
  for (const _ of [...calls, next]) {
    const { callId } = (await agent.next()).call
    assert.match((await hookOf(hooked.client, callId)).status, /^(timeout|skipped)$/)
  }
  await Promise.all([...calls, next].map((call) => call.bye()))
})
