// What is heard over a faulty network, in simulated time: delay, amount of concealment, and clicks.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  delaysOf,
  type Heard,
  type Journey,
  largestStep,
  murmur,
  randomness,
  tone,
  travel,
} from '../../test/rtp-network.ts'
import { longestSilenceMs } from '../../test/sound-measures.ts'
import { loadOpus } from '../audio/opus.ts'
import { levelDb } from '../audio/pcm.ts'
import type { CodecName } from './leg.ts'
import type { RtpPacket } from './packet.ts'

/** The network's base delay. */
const NETWORK_MS = 5
const crowd = murmur(60)

before(() => loadOpus())

type Timing = { fewestMs: number; mostMs: number; found: number; all: number; last: number }
/** Timing of the pieces that are found again with certainty; concealed audio is not among them. */
function timingOf(said: Int16Array, heard: Heard): Timing {
  const all = delaysOf(said, heard)
  const sure = all.filter(({ likeness }) => likeness > 0.9).map(({ delayMs }) => delayMs - NETWORK_MS)
  return {
    fewestMs: Math.min(...sure),
    mostMs: Math.max(...sure),
    found: sure.length,
    all: all.length,
    last: sure.at(-1) ?? Number.NaN,
  }
}
function within(timing: Timing, mostMs: number, share = 0.95): void {
  const text = JSON.stringify(timing)
  assert.ok(timing.found >= timing.all * share, `not found again: ${text}`)
  assert.ok(timing.fewestMs >= 0 && timing.mostMs <= mostMs, text)
}
const short = (journey: Omit<Journey, 'said'>) => {
  const said = crowd.subarray(0, 20 * 8000)
  const heard = travel({ said, ...journey })
  return { heard, timing: timingOf(said, heard) }
}

test('an even flow is heard 20 to 40 ms later for a minute, nothing lost, nothing concealed', () => {
  const heard = travel({ said: crowd })
  within(timingOf(crowd, heard), 41, 1)
  const { concealed, lost, late, duplicates } = heard.stats
  assert.deepEqual({ concealed, lost, late, duplicates }, { concealed: 0, lost: 0, late: 0, duplicates: 0 })
})

test('by its age it is known when a sound came in, whatever it waited for', () => {
  const said = tone(8)
  said.fill(0, 6 * 8000)
  const { pcm, bufferMs } = travel({ said, underWay: (n) => NETWORK_MS + (n % 7) })
  const last = pcm.findLastIndex((sample) => Math.abs(sample) > 500)
  const tick = Math.floor(last / 160)
  const tickMs = 7 + 20 * tick
  const cameMs = tickMs - (bufferMs[tick] ?? 0) - (160 - (last % 160)) / 8
  // A packet holds the 20 ms that follow its send time.
  assert.ok(Math.abs(cameMs + 20 - NETWORK_MS - 6000) < 3, `${cameMs}`)
})

test('before anything has come there is silence, and no delay', () => {
  const heard = travel({ said: crowd.subarray(0, 8000), underWay: () => null })
  assert.ok(heard.pcm.every((sample) => sample === 0))
  assert.equal(heard.stats.bufferMs, 0)
})

test('5 % random loss: as many frames concealed as were lost, in time for a minute', () => {
  const random = randomness(3)
  const heard = travel({ said: crowd, underWay: () => (random() < 0.05 ? null : NETWORK_MS) })
  const { lost, concealed } = heard.stats
  assert.ok(lost > 100 && lost < 200, `${lost} lost`)
  assert.ok(Math.abs(concealed - lost) <= 2, `${concealed} made up of ${lost} lost`)
  within(timingOf(crowd, heard), 41, 0.85)
})

test('20 % lost in bursts of four: concealed, then silence, then in time again', () => {
  const random = randomness(4)
  let left = -1
  const { heard, timing } = short({
    underWay: () => {
      if (left < 0 && random() < 0.06) left = 4
      left = Math.max(-1, left - 1)
      return left >= 0 ? null : NETWORK_MS
    },
  })
  assert.ok(heard.stats.lost > 120, `${heard.stats.lost}`)
  assert.ok(Math.abs(heard.stats.concealed - heard.stats.lost) < 4, JSON.stringify(heard.stats))
  assert.ok(timing.last <= 41 && timing.fewestMs >= 15, JSON.stringify(timing))
})

