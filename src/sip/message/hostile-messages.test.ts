// The cost of one message: every slow kind of text in every place, and many mutated messages. SIP_FUZZ_MESSAGES sets
// how many, and tightens the bound.
// @run own-process: it measures memory and the event loop, or moves the clock.
// @run rest: fuzzing.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { openAgent, sdp } from '../../../test/sip-agents.ts'
import { hostileMessages, mutations } from '../../../test/sip-mutations.ts'
import { until } from '../../../test/until.ts'
import { answerChallenge, newNonceCounters } from '../auth/digest.ts'
import { digestServer } from '../auth/digest-server.ts'
import { detailOf, reasonOf } from '../dialog/ending.ts'
import { readInfoDigit } from '../dialog/info-dtmf.ts'
import { readFrag } from '../dialog/refer.ts'
import { readTimer } from '../dialog/session-timer.ts'
import { Ladder } from '../ladder.ts'
import { Registrar } from '../registration/registrar.ts'
import { answerOffer, type LocalMedia, makeOffer, readAnswer } from '../sdp/offer-answer.ts'
import { sessionOf } from '../sdp/session-body.ts'
import { StreamParser } from '../transport/stream-parser.ts'
import { responseTo } from './build.ts'
import type { SipMessage } from './message.ts'
import { parseMessage } from './parse.ts'
import { serialize } from './serialize.ts'
import { parseUri } from './uri.ts'
import { listOf, parseAuth, parseCSeq, parseNameAddr, parseVia } from './values.ts'

const { SIP_FUZZ_MESSAGES } = process.env
const messages = Number(SIP_FUZZ_MESSAGES ?? 3000)
/** Includes garbage-collection pauses. Quadratic cost takes seconds. */
const MAX_MS = SIP_FUZZ_MESSAGES ? 100 : 250

/** CPU time of this thread: the machine may be busy. */
const cpuMs = () => process.threadCpuUsage().user / 1000

const flow = {
  transport: 'udp',
  remote: { address: '127.0.0.1', port: 9 },
  local: { address: '127.0.0.1', port: 5060 },
} as const
const media: LocalMedia = {
  address: '127.0.0.1',
  port: 10_000,
  codecs: ['PCMU', 'opus'],
  encryption: 'allowed',
  sessionId: '1',
  version: 1,
}
const registrar = new Registrar({ sweepEveryMs: 0 })
const digest = digestServer({ realm: 'here' })
const offer = makeOffer(media)

/** Everything that the layer above does with a message from anyone. */
function useUp(message: SipMessage): void {
  new Ladder().add({ direction: 'in', flow, message, retransmitted: false })
  for (const [name, value] of message.headers) {
    for (const item of listOf(message.headers, name).slice(0, 50)) {
      parseVia(item)
      parseUri(parseNameAddr(item)?.uri ?? '')
    }
    parseNameAddr(value)
    parseAuth(value)
    parseCSeq(value)
  }
  reasonOf(message.headers)
  readTimer(message.headers)
  const body = sessionOf(message)
  const text = ('sdp' in body && body.sdp) || message.body.toString('utf8')
  answerOffer(text, media)
  readAnswer(offer, text)
  readFrag(text)
  readInfoDigit(message.headers.get('content-type') ?? '', text)
  serialize(message)
  if (message.kind === 'response') {
    detailOf(message)
    const asked = { method: 'INVITE', uri: 'sip:a@b', body: message.body }
    answerChallenge(message, asked, { username: 'a', password: 'b' }, newNonceCounters())
    return
  }
  serialize(registrar.register('someone', message, flow))
  digest.isAnswered(message, '127.0.0.1')
  void digest.verify(message, '127.0.0.1', () => 'secret')
}

function costOf(bytes: Buffer): number {
  const start = cpuMs()
  const result = parseMessage(bytes)
  if ('message' in result) useUp(result.message)
  else if (result.partial) useUp(result.partial)
  new StreamParser().push(bytes)
  return cpuMs() - start
}

