// Playout on a leg, as the far end hears it over real sockets.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { clip, lineOf, loud, never, takeDigits, testMedia } from '../../test/rtp-call.ts'
import { heardBy, pcmuTo, purity, type RtpPeer, tone } from '../../test/rtp-peer.ts'
import { until } from '../../test/until.ts'
import type { AudioFrame } from '../voice/ports.ts'
import type { Media } from './leg.ts'

let media: Media
before(async () => {
  media = await testMedia()
})
after(() => media.close())

function block(ms: number): void {
  for (const endMs = performance.now() + ms; performance.now() < endMs; );
}

/** Relative drift of the line's clock against ours, by the least delayed packets of the first and the last second. */
function rateError(peer: RtpPeer): number {
  const [first] = peer.got
  assert.ok(first)
  const offsets = peer.got.map(({ atMs, timestamp }) => atMs - first.atMs - ((timestamp - first.timestamp) >>> 0) / 8)
  const spanMs = ((peer.got.at(-50)?.timestamp ?? 0) - first.timestamp) >>> 3
  return (Math.min(...offsets.slice(-50)) - Math.min(...offsets.slice(0, 50))) / spanMs
}

test('a tone that is played is received, at the right rate, in packets of 20 ms', async () => {
  await using line = await lineOf(media)
  const { leg, peer } = line
  const { playedMs: heardMs } = await leg.play(clip(tone(1000, 3000, 24_000), 24_000), never)
  assert.equal(heardMs, 3000)
  await until('the last packet', () => loud(peer).length >= 150)
  assert.equal(loud(peer).length, 150)
  const pcm = heardBy(peer)
  const start = pcm.findIndex((sample) => Math.abs(sample) > 3000)
  assert.ok(purity(pcm.subarray(start + 80, start + 23_900), 1000) > 0.998)
  assert.ok(Math.abs(rateError(peer)) < 0.001, `${rateError(peer)}`)
  for (let i = 1; i < peer.got.length; i++) {
    const [a, b] = [peer.got[i - 1], peer.got[i]]
    assert.ok(a && b)
    assert.equal(b.sequence, (a.sequence + 1) & 0xffff)
    assert.equal(b.ssrc, a.ssrc)
    assert.equal(b.from, leg.port)
    assert.equal(b.payload.length, 160)
    // After a stall of the machine the clock may skip ticks; the timestamp then accounts for them.
    assert.equal(((b.timestamp - a.timestamp) >>> 0) % 160, 0)
  }
  const marked = peer.got.filter(({ marker }) => marker)
  assert.equal(marked[0]?.sequence, loud(peer)[0]?.sequence, 'the marker is where the talk begins')
})

test('without anything to say silence is sent all the time', async () => {
  await using line = await lineOf(media)
  await until('ten packets', () => line.peer.got.length >= 10)
  assert.ok(line.peer.got.every(({ payload, marker }) => payload.every((byte) => byte === 0xff) && !marker))
})

test('plays follow one another in the order in which they were asked for', async () => {
  await using line = await lineOf(media)
  const { leg, peer } = line
  async function* slow(): AsyncGenerator<AudioFrame> {
    await sleep(100)
    yield* clip(tone(500, 400))
  }
  const results = await Promise.all([leg.play(slow(), never), leg.play(clip(tone(1500, 400)), never)])
  assert.deepEqual(
    results.map(({ playedMs: heardMs }) => heardMs),
    [400, 400],
  )
  const [first = 0, second = 0] = results.map(({ startedAt: beganAt }) => beganAt)
  // A clock that was late for the first one may catch up by as much as 200 ms.
  assert.ok(second - first >= 180, `each with the moment of its first sound: ${first} ${second}`)
  await until('all', () => loud(peer).length >= 40)
  const [begin = 0, next = 0] = [loud(peer)[0]?.sequence, loud(peer)[20]?.sequence]
  assert.equal((next - begin) & 0xffff, 20, 'one right after the other')
  const pcm = heardBy(peer)
  const start = pcm.findIndex((sample) => Math.abs(sample) > 2000)
  assert.ok(purity(pcm.subarray(start, start + 3000), 500) > 0.99)
  assert.ok(purity(pcm.subarray(start + 3300, start + 6300), 1500) > 0.99)
})

