import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type End,
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
import { newBranch, responseTo } from '../message/build.ts'
import type { SipRequest } from '../message/message.ts'
import { parseVia, tagOf } from '../message/values.ts'
import type { ServerTransaction } from '../stack.ts'

const timers = { t1: 20, t2: 160, t4: 60 }

const withVia = (request: SipRequest, via: string): SipRequest => {
  request.headers.remove('via').prepend('via', via)
  return request
}
const fresh = (method: string, peer: Peer, params = 'rport') =>
  withVia(newCall(method), `SIP/2.0/UDP 127.0.0.1:${peer.port};branch=${newBranch()};${params}`)

/** The ACK or CANCEL that belongs to an INVITE. */
function follower(method: string, invite: SipRequest, to = invite.headers.get('to') ?? ''): SipRequest {
  const request = { ...newCall(method), uri: invite.uri }
  for (const name of ['via', 'from', 'call-id']) request.headers.set(name, invite.headers.get(name) ?? '')
  request.headers.set('to', to)
  return request
}

const first = (end: End): Promise<ServerTransaction> => until('the request is handed up', () => end.requests[0])
const statuses = (peer: Peer) =>
  peer.arrivals.map(({ message }) => (message.kind === 'response' ? message.status : message.method))
test('100 comes by itself when nobody has answered an INVITE, and only then', async (t) => {
  const slow = await openEnd(t, { timers })
  const quick = await openEnd(t, { timers, answer: (one) => one.respond(responseTo(one.request, 180)) })
  const peers = [await openPeer(t), await openPeer(t)] as const
  peers[0].send(fresh('INVITE', peers[0]), slow.hop())
  peers[1].send(fresh('INVITE', peers[1]), quick.hop())
  await until('the 100', () => peers[0].responses(100).length === 1)
  assert.equal(tagOf(peers[0].responses(100)[0]?.message.headers.get('to') ?? ''), null)
  assert.deepEqual(statuses(peers[1]), [180])
})

test('an INVITE that comes again gets the last response again and is not handed up again', async (t) => {
  const end = await openEnd(t, { timers })
  const peer = await openPeer(t)
  const invite = fresh('INVITE', peer)
  peer.send(invite, end.hop())
  const transaction = await first(end)
  transaction.respond(responseTo(transaction.request, 183))
  transaction.respond(responseTo(transaction.request, 180))
  for (const count of [1, 2]) {
    peer.send(invite, end.hop())
    await until('180 again', () => peer.responses(180).length === 1 + count)
  }
  assert.deepEqual([end.requests.length, peer.responses(183).length], [1, 1])
  assert.deepEqual(
    end.trace.filter(({ direction }) => direction === 'in').map(({ retransmitted }) => retransmitted),
    [false, true, true],
  )
})

test('timers G and H: a refusal without ACK goes out eleven times, the gap grows up to T2, then it has failed', async (t) => {
  const end = await openEnd(t, { timers, answer: (one) => one.respond(responseTo(one.request, 486)) })
  const peer = await openPeer(t)
  const { pass } = virtualTimers(t)
  peer.send(fresh('INVITE', peer), end.hop())
  const ends: string[] = []
  ;(await first(end)).onEnd((why) => ends.push(why))
  pass(64 * timers.t1)
  assert.deepEqual([ends, end.stack.transactions], [['failed'], 0])
  sentAt(end, 486, timers.t1, [0, 1, 3, 7, 15, 23, 31, 39, 47, 55, 63])
})

test('timer I: the ACK ends the repetition of a refusal, is absorbed as often as it comes, and all is done', async (t) => {
  const end = await openEnd(t, { timers, answer: (one) => one.respond(responseTo(one.request, 486)) })
  const peer = await openPeer(t)
  const invite = fresh('INVITE', peer)
  peer.send(invite, end.hop())
  const refusal = await until('the 486', () => peer.responses(486)[0])
  const ends: string[] = []
  end.requests[0]?.onEnd((why) => ends.push(why))
  for (let i = 0; i < 3; i++) peer.send(follower('ACK', invite, refusal.message.headers.get('to')), end.hop())
  peer.send(invite, end.hop())
  await until('its end', () => ends.length > 0)
  assert.deepEqual([ends, end.requests.length, end.stack.transactions], [['done'], 1, 0])
  const acked = end.trace.findIndex(({ message }) => message.kind === 'request' && message.method === 'ACK')
  const after = end.trace.slice(acked).filter(({ direction }) => direction === 'out')
  assert.deepEqual([acked > 0, after], [true, []], 'nothing is repeated after the ACK')
  end.requests[0]?.onEnd((why) => ends.push(`${why} already`))
  assert.deepEqual(ends, ['done', 'done already'])
})

