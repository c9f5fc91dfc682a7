import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { byChance, firstOfEach, openLossyRelay } from '../../test/lossy-relay.ts'
import { runSipp, startSipp } from '../../test/phones/sipp.ts'
import { ask, type End, newCall, openEnd, settled, short } from '../../test/sip-ends.ts'
import { until } from '../../test/until.ts'
import { newTag, responseTo } from './build.ts'
import type { Hop, SipRequest, SipResponse } from './message.ts'
import type { ServerTransaction } from './stack.ts'
import { Repeater } from './transaction-timers.ts'

/** What dialogs do above the stack: rings, answers, and repeats the 200 until its ACK is there (RFC 3261 section 13.3.1.4). */
function callee(timers = short) {
  const waiting = new Map<string, Repeater>()
  return {
    waiting,
    answer(transaction: ServerTransaction) {
      const { request } = transaction
      const callId = request.headers.get('call-id') ?? ''
      if (request.method === 'ACK') {
        waiting.get(callId)?.stop()
        waiting.delete(callId)
        return
      }
      const toTag = newTag()
      const headers = { contact: '<sip:callee@127.0.0.1>' }
      const ok = responseTo(request, 200, undefined, { toTag, headers })
      if (request.method === 'INVITE') {
        transaction.respond(responseTo(request, 180, undefined, { toTag, headers }))
        const repeater = new Repeater()
        waiting.set(callId, repeater)
        repeater.start(timers.t1, timers.t2, () => transaction.respond(ok))
        transaction.onEnd(() => repeater.stop())
      }
      transaction.respond(ok)
    },
  }
}

/** Resolves when the BYE is answered. */
async function call(caller: End, to: Hop): Promise<void> {
  const invite = newCall('INVITE')
  const inDialog = (method: string, ok: SipResponse) => {
    const request = newCall(method)
    for (const name of ['call-id', 'from']) request.headers.set(name, invite.headers.get(name) ?? '')
    request.headers.set('to', ok.headers.get('to') ?? '')
    return request
  }
  let ack: SipRequest | undefined
  const ok = await new Promise<SipResponse>((answered, failed) => {
    caller.stack.request(invite, to, {
      onResponse(response) {
        if (response.status < 200) return
        ack ??= inDialog('ACK', response)
        caller.stack.send(ack, to) // for each 200
        answered(response)
      },
      onFailure: (why, detail) => failed(new Error(`${why}: ${detail}`)),
    })
  })
  const bye = ask(caller.stack, inDialog('BYE', ok), to)
  assert.equal((await bye.final()).status, 200)
}

test('calls complete while the first copy of every message is lost, each way', async (t) => {
  const { answer, waiting } = callee()
  const [a, b] = [await openEnd(t), await openEnd(t, { answer })]
  const relay = await openLossyRelay(t, b.hop(), firstOfEach())
  for (let i = 0; i < 3; i++) await call(a, { ...b.hop(), port: relay.port })
  assert.ok(relay.seen.lost >= 15, `${relay.seen.lost} were lost`)
  await until('every ACK came', () => waiting.size === 0)
  await settled(a.stack, b.stack)
  assert.deepEqual([a.faults, b.faults], [[], []])
})

test('60 calls at once complete while 12 of 100 datagrams are lost by chance, and each is handed up once', async (t) => {
  // Room enough that no call runs out of tries, however busy the machine is.
  const timers = { t1: 30, t2: 240, t4: 300 }
  const { answer, waiting } = callee(timers)
  const [a, b] = [await openEnd(t, { timers }), await openEnd(t, { timers, answer })]
  const relay = await openLossyRelay(t, b.hop(), byChance(0.12))
  await Promise.all(Array.from({ length: 60 }, () => call(a, { ...b.hop(), port: relay.port })))
  assert.ok(relay.seen.lost > 20, `${relay.seen.lost} were lost`)
  const count = (method: string) => b.requests.filter(({ request }) => request.method === method).length
  assert.deepEqual([count('INVITE'), count('BYE')], [60, 60])
  await until('every ACK came', () => waiting.size === 0)
  await settled(a.stack, b.stack)
})

/** The scenarios that sipp brings along. */
const builtIn = (name: 'uac' | 'uas') => spawnSync('sipp', ['-sd', name], { encoding: 'utf8' }).stdout
const timers = { t1: 20, t2: 160, t4: 200 }

for (const transport of ['udp', 'tcp'] as const)
  test(`sipp calls us over ${transport === 'udp' ? 'UDP and loses 8 of 100' : 'TCP'}: no call fails`, async (t) => {
    const end = await openEnd(t, { listeners: [{ transport, host: '127.0.0.1', port: 0 }], timers, ...callee(timers) })
    const to = `127.0.0.1:${end.hop(transport).port}`
    const args = transport === 'udp' ? ['-lost', '8'] : []
    await runSipp({ scenario: builtIn('uac'), to, transport, calls: 80, rate: 100, args })
    await settled(end.stack)
    assert.deepEqual([end.faults, end.garbage], [[], []])
  })

test('we call sipp: every call is answered and ended', async (t) => {
  // The RFC's own T1, and no loss: to sipp as a callee an INVITE that comes again is an error.
  const end = await openEnd(t, { timers: {} })
  const sipp = await startSipp({ scenario: builtIn('uas'), calls: 50 })
  t.after(() => sipp.stop())
  for (let i = 0; i < 5; i++)
    await Promise.all(Array.from({ length: 10 }, () => call(end, { ...end.hop(), port: sipp.port })))
  assert.equal(sipp.soFar().errors, '')
})
