// Unauthenticated peers: they hold few connections, evict no SIP messages, get no phone banned, and reach no calls of
// others.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { answerChallenge, newNonceCounters } from '../../src/sip/auth/digest.ts'
import { newCallId, newRequest, newTag } from '../../src/sip/message/build.ts'
import type { SipRequest, SipResponse } from '../../src/sip/message/message.ts'
import { serialize } from '../../src/sip/message/serialize.ts'
import { StreamParser } from '../../src/sip/transport/stream-parser.ts'
import { anAgent, type Client } from '../app.ts'
import { agentOnTrunk, ended, type PhoneApp, startPhoneApp } from '../phone-app.ts'
import { type ByHand, openByHand } from '../phones/by-hand.ts'
import { until } from '../until.ts'

async function deviceOf(app: PhoneApp, client: Client) {
  const agent = (await client.post('/api/agents', anAgent)).json
  await client.post('/api/gateway/devices', { name: 'desk', agentId: agent.id })
  const account = (await client.get('/api/gateway/sip/credentials')).json
  await app.app.phone?.refresh()
  return account as { username: string; password: string }
}

async function callBy(app: PhoneApp, side: ByHand, number: string, headers: [string, string][] = []) {
  const call = await side.call(app.sipPort, { uri: number, headers })
  return { call, ok: await call.answered() }
}

/** A TCP connection from this loopback address that records what it receives. */
async function openTcp(t: TestContext, app: PhoneApp, localAddress: string) {
  const socket = connect({ port: app.sipPort, host: '127.0.0.1', localAddress })
  t.after(() => socket.destroy())
  const parser = new StreamParser()
  const heard: SipResponse[] = []
  let isClosed = false
  socket.on('error', () => {})
  socket.on('close', () => (isClosed = true))
  socket.on('data', (chunk) => {
    for (const item of parser.push(chunk))
      if (item !== 'keepalive' && 'message' in item && item.message.kind === 'response') heard.push(item.message)
  })
  await once(socket, 'connect')
  return { socket, heard, isClosed: () => isClosed }
}

function register(username: string, more: [string, string][] = []): SipRequest {
  const request = newRequest({
    method: 'REGISTER',
    uri: 'sip:127.0.0.1',
    from: `<sip:${username}@127.0.0.1>;tag=${newTag()}`,
    to: `<sip:${username}@127.0.0.1>`,
    callId: newCallId(),
    cseq: 1,
    headers: [['contact', `<sip:${username}@127.0.0.1:9>`], ...more],
  })
  request.headers.prepend('via', `SIP/2.0/TCP 127.0.0.1:9;branch=z9hG4bK${newTag()};rport`)
  return request
}

test('an unauthenticated address may hold 20 connections, a carrier any number', async (t) => {
  const app = await startPhoneApp()
  const carrier = await openByHand(t, '127.0.10.1')
  const { number } = await agentOnTrunk(app, app.ana, carrier.port, { trunk: { host: '127.0.10.1' } })
  const { call } = await callBy(app, carrier, number)
  await call.bye()
  const account = await deviceOf(app, app.bia)
  const stack = app.app.phone?.ua.stack
  const open = async (count: number, address: string) =>
    Promise.all(Array.from({ length: count }, () => openTcp(t, app, address)))
  await open(30, '127.0.10.1')
  await until('all of the carrier', () => stack?.connections === 30)
  const [phone] = await open(1, '127.0.10.2')
  await until('the phone', () => stack?.connections === 31)
  const others = await open(25, '127.0.10.2')
  await until('six are closed', () => others.filter(({ isClosed }) => isClosed()).length === 6)
  assert.ok(phone && !phone.isClosed())
  const first = register(account.username)
  phone.socket.write(serialize(first))
  const challenge = await until('the challenge', () => phone.heard[0])
  const proof = answerChallenge(challenge, first, account, newNonceCounters())
  phone.socket.write(serialize(register(account.username, [['authorization', proof?.value ?? '']])))
  assert.equal((await until('the answer', () => phone.heard[1])).status, 200)
  const [next] = await open(1, '127.0.10.2')
  next?.socket.write(serialize(register(account.username)))
  await until('one more is heard', () => next?.heard[0]?.status === 401)
})

