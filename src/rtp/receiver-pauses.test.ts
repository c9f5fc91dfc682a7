// Pauses, digits and codec changes: none counts as loss, and the audio after them is heard in time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delaysOf, type Heard, murmur, randomness, tone, travel } from '../../test/rtp-network.ts'
import { peakOf } from '../../test/sound-measures.ts'
import { toneOf } from '../audio/dtmf-tones.ts'
import { joinPcm, levelDb } from '../audio/pcm.ts'
import { type Codec, openCodec } from './codecs.ts'
import { eventPackets } from './dtmf-events.ts'
import type { RtpPacket } from './packet.ts'
import { AudioReceiver, type ReceiverOptions } from './receiver.ts'

const NETWORK_MS = 5
const said = murmur(20)

/** Speaks for 1.2 s, then is silent for 0.8 s; packets that are not sent take no sequence number. */
function pausing(stopsTimestamp: boolean, noiseDb?: number) {
  let sent = 0
  return (packet: RtpPacket, n: number): RtpPacket | null => {
    const pause = n % 100 >= 60
    const isNoise = noiseDb !== undefined && n % 100 === 60
    if (pause && !isNoise) return null
    const timestamp = stopsTimestamp ? 1000 + sent * 160 : packet.timestamp
    const changed = { ...packet, sequence: sent++ & 0xffff, timestamp }
    return isNoise ? { ...changed, payloadType: 13, payload: Uint8Array.of(noiseDb) } : changed
  }
}
const frameAt = ({ pcm, rateHz }: Heard, ms: number, size = 100) =>
  pcm.subarray((ms * rateHz) / 1000, ((ms + size) * rateHz) / 1000)
const speech = (heard: Heard) =>
  delaysOf(said, heard, 100).filter(({ atMs, likeness }) => likeness > 0.9 && atMs % 2000 > 100 && atMs % 2000 < 1100)

test('a peer that sends nothing in its pauses: nothing lost, nothing concealed, silence, in time after each', () => {
  const heard = travel({ said, change: pausing(false) })
  const { lost, concealed, late } = heard.stats
  assert.deepEqual({ lost, concealed, late }, { lost: 0, concealed: 0, late: 0 })
  for (let at = 1400; at < 20_000; at += 2000) assert.equal(peakOf(frameAt(heard, at, 500)), 0)
  const delays = speech(heard).map(({ delayMs }) => delayMs - NETWORK_MS)
  assert.ok(delays.length >= 85, `${delays.length} found`)
  assert.ok(Math.max(...delays) <= 41, `${Math.max(...delays)}`)
})

test('a sender whose timestamps stop during pauses is heard in time as well', () => {
  const heard = travel({ said, change: pausing(true) })
  assert.equal(heard.stats.late, 0)
  const delays = speech(heard).map(({ delayMs }) => delayMs - NETWORK_MS)
  assert.ok(delays.length >= 85, `${delays.length} found`)
  assert.ok(Math.max(...delays) <= 45, `${Math.max(...delays)}`)
})

test('comfort noise fills pauses at the sent level until the voice returns', () => {
  const heard = travel({ said, change: pausing(false, 45) })
  for (let at = 1500; at < 20_000; at += 2000) {
    const db = levelDb(frameAt(heard, at, 400))
    assert.ok(Math.abs(db + 45) < 2, `${at} ms: ${db} dB`)
  }
  assert.equal(heard.stats.concealed, 0)
  assert.ok(speech(heard).length >= 85)
})

test('a pause takes away the delay that jitter left, with nothing cut from the words', () => {
  const random = randomness(2)
  const heard = travel({
    said,
    change: (packet, n) => (n < 60 ? packet : n < 200 ? null : { ...packet, sequence: packet.sequence - 140 }),
    underWay: (n) => (n < 60 ? NETWORK_MS + 80 * random() : NETWORK_MS),
  })
  assert.ok(Math.max(...heard.bufferMs.slice(40, 60)) > 60)
  assert.ok(Math.max(...heard.bufferMs.slice(200)) <= 45, `${Math.max(...heard.bufferMs.slice(200))}`)
})

function receiverOf(codec: Codec, more: Partial<ReceiverOptions> = {}) {
  const digits: string[] = []
  const receiver = new AudioReceiver({
    codec,
    payloadType: 0,
    dtmfPayloadType: 101,
    onDigit: (digit, durationMs, by) => digits.push(`${digit} ${durationMs} ${by}`),
    ...more,
  })
  return { receiver, digits }
}
const packetOf = (n: number, payload: Uint8Array, payloadType = 0, timestamp = n * 160): RtpPacket => ({
  payloadType,
  marker: false,
  sequence: n & 0xffff,
  timestamp,
  ssrc: 1,
  payload,
})

test('digits between the audio are reported once, and replaced by silence, not concealment', () => {
  const codec = openCodec('PCMU')
  const { receiver, digits } = receiverOf(codec)
  const voice = codec.encode(tone(0.02))
  const heard: Int16Array[] = []
  let events: { payload: Uint8Array; timestamp: number }[] = []
  for (let n = 0; n < 150; n++) {
    if (n === 50 || n === 80) events = [...eventPackets(n === 50 ? '4' : '2', 200, n * 160)]
    const event = events.shift()
    const packet = event ? packetOf(n, event.payload, 101, event.timestamp) : packetOf(n, voice)
    receiver.put(packet, n * 20 + 5)
    heard.push(receiver.pull(n * 20 + 7))
  }
  assert.deepEqual(digits, ['4 200 rfc4733', '2 200 rfc4733'])
  const pcm = joinPcm(heard)
  assert.equal(peakOf(pcm.subarray(54 * 160, 60 * 160)), 0)
  assert.ok(levelDb(pcm.subarray(68 * 160, 78 * 160)) > -17)
  assert.equal(receiver.stats().lost, 0)
})

