// Unknown peers: no response without accounts, the same challenge for everybody with accounts, and a ban after repeated
// failures.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerChallenge, newNonceCounters } from '../../src/sip/auth/digest.ts'
import { newTag } from '../../src/sip/message/build.ts'
import type { SipResponse } from '../../src/sip/message/message.ts'
import { anAgent } from '../app.ts'
import { agentOnTrunk, type PhoneApp, startPhoneApp } from '../phone-app.ts'
import { type ByHand, openByHand } from '../phones/by-hand.ts'
import { until } from '../until.ts'

/** Ana's trunk at its own address, and a call through it that works whatever unknown peers do. */
async function trunkOf(t: TestContext, app: PhoneApp, address: string) {
  const carrier = await openByHand(t, address)
  const { number } = await agentOnTrunk(app, app.ana, carrier.port, { trunk: { host: address } })
  return {
    carrier,
    number,
    async works() {
      const call = await carrier.call(app.sipPort, { uri: number })
      await call.answered()
      assert.equal((await call.bye()).status, 200)
    },
  }
}

/** The response; undefined if none arrives within the event-loop turns of 700 ms, however long they take. */
async function answerOf(stranger: ByHand, callId: string | undefined): Promise<SipResponse | undefined> {
  for (let looks = 0; looks < 35; looks++) {
    const heard = stranger.heard.find(({ message }) => message.headers.get('call-id') === callId)
    if (heard) return heard.message as SipResponse
    await sleep(20)
  }
  return undefined
}

/** Sends a REGISTER, answers the challenge, and returns the response; undefined if there is none. */
async function tryPassword(stranger: ByHand, app: PhoneApp, username: string, password: string) {
  const asking = (headers: [string, string][]) =>
    stranger.ask(app.sipPort, 'REGISTER', { to: `<sip:${username}@127.0.0.1>`, headers })
  const first = asking([])
  const challenge = await answerOf(stranger, first.headers.get('call-id'))
  if (challenge?.status !== 401) return { challenge, answer: undefined }
  const proof = answerChallenge(challenge, first, { username, password }, newNonceCounters())
  const second = asking([['authorization', proof?.value ?? '']])
  return { challenge, answer: await answerOf(stranger, second.headers.get('call-id')) }
}

test('without any account, an unknown peer gets no response to anything', async (t) => {
  const app = await startPhoneApp()
  const trunk = await trunkOf(t, app, '127.0.6.1')
  const kinds: [string, [string, string][]][] = [
    ['INVITE', []],
    ['INVITE', [['max-forwards', '0']]],
    ['INVITE', [['require', 'nonsense']]],
    ['INVITE', [['replaces', 'a;to-tag=b;from-tag=c']]],
    ...[
      'OPTIONS',
      'REGISTER',
      'BYE',
      'CANCEL',
      'INFO',
      'PRACK',
      'UPDATE',
      'SUBSCRIBE',
      'MESSAGE',
      'REFER',
      'NONSENSE',
    ].map((method): [string, [string, string][]] => [method, []]),
  ]
  const strangers: ByHand[] = []
  for (const [i, [method, headers]] of kinds.entries()) {
    // Each peer has its own address, so that the missing response cannot be due to a ban.
    const stranger = await openByHand(t, `127.0.6.${10 + i}`)
    stranger.ask(app.sipPort, method, { headers })
    stranger.ask(app.sipPort, method, { headers, to: `<sip:x@127.0.0.1>;tag=${newTag()}` })
    strangers.push(stranger)
  }
  const broken = await openByHand(t, '127.0.6.90')
  broken.send('INVITE sip:x@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.6.90;branch=z9hG4bK1\r\n\r\n', app.sipPort)
  broken.send('OPTIONS sip:x SIP/7.0\r\n\r\n', app.sipPort)
  broken.send(Buffer.alloc(500, 0xff), app.sipPort)
  strangers.push(broken)
  const tcp = connect({ port: app.sipPort, host: '127.0.0.1', localAddress: '127.0.6.91' })
  t.after(() => tcp.destroy())
  let bytes = 0
  tcp.on('data', (data) => {
    bytes += data.length
  })
  tcp.on('error', () => {})
  await once(tcp, 'connect')
  tcp.write(
    'OPTIONS sip:127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/TCP 127.0.6.91;branch=z9hG4bK2\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>\r\nCall-ID: 1\r\nCSeq: 1 OPTIONS\r\nMax-Forwards: 70\r\nContent-Length: 0\r\n\r\n',
  )
  await trunk.works()
  // A 100 would come after 200 ms.
  await assert.rejects(
    until('somebody is answered', () => bytes > 0 || strangers.some(({ heard }) => heard.length > 0), 500),
    /not within/,
  )
  await trunk.works()
  assert.equal((await app.ana.get('/api/calls')).json.length, 2)
})

