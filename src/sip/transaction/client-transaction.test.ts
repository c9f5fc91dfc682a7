import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Arrival,
  ask,
  newCall,
  openEnd,
  openPeer,
  type Peer,
  sentAt,
  settled,
  short,
  virtualTimers,
} from '../../../test/sip-ends.ts'
import { until } from '../../../test/until.ts'
import { responseTo } from '../message/build.ts'
import type { SipRequest } from '../message/message.ts'
import { parseVia, tagOf } from '../message/values.ts'

const timers = { t1: 16, t2: 128, t4: 60 }

const requestOf = ({ message }: Arrival): SipRequest =>
  message.kind === 'request' ? message : assert.fail('not a request')
const branchOf = ({ headers }: SipRequest) => parseVia(headers.get('via') ?? '')?.params.get('branch')

/** A peer that answers the first copy of a request with these statuses; on a busy machine more copies arrive. */
function answering(answers: Record<string, readonly number[]>) {
  const known = new Set<string>()
  return ({ message, from, bytes }: Arrival, peer: Peer) => {
    const text = bytes.toString('latin1')
    if (message.kind !== 'request' || known.has(text)) return
    known.add(text)
    for (const status of answers[message.method] ?? [])
      peer.send(responseTo(message, status, undefined, { toTag: 'peer' }), from)
  }
}

test('timers A and B: an INVITE that nobody answers goes out seven times, each gap twice the last, then fails', async (t) => {
  const end = await openEnd(t, { timers })
  const peer = await openPeer(t)
  const { pass } = virtualTimers(t)
  const call = ask(end.stack, newCall(), peer.hop)
  pass(64 * timers.t1)
  assert.equal(call.failure(), 'timeout: no answer to INVITE')
  sentAt(end, 'INVITE', timers.t1, [0, 1, 3, 7, 15, 31, 63])
  await until('all came', () => peer.arrivals.length === 7)
  assert.equal(new Set(peer.arrivals.map(({ bytes }) => bytes.toString('latin1'))).size, 1, 'the same bytes each time')
  assert.deepEqual(
    end.trace.map(({ retransmitted }) => retransmitted),
    [false, ...Array(6).fill(true)],
  )
  assert.equal(end.stack.transactions, 0)
})

test('timers E and F: any other request goes out eleven times, the gap grows up to T2, then fails', async (t) => {
  const end = await openEnd(t, { timers })
  const peer = await openPeer(t)
  const { pass } = virtualTimers(t)
  const asked = ask(end.stack, newCall('OPTIONS'), peer.hop)
  pass(64 * timers.t1)
  assert.equal(asked.failure(), 'timeout: no answer to OPTIONS')
  sentAt(end, 'OPTIONS', timers.t1, [0, 1, 3, 7, 15, 23, 31, 39, 47, 55, 63])
  assert.equal(end.stack.transactions, 0)
})

test('timer E: after a provisional response the gap is T2 at once', async (t) => {
  const t2 = 32 * timers.t1
  const end = await openEnd(t, { timers: { ...timers, t2 } })
  const peer = await openPeer(t, answering({ OPTIONS: [100] }))
  const { pass } = virtualTimers(t)
  const asked = ask(end.stack, newCall('OPTIONS'), peer.hop)
  await until('the 100', () => asked.statuses().length > 0)
  pass(64 * timers.t1)
  assert.match(asked.failure() ?? '', /^timeout/)
  assert.deepEqual(asked.statuses(), [100])
  // The retransmission that was already due, and one T2 later; without the 100 there would be five.
  sentAt(end, 'OPTIONS', timers.t1, [0, 1, 33])
})

test('timer K: a response that comes again is not told again, and soon the transaction is gone', async (t) => {
  const end = await openEnd(t, { timers: short })
  const peer = await openPeer(t, answering({ OPTIONS: [200, 200, 200] }))
  const asked = ask(end.stack, newCall('OPTIONS'), peer.hop)
  await asked.final()
  const came = () => end.trace.filter(({ direction }) => direction === 'in')
  await until('all three came', () => came().length >= 3)
  assert.deepEqual(asked.statuses(), [200])
  assert.deepEqual(
    came().map(({ retransmitted }) => retransmitted),
    came().map((_, i) => i > 0),
  )
  await settled(end.stack)
  assert.deepEqual(asked.statuses(), [200])
})