test('timer L: a 2xx is repeated only from above, INVITE is absorbed, an ACK goes up', async (t) => {
  const end = await openEnd(t, { timers: short })
  const peer = await openPeer(t)
  const invite = fresh('INVITE', peer)
  peer.send(invite, end.hop())
  const transaction = await first(end)
  const ok = responseTo(transaction.request, 200, undefined, { toTag: 'us' })
  transaction.respond(ok)
  transaction.respond(responseTo(transaction.request, 486))
  transaction.respond(ok)
  peer.send(invite, end.hop())
  const to = ok.headers.get('to') ?? ''
  peer.send(follower('ACK', invite, to), end.hop()) // some phones keep the INVITE's branch
  peer.send(withVia(follower('ACK', invite, to), `SIP/2.0/UDP 127.0.0.1;branch=${newBranch()}`), end.hop())
  await until('both ACKs', () => end.requests.length === 3)
  const ack = end.requests[2] ?? assert.fail()
  assert.equal(ack.request.method, 'ACK')
  ack.respond(responseTo(ack.request, 200))
  let ended = ''
  transaction.onEnd((why) => (ended = why))
  await until('its end', () => ended !== '')
  const answers = statuses(peer).filter((status) => status !== 100)
  assert.deepEqual([ended, end.stack.transactions, answers], ['done', 0, [200, 200]])
})

test('timer J: another request that comes again gets the same answer without being handed up', async (t) => {
  const end = await openEnd(t, { timers: short, answer: (one) => one.respond(responseTo(one.request, 200)) })
  const peer = await openPeer(t)
  const options = fresh('OPTIONS', peer)
  for (let i = 0; i < 3; i++) peer.send(options, end.hop())
  await until('three answers', () => peer.responses(200).length === 3)
  assert.equal(new Set(peer.arrivals.map(({ bytes }) => bytes.toString('latin1'))).size, 1)
  assert.equal(end.requests.length, 1)
  end.requests[0]?.respond(responseTo(options, 404))
  await settled(end.stack)
  peer.send(options, end.hop())
  await until('after its end it is new', () => end.requests.length === 2)
})

test('a request that nobody above answers is forgotten when the peer has given up', async (t) => {
  const end = await openEnd(t, { timers: short })
  const peer = await openPeer(t)
  peer.send(fresh('MESSAGE', peer), end.hop())
  let ended = ''
  ;(await first(end)).onEnd((why) => (ended = why))
  await until('its end', () => ended !== '')
  assert.deepEqual([ended, end.stack.transactions, peer.arrivals.length], ['failed', 0, 0])
})

test('CANCEL is answered with the tag of its INVITE and reported once, also to who listens late', async (t) => {
  const end = await openEnd(t, { timers: short })
  const peer = await openPeer(t)
  const invite = fresh('INVITE', peer)
  peer.send(invite, end.hop())
  const transaction = await first(end)
  transaction.respond(responseTo(transaction.request, 180, undefined, { toTag: 'us' }))
  const cancel = follower('CANCEL', invite)
  for (let i = 0; i < 2; i++) peer.send(cancel, end.hop())
  await until('both are answered', () => peer.responses(200).length === 2)
  const told: string[] = []
  transaction.onCancel((request) => told.push(request.method))
  peer.send(cancel, end.hop())
  await until('the third', () => peer.responses(200).length === 3)
  assert.deepEqual(told, ['CANCEL'])
  for (const { message } of peer.responses(200)) {
    assert.equal(tagOf(message.headers.get('to') ?? ''), 'us')
    assert.equal(message.headers.get('cseq'), '1 CANCEL')
  }
  transaction.respond(responseTo(transaction.request, 487, undefined, { toTag: 'us' }))
  await until('the 487', () => peer.responses(487).length > 0)
  assert.equal(end.requests.length, 1, 'a CANCEL is never handed up as a request')
})