test('with accounts, everybody is challenged alike; wrong passwords lead to a ban, longer each time', async (t) => {
  const app = await startPhoneApp()
  const trunk = await trunkOf(t, app, '127.0.6.1')
  const agent = (await app.bia.post('/api/agents', anAgent)).json
  await app.bia.post('/api/gateway/devices', { name: 'desk', agentId: agent.id })
  const account = (await app.bia.get('/api/gateway/sip/credentials')).json
  await app.app.phone?.refresh()
  const [guesser, owner] = [await openByHand(t, '127.0.6.101'), await openByHand(t, '127.0.6.102')]
  const ofKnown = await tryPassword(guesser, app, account.username, 'guess')
  const ofUnknown = await tryPassword(guesser, app, 'dzzzzzzzzzzzz', 'guess')
  const shape = (response: SipResponse | undefined) =>
    [response?.status, ...(response?.headers.all('www-authenticate') ?? [])].join().replace(/nonce="[^"]+"/, 'nonce')
  assert.equal(shape(ofKnown.challenge), shape(ofUnknown.challenge))
  assert.equal(ofKnown.answer?.status, 403)
  assert.equal(ofUnknown.answer?.status, 403)
  const tries: (number | undefined)[] = []
  for (let i = 0; i < 6; i++)
    tries.push((await tryPassword(guesser, app, account.username, `guess${i}`)).answer?.status)
  assert.deepEqual(tries.slice(-3), [undefined, undefined, undefined], 'then it hears nothing')
  const right = await tryPassword(guesser, app, account.username, account.password)
  assert.equal(right.challenge, undefined, 'not even with the right password')
  // From another address the same account works at once.
  assert.equal((await tryPassword(owner, app, account.username, account.password)).answer?.status, 200)
  await trunk.works()
  assert.equal((await app.bia.get('/api/calls')).json.length, 0)
  assert.ok(!app.logs().includes(account.password))
})

test('an authenticated phone is served although another one behind the same address is banned', async (t) => {
  const app = await startPhoneApp()
  const agent = (await app.ana.post('/api/agents', anAgent)).json
  await app.ana.post('/api/gateway/devices', { name: 'desk', agentId: agent.id })
  const account = (await app.ana.get('/api/gateway/sip/credentials')).json
  await app.app.phone?.refresh()
  const [phone, neighbor] = [await openByHand(t, '127.0.6.110'), await openByHand(t, '127.0.6.110')]
  assert.equal((await tryPassword(phone, app, account.username, account.password)).answer?.status, 200)
  for (let i = 0; i < 12; i++) neighbor.ask(app.sipPort, 'OPTIONS')
  assert.equal((await tryPassword(neighbor, app, account.username, account.password)).challenge, undefined)
  assert.equal((await tryPassword(phone, app, account.username, account.password)).answer?.status, 200)
})

test('a carrier with a wrong password gets 403, but its address is never banned', async (t) => {
  const app = await startPhoneApp()
  const trunk = { host: '127.0.6.120', authMode: 'digest', username: 'c7', password: 'right' }
  await agentOnTrunk(app, app.ana, 5060, { trunk })
  const carrier = await openByHand(t, '127.0.6.120')
  for (let i = 0; i < 15; i++) assert.equal((await tryPassword(carrier, app, 'c7', 'wrong')).answer?.status, 403)
  // A trunk cannot register here, but it did authenticate.
  assert.equal((await tryPassword(carrier, app, 'c7', 'right')).answer?.status, 403)
  const options = carrier.ask(app.sipPort, 'OPTIONS')
  const answered = await until('OPTIONS is answered', () =>
    carrier.heard.find(({ message }) => message.headers.get('call-id') === options.headers.get('call-id')),
  )
  assert.equal((answered.message as SipResponse).status, 200)
})