test('a provisional response ends the repetition of an INVITE, and it may ring for longer than timer B', async (t) => {
  const end = await openEnd(t, { timers: short })
  const peer = await openPeer(t, answering({ INVITE: [100, 180] }))
  const call = ask(end.stack, newCall(), peer.hop)
  await until('it rings', () => call.statuses().includes(180))
  const { length } = peer.requests('INVITE')
  await ask(end.stack, newCall('OPTIONS'), { ...peer.hop, port: 9 }).failed() // 64 × T1, started later
  assert.deepEqual([call.failure(), peer.requests('INVITE').length], [undefined, length])
  assert.equal(end.stack.transactions, 1)
  const [invite] = peer.requests('INVITE')
  if (invite) peer.send(responseTo(invite.message, 486), invite.from)
  assert.equal((await call.final()).status, 486)
})

test('timer D: a refusal is acknowledged under the same branch, as often as it comes, and reported once', async (t) => {
  const end = await openEnd(t, { timers: short })
  const peer = await openPeer(t, answering({ INVITE: [486, 486, 486] }))
  const invite = newCall('INVITE', { route: '<sip:one.test;lr>' })
  invite.headers.add('route', '<sip:two.test;lr>')
  const call = ask(end.stack, invite, peer.hop)
  await until('three ACKs', () => peer.requests('ACK').length === 3)
  const ack = requestOf(peer.requests('ACK')[0] ?? assert.fail())
  assert.equal(branchOf(ack), branchOf(call.transaction.request))
  assert.equal(ack.headers.all('via').length, 1)
  assert.equal(ack.uri, invite.uri)
  assert.equal(tagOf(ack.headers.get('to') ?? ''), 'peer')
  assert.deepEqual(ack.headers.all('route'), ['<sip:one.test;lr>', '<sip:two.test;lr>'])
  assert.equal(ack.headers.get('cseq'), '1 ACK')
  for (const name of ['from', 'call-id']) assert.equal(ack.headers.get(name), invite.headers.get(name))
  assert.deepEqual(call.statuses(), [486])
  assert.equal(end.stack.transactions, 1)
  await settled(end.stack)
})

test('timer M: every 2xx is reported, as each wants an ACK; after the end they are strays', async (t) => {
  const end = await openEnd(t, { timers: short })
  const peer = await openPeer(t, answering({ INVITE: [180, 200, 200] }))
  const call = ask(end.stack, newCall(), peer.hop)
  await until('both', () => call.responses.length === 3)
  assert.deepEqual(call.statuses(), [180, 200, 200])
  await settled(end.stack)
  assert.deepEqual([peer.requests('ACK').length, end.strays.length], [0, 0])
  const [invite] = peer.requests('INVITE')
  if (invite) peer.send(responseTo(invite.message, 200), invite.from)
  await until('the stray', () => end.strays.length === 1)
  assert.equal(call.responses.length, 3)
})

test('CANCEL waits for a provisional response, has the branch of its INVITE, and is repeated by itself', async (t) => {
  const end = await openEnd(t, { timers: short })
  const peer = await openPeer(t)
  const call = ask(end.stack, newCall('INVITE', { route: '<sip:one.test;lr>' }), peer.hop)
  call.transaction.cancel('SIP;cause=200;text="Call completed elsewhere"')
  call.transaction.cancel()
  await until('the INVITE is repeated', () => peer.requests('INVITE').length >= 3)
  assert.equal(peer.requests('CANCEL').length, 0)
  const invite = peer.requests('INVITE')[0] ?? assert.fail()
  peer.send(responseTo(invite.message, 180, undefined, { toTag: 'peer' }), invite.from)
  await until('the CANCEL is repeated', () => peer.requests('CANCEL').length >= 2)
  const cancel = peer.requests('CANCEL')[0] ?? assert.fail()
  assert.equal(cancel.message.headers.get('via'), invite.message.headers.get('via'))
  assert.equal(cancel.message.headers.get('to'), invite.message.headers.get('to'))
  assert.equal(cancel.message.headers.get('cseq'), '1 CANCEL')
  assert.equal(cancel.message.headers.get('route'), '<sip:one.test;lr>')
  assert.match(cancel.message.headers.get('reason') ?? '', /elsewhere/)
  peer.send(responseTo(cancel.message, 200, undefined, { toTag: 'peer' }), cancel.from)
  peer.send(responseTo(invite.message, 487, undefined, { toTag: 'peer' }), invite.from)
  assert.equal((await call.final()).status, 487)
  await until('the ACK', () => peer.requests('ACK').length === 1)
  call.transaction.cancel()
  await settled(end.stack)
  assert.equal(new Set(peer.requests('CANCEL').map(({ bytes }) => bytes.toString('latin1'))).size, 1)
})