test('CANCEL after the answer is answered but changes nothing; one that fits nothing gets 481', async (t) => {
  const end = await openEnd(t, { timers: short, answer: (one) => one.respond(responseTo(one.request, 200)) })
  const peer = await openPeer(t)
  const invite = fresh('INVITE', peer)
  peer.send(invite, end.hop())
  const transaction = await first(end)
  const told: string[] = []
  transaction.onCancel(({ method }) => told.push(method))
  peer.send(follower('CANCEL', invite), end.hop())
  peer.send(follower('CANCEL', fresh('INVITE', peer)), end.hop())
  await until('both are answered', () => peer.responses(200).length === 2 && peer.responses(481).length === 1)
  assert.deepEqual(told, [])
  assert.equal(end.requests.length, 1)
})

test('RFC 2543: without the magic cookie a transaction is known by its other headers', async (t) => {
  const end = await openEnd(t, { timers: short })
  const peer = await openPeer(t)
  for (const via of [`SIP/2.0/UDP 127.0.0.1:${peer.port}`, `SIP/2.0/UDP 127.0.0.1:${peer.port};branch=1`]) {
    const before = end.requests.length
    const [one, other] = [withVia(newCall(), via), withVia(newCall(), via)]
    for (const invite of [one, one, other, one]) peer.send(invite, end.hop())
    await until('two calls', () => end.requests.length === before + 2)
    peer.send(follower('CANCEL', one), end.hop())
    const told: number[] = []
    for (const [i, transaction] of end.requests.slice(before).entries()) transaction.onCancel(() => told.push(i))
    await until('the first is cancelled', () => told.length > 0)
    assert.deepEqual(told, [0])
    for (const [i, invite] of [one, other].entries()) {
      const transaction = end.requests[before + i]
      const refusal = responseTo(invite, 487)
      let ended = ''
      transaction?.onEnd((why) => (ended = why))
      transaction?.respond(refusal)
      peer.send(follower('ACK', invite, refusal.headers.get('to')), end.hop())
      await until('the ACK finds it', () => ended !== '')
      assert.equal(ended, 'done')
    }
  }
})

test('the same branch from another sender is another transaction', async (t) => {
  const end = await openEnd(t, { timers: short, answer: (one) => one.respond(responseTo(one.request, 200)) })
  const peer = await openPeer(t)
  for (const sender of ['a.test', 'b.test', 'b.test:5070', 'A.test'])
    peer.send(withVia(newCall('OPTIONS'), `SIP/2.0/UDP ${sender};branch=z9hG4bKsame;rport`), end.hop())
  await until('four answers', () => peer.responses(200).length === 4)
  assert.equal(end.requests.length, 3)
})

test('RFC 3581: with rport the answer goes back to the source, without it to the port in the Via', async (t) => {
  const end = await openEnd(t, { timers: short, answer: (one) => one.respond(responseTo(one.request, 200)) })
  const [source, named] = [await openPeer(t), await openPeer(t)]
  const via = (params: string) =>
    `SIP/2.0/UDP far.test:${named.port};branch=${newBranch()}${params}, SIP/2.0/UDP next.test;branch=z9hG4bKnext`
  source.send(withVia(newCall('OPTIONS'), via(';rport;received=10.9.9.9')), end.hop())
  source.send(withVia(newCall('OPTIONS'), via(';maddr=10.9.9.9')), end.hop())
  await until('each has one', () => source.arrivals.length === 1 && named.arrivals.length === 1)
  const [toSource, toNamed] = [source, named].map((peer) => peer.responses(200)[0]?.message.headers.get('via') ?? '')
  const seen = parseVia(toSource?.split(',')[0] ?? '')
  assert.deepEqual([seen?.params.get('rport'), seen?.params.get('received')], [String(source.port), '127.0.0.1'])
  assert.equal(parseVia(toNamed?.split(',')[0] ?? '')?.params.get('received'), '127.0.0.1')
  assert.match(toSource ?? '', /, SIP\/2.0\/UDP next.test;branch=z9hG4bKnext$/)
  assert.equal(source.arrivals[0]?.from.port, end.hop().port, 'from the port that listens')
})