test('with 80 ms of jitter and reordering nearly everything is heard, about 100 ms late, for a minute', () => {
  const random = randomness(5)
  const heard = travel({ said: crowd, underWay: () => NETWORK_MS + 80 * random() })
  within(timingOf(crowd, heard), 125)
  assert.ok(heard.stats.concealed < 15, JSON.stringify(heard.stats))
  assert.ok(heard.stats.jitterMs > 15 && heard.stats.jitterMs < 40, `${heard.stats.jitterMs}`)
})

test('5 % loss, 80 ms of jitter and duplicates together', () => {
  const random = randomness(6)
  const delay = () => NETWORK_MS + 80 * random()
  const { heard, timing } = short({ underWay: () => (random() < 0.05 ? null : [delay(), delay()]) })
  within(timing, 125, 0.8)
  assert.ok(heard.stats.duplicates > 900)
  assert.ok(heard.stats.concealed - heard.stats.lost < 10, JSON.stringify(heard.stats))
})

test('every second packet overtaken: heard in order, nothing concealed after the first second', () => {
  const { heard, timing } = short({ underWay: (n) => (n % 2 ? NETWORK_MS : NETWORK_MS + 30) })
  within(timing, 60)
  assert.ok(heard.stats.concealed <= 2, JSON.stringify(heard.stats))
})

test('packets that arrive three times are heard once', () => {
  const { heard, timing } = short({ underWay: () => [5, 6, 25] })
  within(timing, 41, 1)
  assert.equal(heard.stats.packetsReceived, 1000)
  assert.equal(heard.stats.concealed, 0)
})

test('a burst of 80 ms lengthens the delay, which is 60 ms or less within 2 s again', () => {
  const random = randomness(7)
  const { heard } = short({ underWay: (n) => (n >= 500 && n < 550 ? NETWORK_MS + 80 * random() : NETWORK_MS) })
  const during = Math.max(...heard.bufferMs.slice(500, 560))
  assert.ok(during > 60 && during < 130, `${during}`)
  assert.ok(Math.max(...heard.bufferMs.slice(650)) <= 60, `${Math.max(...heard.bufferMs.slice(650))}`)
})

test('a stall of 80 ms, all at once afterwards: nothing of it is left out', () => {
  const { heard, timing } = short({ underWay: (n) => (n >= 500 && n < 504 ? NETWORK_MS + (504 - n) * 20 : NETWORK_MS) })
  within(timing, 125)
  assert.equal(heard.stats.late, 0)
  assert.ok(heard.stats.concealed >= 1 && heard.stats.concealed <= 4, `${heard.stats.concealed}`)
})

test('a stall of a second, all at once afterwards: in time again, not a second behind', () => {
  const { heard, timing } = short({ underWay: (n) => (n >= 300 && n < 350 ? NETWORK_MS + (350 - n) * 20 : NETWORK_MS) })
  within(timing, 210, 0.9)
  assert.ok(timing.last <= 41, `${timing.last}`)
  assert.ok(Math.max(...heard.bufferMs.slice(500)) <= 60)
})

const jumps: Record<string, (packet: RtpPacket) => RtpPacket> = {
  'another SSRC, sequence and timestamp': (packet) => ({
    ...packet,
    ssrc: 2,
    sequence: (packet.sequence + 30_000) & 0xffff,
    timestamp: (packet.timestamp + 123_456_789) >>> 0,
  }),
  'a jump of the sequence': (packet) => ({ ...packet, sequence: (packet.sequence + 20_000) & 0xffff }),
  'a jump of the timestamp ahead by hours': (packet) => ({
    ...packet,
    timestamp: (packet.timestamp + 123_456_789) >>> 0,
  }),
  'a jump of the timestamp back by 2 s': (packet) => ({ ...packet, timestamp: (packet.timestamp - 16_000) >>> 0 }),
  'a jump of the timestamp ahead by half a second': (packet) => ({
    ...packet,
    timestamp: (packet.timestamp + 4000) >>> 0,
  }),
  'a jump of the timestamp back by half a second': (packet) => ({
    ...packet,
    timestamp: (packet.timestamp - 4000) >>> 0,
  }),
}
for (const [name, change] of Object.entries(jumps))
  test(`${name}: at most 160 ms are not heard, then it goes on in time`, () => {
    const { heard, timing } = short({ change: (packet, n) => (n >= 500 ? change(packet) : packet) })
    within(timing, 80)
    assert.ok(longestSilenceMs(heard.pcm, 8000) <= 160, `${longestSilenceMs(heard.pcm, 8000)} ms of silence`)
    assert.ok(heard.stats.concealed <= 6 && heard.stats.lost <= 2, JSON.stringify(heard.stats))
  })