test('a claim that nobody has proved lets no more connections in, also when they carry calls', async (t) => {
  const app = await startPhoneApp()
  const trunk = { host: '127.0.10.91', allowedAddresses: ['127.0.10.0/24'] }
  const { number } = await agentOnTrunk(app, app.ana, 5060, { trunk })
  const stack = app.app.phone?.ua.stack
  for (const address of ['127.0.10.91', '127.0.10.92']) {
    const opened = await Promise.all(Array.from({ length: 25 }, () => openTcp(t, app, address)))
    await until('five are closed', () => opened.filter(({ isClosed }) => isClosed()).length === 5)
    // Each carries a call that is never acknowledged, which proves nothing.
    for (const { socket } of opened.filter(({ isClosed }) => !isClosed())) {
      const call = newRequest({
        method: 'INVITE',
        uri: `sip:${number}@127.0.0.1`,
        from: `<sip:far@${address}>;tag=${newTag()}`,
        to: `<sip:${number}@127.0.0.1>`,
        callId: newCallId(),
        cseq: 1,
        headers: [['contact', `<sip:far@${address}>`]],
      })
      call.headers.prepend('via', `SIP/2.0/TCP ${address}:9;branch=z9hG4bK${newTag()};rport`)
      socket.write(serialize(call))
    }
    await until('one is answered', () => opened.some(({ heard }) => heard.some(({ status }) => status >= 200)))
    const more = await Promise.all(Array.from({ length: 5 }, () => openTcp(t, app, address)))
    await until('all of them are closed', () => more.every(({ isClosed }) => isClosed()))
  }
  assert.equal(stack?.connections, 40)
})

test('stray ACKs and responses are not kept and do not evict the ladder of a live call', async (t) => {
  const app = await startPhoneApp()
  const carrier = await openByHand(t, '127.0.10.11')
  const { number } = await agentOnTrunk(app, app.ana, carrier.port, { trunk: { host: carrier.address } })
  const { call } = await callBy(app, carrier, number)
  const stranger = await openByHand(t, '127.0.10.12')
  for (let i = 0; i < 2200; i++) {
    const ack = stranger.ask(app.sipPort, 'ACK', { to: `<sip:x@127.0.0.1>;tag=${newTag()}` })
    if (i % 2 === 0) stranger.answer(ack, 180)
    if (i % 50 === 0) await new Promise((next) => setImmediate(next))
  }
  assert.equal((await call.bye()).status, 200)
  const [row] = (await app.ana.get('/api/calls')).json
  await ended(app.ana, row.callId)
  const { entries } = await until('its messages are kept', async () => {
    const { json } = await app.ana.get(`/api/calls/${row.callId}/sip`)
    return json.entries.length > 0 && json
  })
  assert.match(entries[0].summary, /^INVITE /)
  assert.ok(entries.every(({ remote }: { remote: string }) => remote.startsWith(carrier.address)))
})

test('UDP requests with a phone’s spoofed address do not keep it from registering', async (t) => {
  const app = await startPhoneApp()
  const account = await deviceOf(app, app.ana)
  const [phone, forger] = [await openByHand(t, '127.0.10.21'), await openByHand(t, '127.0.10.21')]
  const ask = (headers: [string, string][] = []) =>
    phone.ask(app.sipPort, 'REGISTER', { to: `<sip:${account.username}@127.0.0.1>`, headers })
  const first = ask()
  const challenge = (await phone.next(401)) as SipResponse
  for (let i = 0; i < 20; i++) forger.ask(app.sipPort, i % 2 ? 'REGISTER' : 'OPTIONS', { to: '<sip:x@127.0.0.1>' })
  forger.ask(app.sipPort, 'OPTIONS', { headers: [['user-agent', 'friendly-scanner']] })
  forger.send(Buffer.alloc(200, 0xff), app.sipPort)
  ask([['authorization', answerChallenge(challenge, first, account, newNonceCounters())?.value ?? '']])
  await phone.next(200)
  assert.ok(forger.all(401).length <= 10, 'the forger is answered ten times')
})