test('a 200 that crosses the CANCEL is reported to the caller', async (t) => {
  const end = await openEnd(t, { timers: short })
  const peer = await openPeer(t, answering({ INVITE: [180] }))
  const call = ask(end.stack, newCall(), peer.hop)
  await until('it rings', () => call.responses.length === 1)
  call.transaction.cancel()
  await until('the CANCEL', () => peer.requests('CANCEL').length > 0)
  const [invite] = peer.requests('INVITE')
  const [cancel] = peer.requests('CANCEL')
  if (!invite || !cancel) assert.fail()
  peer.send(responseTo(invite.message, 200, undefined, { toTag: 'peer' }), invite.from)
  peer.send(responseTo(cancel.message, 200, undefined, { toTag: 'peer' }), cancel.from)
  assert.equal((await call.final()).status, 200)
  assert.equal(call.failure(), undefined)
  await settled(end.stack)
})

test('after an answer there is nothing to cancel, and without a final response after CANCEL it fails', async (t) => {
  const end = await openEnd(t, { timers: short })
  const answered = await openPeer(t, answering({ INVITE: [200] }))
  const call = ask(end.stack, newCall(), answered.hop)
  await call.final()
  call.transaction.cancel()
  const stubborn = await openPeer(t, answering({ INVITE: [180], CANCEL: [200] }))
  const ringing = ask(end.stack, newCall(), stubborn.hop)
  await until('it rings', () => ringing.responses.length === 1)
  ringing.transaction.cancel()
  assert.equal(await ringing.failed(), 'timeout: no final response after CANCEL')
  assert.equal(answered.requests('CANCEL').length, 0)
  await settled(end.stack)
})

test('who abandons an INVITE hears no more of it: a late refusal is acknowledged, a late 2xx is a stray', async (t) => {
  const end = await openEnd(t, { timers: short })
  const peer = await openPeer(t)
  const calls = [486, 200].map((status) => ({ status, ...ask(end.stack, newCall(), peer.hop) }))
  await until(
    'both came',
    () => new Set(peer.requests('INVITE').map((one) => one.message.headers.get('call-id'))).size === 2,
  )
  for (const { transaction, status } of calls) {
    transaction.abandon()
    const invite = peer.requests('INVITE').find(({ message }) => branchOf(message) === branchOf(transaction.request))
    if (invite) peer.send(responseTo(invite.message, status, undefined, { toTag: 'peer' }), invite.from)
  }
  await until('an ACK and a stray', () => peer.requests('ACK').length === 1 && end.strays.length === 1)
  await settled(end.stack)
  for (const call of calls) assert.deepEqual([call.statuses(), call.failure()], [[], undefined])
})

test('a response with two Vias, another branch or another method is nobody’s', async (t) => {
  const end = await openEnd(t, { timers: short })
  const peer = await openPeer(t, ({ message, from }, self) => {
    if (message.kind !== 'request') return
    const wrong = [0, 1, 2].map(() => responseTo(message, 200))
    wrong[0]?.headers.add('via', 'SIP/2.0/UDP elsewhere.test;branch=z9hG4bKother')
    wrong[1]?.headers.set('via', 'SIP/2.0/UDP 127.0.0.1;branch=z9hG4bKother')
    wrong[2]?.headers.set('cseq', '1 INFO')
    for (const response of wrong) self.send(response, from)
  })
  const asked = ask(end.stack, newCall('OPTIONS'), peer.hop)
  assert.match(await asked.failed(), /^timeout/)
  assert.deepEqual([asked.responses, end.strays], [[], []])
})