test('sequence and timestamp wrap unnoticed', () => {
  const { heard, timing } = short({ firstSequence: 65_300, firstTimestamp: 2 ** 32 - 40_000 })
  within(timing, 41, 1)
  assert.equal(heard.stats.concealed + heard.stats.lost + heard.stats.late, 0)
})

test('a second source that speaks between the packets of the first is not heard', () => {
  const said = tone(10)
  const clean = travel({ said })
  const shot = travel({
    said,
    onTick: (tick, receiver, nowMs) => {
      const payload = new Uint8Array(160).fill(tick)
      receiver.put({ payloadType: 0, marker: false, sequence: tick, timestamp: tick * 160, ssrc: 99, payload }, nowMs)
    },
  })
  assert.deepEqual(shot.pcm, clean.pcm)
})

for (const ptimeMs of [10, 20, 30, 40, 60])
  test(`packets of ${ptimeMs} ms with 30 ms of jitter: all heard, in time`, () => {
    const random = randomness(8)
    const { heard, timing } = short({ ptimeMs, underWay: () => NETWORK_MS + 30 * random() })
    within(timing, 75)
    assert.equal(heard.stats.concealed, 0)
  })

for (const slowPpm of [200, -200])
  test(`a peer's clock off by ${slowPpm} millionths for 10 minutes: in time, nothing concealed`, () => {
    const said = Int16Array.from({ length: 600 * 8000 }, (_, i) => crowd[i % crowd.length] as number)
    const random = randomness(9)
    const heard = travel({ said, slowPpm, underWay: () => NETWORK_MS + 4 * random() })
    assert.equal(heard.stats.concealed + heard.stats.late, 0)
    const settled = heard.bufferMs.slice(100)
    assert.ok(Math.min(...settled) > 15 && Math.max(...settled) < 50, `${Math.min(...settled)} ${Math.max(...settled)}`)
    assert.ok(longestSilenceMs(heard.pcm.subarray(8000), 8000) <= 20)
  })

test('a late thread that catches up is not audible', () => {
  const random = randomness(10)
  const { heard, timing } = short({ lateMs: (tick) => (tick % 250 > 240 ? (250 - (tick % 250)) * 15 : 5 * random()) })
  within(timing, 60)
  assert.equal(heard.stats.concealed, 0)
})

test('a tone has no click in it, whatever was lost, late, or played faster and slower', () => {
  const said = tone(20, 437)
  const random = randomness(11)
  const faults: Record<string, Journey['underWay']> = {
    loss: () => (random() < 0.05 ? null : 5),
    bursts: (n) => (n % 37 < 6 ? null : 5),
    jitter: () => 5 + 80 * random(),
    stalls: (n) => (n % 250 >= 100 && n % 250 < 104 ? 5 + (104 - (n % 250)) * 20 : 5),
  }
  for (const [name, underWay] of Object.entries(faults)) {
    const { pcm } = travel({ said, underWay })
    // Skips the onset: a tone that starts at full level is a step in itself.
    assert.ok(largestStep(pcm.subarray(800)) < 1.1 * largestStep(said), `${name}: ${largestStep(pcm.subarray(800))}`)
  }
})

for (const codec of ['PCMA', 'G722', 'opus'] as CodecName[])
  test(`${codec}: 5 % loss and 40 ms of jitter for 10 s: the tone is there, in its strength`, () => {
    const rateHz = codec === 'PCMA' ? 8000 : 16000
    const said = tone(10, 440, rateHz)
    const random = randomness(12)
    const heard = travel({ said, codec, underWay: () => (random() < 0.05 ? null : 5 + 40 * random()) })
    assert.equal(heard.rateHz, rateHz)
    assert.ok(Math.abs(levelDb(heard.pcm.subarray(rateHz)) - levelDb(said)) < 1.5, `${levelDb(heard.pcm)} dB`)
    assert.ok(longestSilenceMs(heard.pcm, rateHz) <= 20)
    assert.ok(heard.stats.concealed - heard.stats.lost < 5, JSON.stringify(heard.stats))
  })
