// The jitter buffer alone: order, lateness, target delay, and resets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomness } from '../../test/rtp-network.ts'
import { JitterBuffer } from './jitter-buffer.ts'
import { TransitTime } from './transit-time.ts'

const nothing = new Uint8Array(1)
const put = (jitter: JitterBuffer, n: number, atMs: number, timestamp = n * 160) =>
  jitter.put(1000 + n, timestamp >>> 0, 'audio', nothing, atMs)
function taken(jitter: JitterBuffer): number[] {
  const order: number[] = []
  for (let held = jitter.take(); held; held = jitter.take()) order.push(held.sequence - 1000)
  return order
}

test('packets come out by their time, however they came in', () => {
  const jitter = new JitterBuffer(8000)
  for (const n of [3, 0, 2, 5, 1, 4]) put(jitter, n, 100 + n)
  assert.deepEqual(taken(jitter), [0, 1, 2, 3, 4, 5])
})

test('order holds over the wrap of the timestamp', () => {
  const jitter = new JitterBuffer(8000)
  const start = 2 ** 32 - 400
  for (const n of [1, 0, 3, 2, 5, 4]) put(jitter, n, 100 + n, start + n * 160)
  assert.deepEqual(taken(jitter), [0, 1, 2, 3, 4, 5])
})

test('two packets of one time are one', () => {
  const jitter = new JitterBuffer(8000)
  put(jitter, 0, 0)
  put(jitter, 1, 20)
  put(jitter, 2, 21, 160)
  assert.deepEqual(taken(jitter), [0, 1])
})

test('packets before what was played are too late, those that were only concealed are not', () => {
  const jitter = new JitterBuffer(8000)
  for (let n = 0; n < 3; n++) put(jitter, n, n * 20)
  assert.ok(jitter.begin(50, 20))
  taken(jitter)
  jitter.heardTo(480)
  jitter.end = 800
  put(jitter, 2, 70)
  assert.equal(jitter.late, 1)
  put(jitter, 3, 100)
  assert.equal(jitter.late, 1)
  assert.equal(jitter.first?.timestamp, 480)
})

test('a concealed packet that is 200 ms late is dropped', () => {
  const jitter = new JitterBuffer(8000)
  for (let n = 0; n < 3; n++) put(jitter, n, n * 20)
  jitter.begin(50, 20)
  taken(jitter)
  jitter.heardTo(480)
  jitter.end = 480 + 3000
  put(jitter, 3, 60 + 150)
  assert.equal(jitter.late, 0)
  taken(jitter)
  put(jitter, 4, 80 + 210)
  assert.equal(jitter.late, 1)
})

test('it begins one target after the first packet, to the sample', () => {
  const jitter = new JitterBuffer(8000)
  put(jitter, 0, 1000)
  assert.equal(jitter.begin(1012, 20), false)
  assert.equal(jitter.begin(1032, 20), true)
  // Playout starts at 1040, which is 8 ms into the tick of 1032.
  assert.equal(jitter.end, -8 * 8)
  assert.equal(jitter.delayMs(1032, 0), 40)
})

test('five late packets over 100 ms mean that our clock is ahead and reset it; five at once do not', () => {
  const slow = new JitterBuffer(8000)
  const burst = new JitterBuffer(8000)
  for (const jitter of [slow, burst]) {
    for (let n = 0; n < 10; n++) put(jitter, n, n * 20)
    jitter.begin(200, 20)
    taken(jitter)
    jitter.heardTo(5000)
  }
  for (let n = 10; n < 20; n++) {
    put(slow, n, n * 20)
    put(burst, n, 200)
  }
  assert.equal(slow.isRunning, false)
  assert.equal(burst.isRunning, true)
  assert.equal(burst.late, 10)
})

test('another timescale resets it at once, an old straggler does not', () => {
  const jitter = new JitterBuffer(8000)
  for (let n = 0; n < 10; n++) put(jitter, n, n * 20)
  jitter.begin(200, 20)
  put(jitter, 3, 1500)
  assert.equal(jitter.isRunning, true)
  put(jitter, 10, 200, 10_000_000)
  assert.equal(jitter.isRunning, false)
  assert.deepEqual(taken(jitter), [10])
})