test('an abort ends the playout, and the time heard is exact', async () => {
  await using line = await lineOf(media)
  const { leg, peer } = line
  const stop = new AbortController()
  let hasReturned = false
  async function* endless(): AsyncGenerator<AudioFrame> {
    try {
      for (;;) yield { pcm: tone(700, 500), rateHz: 8000 }
    } finally {
      hasReturned = true
    }
  }
  const playing = leg.play(endless(), stop.signal)
  await until('half a second', () => loud(peer).length >= 25)
  stop.abort()
  const { playedMs: heardMs } = await playing // never ends without the abort
  assert.ok(hasReturned, 'the source was told')
  const sent = peer.got.at(-1)?.sequence ?? 0
  await until('silence after it', () => peer.got.some((one) => one.sequence === ((sent + 10) & 0xffff)))
  assert.equal(heardMs, loud(peer).length * 20)
  assert.deepEqual(await leg.play(endless(), stop.signal), { playedMs: 0 }, 'an aborted signal plays nothing')
})

test('a source that fails rejects, after what it gave was heard', async () => {
  await using line = await lineOf(media)
  async function* broken(): AsyncGenerator<AudioFrame> {
    yield { pcm: tone(700, 300), rateHz: 8000 }
    throw new Error('the voice broke')
  }
  await assert.rejects(line.leg.play(broken(), never), /the voice broke/)
  await until('what there was', () => loud(line.peer).length === 15)
  await assert.rejects(line.leg.play(clip(tone(700, 20), 8001), never), /cannot be played/)
})

test('the source is pulled about a second ahead, and a stall of the main thread makes no gap', async () => {
  await using line = await lineOf(media)
  const { leg, peer } = line
  let pulledMs = 0
  async function* source(): AsyncGenerator<AudioFrame> {
    for (let i = 0; i < 100; i++) {
      pulledMs += 20
      yield { pcm: tone(1000, 20), rateHz: 8000 }
    }
  }
  const playing = leg.play(source(), never)
  await until('some of it', () => loud(peer).length >= 5)
  const aheadMs = pulledMs - loud(peer).length * 20
  assert.ok(aheadMs >= 700 && aheadMs <= 1100, `${aheadMs} ms`)
  block(500)
  assert.equal((await playing).playedMs, 2000)
  await until('all', () => loud(peer).length === 100)
  const [first, last] = [loud(peer)[0], loud(peer).at(-1)]
  assert.equal(((last?.sequence ?? 0) - (first?.sequence ?? 0)) & 0xffff, 99, 'no silence between')
})

test('what ends with the leg ends: plays, digits, input; and everything may be asked again', async () => {
  const { leg, peer } = await lineOf(media)
  const input = (async () => {
    for await (const _ of leg.input);
  })()
  const digits = takeDigits(leg, 1)
  const playing = leg.play(clip(tone(700, 60_000)), never)
  const dialing = leg.sendDigits('1234567890', 'rfc4733', 1000)
  await until('some of it', () => peer.got.length > 10)
  const stats = await leg.close()
  assert.ok(stats.packetsSent > 10)
  assert.deepEqual(await leg.close(), stats)
  await Promise.all([input, dialing])
  assert.equal(await digits, '')
  assert.ok((await playing).playedMs < 60_000)
  assert.deepEqual(await leg.play(clip(tone(700, 100)), never), { playedMs: 0 })
  await leg.sendDigits('1', 'inband')
  await leg.record('/nowhere')
  await leg.stopRecording()
  leg.configure(pcmuTo(peer.port))
  leg.pushDigit('1')
  assert.deepEqual(await leg.stats(), stats)
  peer.close()
})