test('events from another source than the audio, which goes on meanwhile, are reported once', () => {
  const codec = openCodec('PCMU')
  const { receiver, digits } = receiverOf(codec)
  const voice = codec.encode(tone(0.02))
  const events = [...eventPackets('8', 100, 0)]
  const heard: Int16Array[] = []
  for (let n = 0; n < 50; n++) {
    receiver.put(packetOf(n, voice), n * 20 + 5)
    const event = events[n - 20]
    if (event) receiver.put({ ...packetOf(40_000 + n, event.payload, 101, 777), ssrc: 2 }, n * 20 + 6)
    heard.push(receiver.pull(n * 20 + 7))
  }
  assert.deepEqual(digits, ['8 100 rfc4733'])
  assert.equal(receiver.stats().concealed, 0)
  assert.ok(levelDb(joinPcm(heard).subarray(20 * 160)) > -16)
})

test('tones in the audio are reported where they are asked for, through jitter and 16 kHz as well', () => {
  const pressed = joinPcm(
    [...'159#'].flatMap((digit) => [new Int16Array(1600), toneOf(digit, 100, 8000), new Int16Array(1600)]),
  )
  const random = randomness(3)
  const underWay = () => 5 + 40 * random()
  assert.deepEqual(travel({ said: pressed, underWay, detectInband: true }).digits, ['1', '5', '9', '#'])
  assert.deepEqual(travel({ said: pressed, underWay }).digits, [])
  const wide = joinPcm([toneOf('7', 100, 16000), new Int16Array(8000)])
  assert.deepEqual(travel({ said: wide, codec: 'G722', detectInband: true }).digits, ['7'])
})

test('one that sends events and leaves the tones in the audio is reported once', () => {
  const codec = openCodec('PCMU')
  const { receiver, digits } = receiverOf(codec, { detectInband: true })
  const sound = joinPcm([toneOf('3', 200, 8000), new Int16Array(8000)])
  const events = [...eventPackets('3', 200, 0)]
  let sequence = 0
  for (let n = 0; n < 50; n++) {
    const event = events[n]
    if (event) receiver.put(packetOf(sequence++, event.payload, 101, event.timestamp), n * 20 + 5)
    const frame = codec.encode(sound.subarray(n * 160, (n + 1) * 160))
    receiver.put(packetOf(sequence++, frame, 0, n * 160), n * 20 + 5)
    receiver.pull(n * 20 + 7)
  }
  assert.deepEqual(digits, ['3 200 rfc4733'])
})

test('a change of codec in the call: the old one ends, the new one is heard at its own rate', () => {
  const narrow = openCodec('PCMU')
  const wide = openCodec('G722')
  const { receiver } = receiverOf(narrow)
  const before = narrow.encode(tone(0.02))
  const sound = tone(1, 1000, 16000)
  for (let n = 0; n < 50; n++) {
    receiver.put(packetOf(n, before), n * 20 + 5)
    assert.equal(receiver.pull(n * 20 + 7).length, 160)
  }
  receiver.reconfigure({ codec: wide, payloadType: 9 })
  const heard: Int16Array[] = []
  for (let n = 50; n < 100; n++) {
    const payload = wide.encode(sound.subarray((n - 50) * 320, (n - 49) * 320))
    receiver.put(packetOf(n, payload, 9), n * 20 + 5)
    receiver.put(packetOf(n - 48, before), n * 20 + 6)
    const frame = receiver.pull(n * 20 + 7)
    assert.equal(frame.length, 320)
    heard.push(frame)
  }
  assert.ok(Math.abs(levelDb(joinPcm(heard).subarray(3200)) - levelDb(sound)) < 1)
  assert.equal(receiver.stats().packetsReceived, 100)
  assert.equal(receiver.stats().concealed, 0)
})

test('other payload types, empty packets and ones of a whole second are ignored', () => {
  const codec = openCodec('PCMU')
  const { receiver } = receiverOf(codec)
  for (let n = 0; n < 50; n++) {
    receiver.put(packetOf(3 * n, new Uint8Array(160), 77, n * 160), n * 20)
    receiver.put(packetOf(3 * n + 1, new Uint8Array(0), 0, n * 160), n * 20)
    receiver.put(packetOf(3 * n + 2, new Uint8Array(8000), 0, n * 160), n * 20)
    assert.equal(peakOf(receiver.pull(n * 20 + 7)), 0)
  }
})

test('random packets of one source never break it, and afterwards it hears again', () => {
  const codec = openCodec('PCMU')
  const { receiver } = receiverOf(codec, { detectInband: true })
  const random = randomness(4)
  for (let n = 0; n < 5000; n++) {
    for (let i = 0; i < 3; i++) {
      const payload = Uint8Array.from({ length: Math.floor(random() * 300) }, () => Math.floor(random() * 256))
      const type = [0, 13, 101][Math.floor(random() * 3)] as number
      const packet = packetOf(Math.floor(random() * 65536), payload, type, Math.floor(random() * 2 ** 32))
      receiver.put({ ...packet, ssrc: Math.floor(random() * 3) }, n * 20 + i)
    }
    assert.equal(receiver.pull(n * 20 + 7).length, 160)
  }
  const voice = codec.encode(tone(0.02))
  const heard: Int16Array[] = []
  for (let n = 5000; n < 5100; n++) {
    receiver.put({ ...packetOf(n, voice), ssrc: 7 }, n * 20)
    heard.push(receiver.pull(n * 20 + 7))
  }
  assert.ok(levelDb(joinPcm(heard).subarray(4000)) > -16)
})