test('a skip ends at the packet that is due then', () => {
  const jitter = new JitterBuffer(8000)
  for (let n = 0; n < 5; n++) put(jitter, n, n * 20)
  jitter.skip(40)
  assert.deepEqual([jitter.late, jitter.end], [2, 320])
  assert.deepEqual(taken(jitter), [2, 3, 4])
})

test('it never holds more than its measure', () => {
  const jitter = new JitterBuffer(8000)
  for (let n = 0; n < 1000; n++) put(jitter, n, 0)
  assert.ok(jitter.size <= 128)
  assert.equal(taken(jitter).at(-1), 999)
})

/** The target after `seconds` of packets delayed by `delayOf`. */
function targetAfter(transit: TransitTime, fromMs: number, seconds: number, delayOf: (n: number) => number): number {
  for (let n = 0; n < seconds * 50; n++) transit.note(delayOf(n), fromMs + n * 20 + delayOf(n))
  return transit.targetMs
}

test('an even flow asks for 22 ms, 30 ms of jitter for 50, 80 ms for 100, a second for no more than 200', () => {
  const random = randomness(2)
  assert.equal(
    targetAfter(new TransitTime(), 0, 3, () => 5),
    22,
  )
  const near = (target: number, wanted: number) => assert.ok(Math.abs(target - wanted) < 8, `${target}, not ${wanted}`)
  near(
    targetAfter(new TransitTime(), 0, 5, () => 5 + 30 * random()),
    50,
  )
  near(
    targetAfter(new TransitTime(), 0, 5, () => 5 + 80 * random()),
    100,
  )
  assert.equal(
    targetAfter(new TransitTime(), 0, 5, () => 5 + 1000 * random()),
    200,
  )
})

test('the target is short again 1.5 s after a burst, and at most 58 ms after long jitter', () => {
  const random = randomness(2)
  const burst = new TransitTime()
  targetAfter(burst, 0, 3, () => 5)
  targetAfter(burst, 3000, 0.5, () => 5 + 80 * random())
  assert.equal(
    targetAfter(burst, 3500, 1.5, () => 5),
    22,
  )
  const long = new TransitTime()
  targetAfter(long, 0, 10, () => 5 + 80 * random())
  const after = targetAfter(long, 10_000, 1.5, () => 5)
  assert.ok(after > 22 && after <= 58, `${after}`)
  assert.equal(
    targetAfter(long, 11_500, 10, () => 5),
    22,
  )
})

test('one that ten have overtaken does not lengthen it', () => {
  const jitter = new JitterBuffer(8000)
  for (let n = 0; n < 150; n++) {
    if (n !== 100) put(jitter, n, n * 20)
    if (n === 110) put(jitter, 100, n * 20)
    assert.ok(n < 60 || jitter.transit.targetMs === 22, `${n}: ${jitter.transit.targetMs}`)
  }
})

test('one that four have overtaken lengthens it, one that five have overtaken does not', () => {
  for (const [overtakers, isLonger] of [
    [4, true],
    [5, false],
  ] as const) {
    const jitter = new JitterBuffer(8000)
    for (let n = 0; n <= 100 + overtakers; n++) if (n !== 100) put(jitter, n, n * 20)
    put(jitter, 100, (100 + overtakers) * 20)
    assert.equal(jitter.transit.targetMs > 22, isLonger, `${overtakers}`)
  }
})

test('a delay that stays becomes the measure, so the target falls back', () => {
  const transit = new TransitTime()
  targetAfter(transit, 0, 3, () => 5)
  assert.ok(targetAfter(transit, 3000, 1, () => 105) >= 120)
  assert.equal(
    targetAfter(transit, 4000, 5, () => 105),
    22,
  )
  assert.equal(transit.baseMs, 105)
})

test('after a pause of a minute the old delays are forgotten', () => {
  const transit = new TransitTime()
  targetAfter(transit, 0, 5, (n) => 5 + (n % 5) * 20)
  assert.equal(
    targetAfter(transit, 65_000, 0.3, () => 50),
    22,
  )
  assert.equal(transit.baseMs, 50)
})
