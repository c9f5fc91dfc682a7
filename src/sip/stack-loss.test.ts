import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byChance, firstOfEach, openLossyRelay } from '../../test/lossy-relay.ts'
import { call, callee } from '../../test/sip-calls.ts'
import { openEnd, settled } from '../../test/sip-ends.ts'
import { until } from '../../test/until.ts'

/** Slow enough that no call runs out of retransmissions, however busy the machine is. */
const timers = { t1: 50, t2: 400, t4: 300 }

test('calls complete while the first copy of every message is lost, each way', async (t) => {
  const { answer, waiting } = callee(timers)
  const [a, b] = [await openEnd(t, { timers }), await openEnd(t, { timers, answer })]
  const relay = await openLossyRelay(t, b.hop(), firstOfEach())
  for (let i = 0; i < 3; i++) await call(a, { ...b.hop(), port: relay.port })
  assert.ok(relay.seen.lost >= 15, `${relay.seen.lost} were lost`)
  await until('every ACK came', () => waiting.size === 0)
  await settled(a.stack, b.stack)
  assert.deepEqual([a.faults, b.faults], [[], []])
})

test('60 calls at once complete while 12 of 100 datagrams are lost by chance, and each is handed up once', async (t) => {
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