// The longest possible header, and the longest possible message.
for (const chars of [7800, 60_000])
  test(`no text of ${chars} characters costs more than its length, wherever it stands`, (t) => {
    let slowest = { title: '', ms: 0 }
    let accepted = 0
    for (const { title, bytes } of hostileMessages(chars, SIP_FUZZ_MESSAGES ? ['', '@', '"', '\r\n'] : [''])) {
      let ms = costOf(bytes)
      // The first message of a kind may hit uncompiled code or a garbage collection.
      if (ms > 20) ms = Math.min(ms, costOf(bytes))
      if (ms > slowest.ms) slowest = { title, ms }
      if ('message' in parseMessage(bytes)) accepted++
      assert.ok(ms < MAX_MS, `${ms} ms for ${title}`)
    }
    assert.ok(accepted > 100, `${accepted} were read`)
    t.diagnostic(`slowest: ${slowest.ms.toFixed(1)} ms for ${slowest.title}`)
  })

test(`${messages} mutated and hostile messages by UDP and TCP hold the event loop for no longer than one may`, async (t) => {
  const ladder = new Ladder({ entries: 4 })
  let started = -1
  let slowest = 0
  let handled = 0
  const agent = await openAgent(t, {
    listeners: [
      { transport: 'udp', host: '127.0.0.1', port: 0 },
      { transport: 'tcp', host: '127.0.0.1', port: 0 },
    ],
    timers: { t1: 4, t2: 32, t4: 40 },
    limits: { maxUnauthenticatedPerNetwork: 1000 },
    trace: (event) => ladder.add(event),
    // Called right before a message is read; its synchronous handling is over at the next tick.
    admit: () => {
      if (started !== -1) return true
      started = cpuMs()
      process.nextTick(() => {
        slowest = Math.max(slowest, cpuMs() - started)
        started = -1
        handled++
      })
      return true
    },
    onInvite: (call) => {
      const made = call.offer === null ? { sdp: sdp('ours') } : answerOffer(call.offer, media)
      if ('sdp' in made && call.invite.body.length % 2 === 0) call.answer(made.sdp)
      else call.refuse(488)
    },
    onRequest: (one) => one.respond(responseTo(one.request, 200)),
  })
  const portOf = (name: string) => agent.ua.stack.listeners.find(({ transport }) => transport === name)?.port ?? 0
  const udp = createSocket('udp4')
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')
  t.after(() => udp.close())
  const next = mutations(5060)
  const heavy = () => hostileMessages(handled % 2 ? 7800 : 60_000)
  let hostile = heavy()
  for (let sent = 0; sent < messages; sent++) {
    let bytes = next()
    if (sent % 10 === 0) {
      let item = hostile.next()
      for (let skipped = 0; skipped < 6 || item.done; skipped++) {
        if (item.done) hostile = heavy()
        item = hostile.next()
      }
      bytes = item.value?.bytes ?? bytes
    }
    if (sent % 50 === 0) {
      const socket = connect(portOf('tcp'), '127.0.0.1')
      socket.on('error', () => {})
      socket.resume()
      await once(socket, 'connect')
      socket.end(bytes)
    } else udp.send(bytes, portOf('udp'), '127.0.0.1')
    if (sent % 10 === 0) await turn()
  }
  await until('every connection is gone', () => agent.ua.stack.connections === 0)
  assert.ok(handled > messages / 4, `${handled} were handled`)
  assert.ok(slowest < MAX_MS, `the slowest took ${slowest} ms`)
  assert.deepEqual(agent.faults, [])
  t.diagnostic(`${handled} handled; the slowest took ${slowest.toFixed(1)} ms`)
  const before = agent.requests.length
  const socket = createSocket('udp4')
  t.after(() => socket.close())
  socket.send(
    'OPTIONS sip:a@b SIP/2.0\r\nVia: SIP/2.0/UDP h;branch=z9hG4bKlast\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>\r\nCall-ID: last\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n',
    portOf('udp'),
    '127.0.0.1',
  )
  await until('it works as before', () => agent.requests.length > before)
})
