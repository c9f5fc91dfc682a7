// DTMF events: each digit reported once and in order, whatever the network does to its packets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DtmfEventReader, eventPackets, readEvent } from './dtmf-events.ts'

type Told = { digit: string; ms: number }
function reader(clockHz = 8000) {
  const told: Told[] = []
  return { told, events: new DtmfEventReader(clockHz, (digit, ms) => told.push({ digit, ms })) }
}
type Packet = { timestamp: number; sequence: number; payload: Uint8Array; atMs: number }

/** As a phone sends them: one after another, with pauses between. */
function pressed(digits: string, toneMs = 100, gapMs = 60, clockHz = 8000): Packet[] {
  const packets: Packet[] = []
  let sequence = 65_530
  let atMs = 0
  for (const digit of digits) {
    const timestamp = (0xfffff000 + (atMs * clockHz) / 1000) >>> 0
    for (const { payload } of eventPackets(digit, toneMs, timestamp, clockHz)) {
      packets.push({ timestamp, sequence: sequence++ & 0xffff, payload, atMs })
      atMs += 20
    }
    atMs += gapMs
  }
  return packets
}

function play(packets: readonly Packet[], clockHz = 8000): Told[] {
  const { told, events } = reader(clockHz)
  const endMs = Math.max(0, ...packets.map(({ atMs }) => atMs)) + 1000
  let next = 0
  for (let nowMs = 0; nowMs < endMs; nowMs += 20) {
    for (let packet = packets[next]; packet && packet.atMs <= nowMs; packet = packets[++next])
      events.put(packet, packet.payload, nowMs)
    events.tick(nowMs)
  }
  return told
}
const text = (told: Told[]) => told.map(({ digit }) => digit).join('')
const ALL = '0123456789*#ABCD'

test('every digit is reported once, in order, with its duration by the clock', () => {
  for (const clockHz of [8000, 16000, 48000])
    assert.deepEqual(
      play(pressed(ALL, 100, 60, clockHz), clockHz),
      [...ALL].map((digit) => ({ digit, ms: 100 })),
    )
})

test('the same digit back to back, with no pause at all, is two', () => {
  assert.equal(text(play(pressed('1122', 60, 0))), '1122')
})

test('the marker is never looked at, and any packet of an event will do', () => {
  const packets = pressed('42')
  for (let kept = 0; kept < packets.length / 2; kept++) {
    const one = [packets[kept], packets[kept + packets.length / 2]] as Packet[]
    assert.equal(text(play(one)), '42', `packet ${kept} alone`)
  }
})

test('when all end packets are lost the digit is reported after a while', () => {
  const packets = pressed('5').filter(({ payload }) => !readEvent(payload)?.isEnd)
  const [told, ...more] = play(packets)
  assert.deepEqual(more, [])
  assert.deepEqual(told, { digit: '5', ms: 80 })
})

test('when the end is lost and the next digit begins, both are reported', () => {
  const packets = pressed('57', 100, 20).filter(({ payload }) => !readEvent(payload)?.isEnd)
  assert.equal(text(play(packets)), '57')
})

test('half of the packets lost, doubled and mixed: each digit once', () => {
  let seed = 1
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32
  }
  for (let round = 0; round < 200; round++) {
    const packets = pressed('1199')
      .flatMap((packet) => (random() < 0.3 ? [packet, packet] : [packet]))
      .map((packet) => ({ ...packet, atMs: packet.atMs + random() * 40 }))
      .sort((a, b) => a.atMs - b.atMs)
      .filter(({ sequence }) => (sequence + round) % 3 !== 0)
    assert.equal(text(play(packets)), '1199', `round ${round}`)
  }
})

test('a straggler of an earlier digit neither ends nor repeats anything', () => {
  const packets = pressed('12', 100, 20)
  const first = packets[2] as Packet
  const at = packets.findIndex(({ timestamp }) => timestamp !== first.timestamp) + 2
  packets.splice(at, 0, { ...first, atMs: (packets[at] as Packet).atMs })
  assert.deepEqual(
    play(packets).map(({ digit, ms }) => `${digit} ${ms}`),
    ['1 100', '2 100'],
  )
})

test('a packet from before the digit that is pressed now does not end it', () => {
  const { told, events } = reader()
  const key = (event: number, flags: number, duration: number) =>
    Uint8Array.of(event, flags, duration >> 8, duration & 0xff)
  events.put({ timestamp: 90_000 }, key(2, 10, 160), 0)
  events.put({ timestamp: 1000 }, key(1, 10, 160), 10)
  events.put({ timestamp: 90_000 }, key(2, 0x8a, 800), 20)
  assert.deepEqual(told, [{ digit: '2', ms: 100 }])
})

test('a key held for longer than 16 bits of duration is one digit', () => {
  const { told, events } = reader()
  for (let n = 1; n <= 600; n++) {
    const total = n * 160
    const segment = Math.floor((total - 1) / 0xffff)
    const duration = total - segment * 0xffff
    const payload = Uint8Array.of(7, n === 600 ? 0x8a : 10, duration >> 8, duration & 0xff)
    events.put({ timestamp: 1000 + segment * 0xffff }, payload, n * 20)
    events.tick(n * 20)
  }
  assert.equal(text(told), '7')
})

test('other events are ignored, and random bytes never throw', () => {
  const { told, events } = reader()
  events.put({ timestamp: 1 }, Uint8Array.of(16, 0x80, 0, 100), 0)
  events.put({ timestamp: 2 }, Uint8Array.of(5, 0x80, 0), 0)
  events.put({ timestamp: 3 }, new Uint8Array(0), 0)
  assert.deepEqual(told, [])
  let seed = 3
  for (let n = 0; n < 5000; n++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    const payload = Uint8Array.from({ length: n % 7 }, (_, i) => Math.imul(seed, i + 3) >>> 24)
    events.put({ timestamp: seed }, payload, n)
    events.tick(n)
  }
})

test('ours: one packet each 20 ms, one timestamp, growing duration, three ends, the marker first', () => {
  const packets = [...eventPackets('#', 100, 4000)]
  const events = packets.map(({ payload }) => readEvent(payload) ?? assert.fail())
  assert.deepEqual(
    events.map(({ duration }) => duration),
    [160, 320, 480, 640, 800, 800, 800],
  )
  assert.deepEqual(
    events.map(({ isEnd }) => isEnd),
    [false, false, false, false, true, true, true],
  )
  assert.deepEqual(
    packets.map(({ marker }) => marker),
    [true, false, false, false, false, false, false],
  )
  assert.ok(packets.every(({ timestamp }) => timestamp === 4000))
  assert.ok(events.every(({ digit }) => digit === '#'))
})

test('ours at 48 kHz count in that clock, and a held key stays within 16 bits', () => {
  assert.equal(readEvent([...eventPackets('a', 40, 0, 48000)].at(-1)?.payload ?? assert.fail())?.duration, 1920)
  assert.ok(
    (readEvent([...eventPackets('1', 60_000, 0, 48000)].at(-1)?.payload ?? assert.fail())?.duration ?? 0) <= 0xffff,
  )
  assert.deepEqual([...eventPackets('x', 100, 0)], [])
  assert.deepEqual([...eventPackets('12', 100, 0)], [])
})
