// DTMF digits and packet times, as the far end receives them over real sockets.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clip, lineOf, loud, never, takeDigits, testMedia } from '../../test/rtp-call.ts'
import { pcmuTo, tone } from '../../test/rtp-peer.ts'
import { until } from '../../test/until.ts'
import type { Media } from './leg.ts'

let media: Media
before(async () => {
  media = await testMedia()
})
after(() => media.close())

test('digits go out as events, and the audio waits for them', async () => {
  await using line = await lineOf(media)
  const { leg, peer } = line
  const playing = leg.play(clip(tone(1000, 600)), never)
  await until('the play', () => loud(peer).length >= 5)
  await leg.sendDigits('1#d', 'rfc4733', 100, 60)
  const { playedMs: heardMs } = await playing
  assert.equal(heardMs, 600)
  await until('all', () => loud(peer).length === 30)
  const events = [...Map.groupBy(peer.got.filter(({ type }) => type === 101), ({ timestamp }) => timestamp).values()] // biome-ignore format: one
  assert.deepEqual(
    events.map((packets) => packets[0]?.payload[0]),
    [1, 11, 15],
  )
  for (const packets of events) {
    assert.deepEqual(
      packets.map(({ payload }) => payload.readUInt16BE(2)),
      [160, 320, 480, 640, 800, 800, 800],
    )
    assert.deepEqual(
      packets.map(({ payload }) => (payload[1] as number) >> 7),
      [0, 0, 0, 0, 1, 1, 1],
    )
    assert.deepEqual(
      packets.map(({ marker }) => marker),
      [true, false, false, false, false, false, false],
    )
  }
  const starts = events.map(([packet]) => packet?.timestamp ?? 0)
  assert.equal(((starts[1] ?? 0) - (starts[0] ?? 0)) >>> 0, 8 * 160, 'tone and gap')
  const between = peer.got.filter(
    ({ type, sequence }) =>
      type === 0 &&
      ((sequence - (events[0]?.[0]?.sequence ?? 0)) & 0xffff) < 24 &&
      loud(peer).some((one) => one.sequence === sequence),
  )
  assert.equal(between.length, 0, 'no audio between the digits')
  for (let i = 1; i < peer.got.length; i++) {
    assert.equal(peer.got[i]?.sequence, ((peer.got[i - 1]?.sequence ?? 0) + 1) & 0xffff, 'one sequence for all')
  }
})

test('digits go out as tones where there are no events, with pauses, and are heard as digits', async () => {
  await using line = await lineOf(media, { dtmfPayloadType: null })
  const far = await media.open({ detectInbandDigits: true })
  far.configure(pcmuTo(line.leg.port, { dtmfPayloadType: null }))
  line.leg.configure(pcmuTo(far.port, { dtmfPayloadType: null }))
  const startMs = performance.now()
  await line.leg.sendDigits('19w*', 'rfc4733')
  assert.ok(performance.now() - startMs >= 1000, 'with half a second between')
  assert.equal(await takeDigits(far, 3), '19*')
  await far.close()
  await assert.rejects(line.leg.sendDigits('12x', 'inband'), /digits are/)
  await line.leg.sendDigits('', 'inband')
})

test('digits that come as events are reported, and so are those of another way', async () => {
  await using line = await lineOf(media)
  const { leg, peer, events } = line
  const event = (digit: number, end: boolean, duration: number) =>
    peer.send(leg.port, Uint8Array.of(digit, end ? 0x8a : 0x0a, duration >> 8, duration & 255), {
      type: 101,
      advance: 0,
    })
  const speaking = peer.speak(leg.port, tone(400, 2000))
  await until('the latch', () => events.some(({ type }) => type === 'latched'))
  speaking.stop()
  for (const digit of [5, 10]) {
    for (const duration of [160, 320, 480]) event(digit, false, duration)
    for (let i = 0; i < 3; i++) event(digit, true, 640)
    peer.timestamp += 1600
  }
  const digits = takeDigits(leg, 3)
  await until('two digits', () => events.filter(({ type }) => type === 'digit').length === 2)
  leg.pushDigit('#')
  assert.equal(await digits, '5*#')
  const told = events.find((one) => one.type === 'digit')
  assert.deepEqual(told, { type: 'digit', digit: '5', by: 'rfc4733', durationMs: 80 })
})

test('other packet times are honoured', async () => {
  for (const [ptimeMs, bytes] of [
    [10, 80],
    [30, 240],
    [40, 320],
    [60, 480],
    [25, 160],
  ] as const) {
    // biome-ignore format: pairs
    await using line = await lineOf(media, { ptimeMs })
    assert.equal((await line.leg.play(clip(tone(1000, 240)), never)).playedMs, 240)
    await until('packets', () => loud(line.peer).length * bytes >= 1920)
    const [first, ...rest] = line.peer.got
    assert.ok(first && rest.every(({ payload }) => payload.length === bytes))
    for (const { sequence, timestamp } of rest) {
      const steps = (sequence - first.sequence) & 0xffff
      assert.ok(
        ((timestamp - first.timestamp) >>> 0) % 80 === 0 && (timestamp - first.timestamp) >>> 0 >= steps * bytes,
      )
    }
  }
})