test("an in-dialog request is accepted from the dialog's own peer only", async (t) => {
  const app = await startPhoneApp()
  const carrier = await openByHand(t, '127.0.10.31')
  const { number } = await agentOnTrunk(app, app.ana, carrier.port, { trunk: { host: carrier.address } })
  const { call, ok } = await callBy(app, carrier, number)
  const thief = await openByHand(t, '127.0.10.32')
  // An address of another user's trunk gives no access to this dialog.
  await agentOnTrunk(app, app.bia, thief.port, { trunk: { host: thief.address } })
  const steal = (method: string) => {
    const { headers } = call.invite
    const request = newRequest({
      method,
      uri: /<([^>]+)>/.exec(ok.headers.get('contact') ?? '')?.[1] ?? '',
      from: headers.get('from') ?? '',
      to: ok.headers.get('to') ?? '',
      callId: call.callId,
      cseq: 7,
      headers: [['contact', `<sip:far@${thief.address}:${thief.port}>`]],
      ...(method === 'BYE' ? {} : { body: { type: 'application/sdp', content: thief.sdp() } }),
    })
    request.headers.prepend('via', `SIP/2.0/UDP ${thief.address}:${thief.port};branch=z9hG4bK${newTag()};rport`)
    thief.send(request, app.sipPort)
  }
  steal('INVITE')
  await thief.next(403)
  steal('BYE')
  await thief.next(403, 1)
  assert.equal(thief.rtpPackets(), 0)
  assert.equal((await call.tell('INVITE', carrier.sdp())).status, 200)
  assert.equal((await call.bye()).status, 200)
})

test("Replaces works within one user's calls, never across users", async (t) => {
  const app = await startPhoneApp()
  const [ofAna, ofBia] = [await openByHand(t, '127.0.10.41'), await openByHand(t, '127.0.10.42')]
  const anas = await agentOnTrunk(app, app.ana, ofAna.port, { trunk: { host: ofAna.address } })
  const bias = await agentOnTrunk(app, app.bia, ofBia.port, { trunk: { host: ofBia.address } })
  const { call, ok } = await callBy(app, ofAna, anas.number)
  const tag = (name: string) => /tag=([^;\s]+)/.exec(ok.headers.get(name) ?? '')?.[1]
  const headers: [string, string][] = [['replaces', `${call.callId};to-tag=${tag('to')};from-tag=${tag('from')}`]]
  const foreign = await ofBia.call(app.sipPort, { uri: bias.number, headers })
  assert.equal((await foreign.final()).status, 481)
  assert.equal(ofAna.all('BYE').length, 0)
  const { call: own } = await callBy(app, ofAna, anas.number, headers)
  await call.over()
  assert.equal((await own.bye()).status, 200)
})

test('many trunks of one username do not hide another user’s', async (t) => {
  const app = await startPhoneApp()
  const trunk = (host: string, password: string) => ({
    trunk: { host, authMode: 'digest', username: 'shared', password },
  })
  for (let i = 0; i < 12; i++) await agentOnTrunk(app, app.bia, 5060, trunk(`127.0.11.${i + 1}`, `other ${i}`))
  const { number } = await agentOnTrunk(app, app.ana, 5060, trunk('127.0.11.99', 'right'))
  const carrier = await openByHand(t, '127.0.10.51') // not an address of any of these trunks
  const asked = await carrier.call(app.sipPort, { uri: number })
  const challenge = await asked.final()
  assert.equal(challenge.status, 401)
  const proof = answerChallenge(challenge, asked.invite, { username: 'shared', password: 'right' }, newNonceCounters())
  const { call } = await callBy(app, carrier, number, [['authorization', proof?.value ?? '']])
  assert.equal((await call.bye()).status, 200)
})
