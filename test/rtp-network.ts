// A sender, a faulty network and a receiver in simulated time, and the delay between sent and received audio.
import { type Codec, openCodec } from '../src/rtp/codecs.ts'
import type { CodecName } from '../src/rtp/leg.ts'
import type { RtpPacket } from '../src/rtp/packet.ts'
import { AudioReceiver, type ReceiverStats } from '../src/rtp/receiver.ts'

const TICK_MS = 20

export type Journey = {
  /** The audio to send, at the codec's sample rate, from time 0 on. */
  said: Int16Array
  codec?: CodecName
  ptimeMs?: number
  /** The transit time of packet `n`; null if it is lost, several values if it is duplicated. */
  underWay?: (n: number) => number | readonly number[] | null
  /** Changes a packet before it is sent; null drops it. */
  change?: (packet: RtpPacket, n: number) => RtpPacket | null
  /** How much slower the sender's clock is than the receiver's, in ppm. */
  slowPpm?: number
  /** How late the receiver's thread is at a tick. */
  lateMs?: (tick: number) => number
  detectInband?: boolean
  firstSequence?: number
  firstTimestamp?: number
  onTick?: (tick: number, receiver: AudioReceiver, nowMs: number) => void
}
export type Heard = {
  pcm: Int16Array
  rateHz: number
  receiver: AudioReceiver
  stats: ReceiverStats
  digits: string[]
  /** The buffer level at each tick. */
  bufferMs: number[]
}

/** A seeded generator: the same sequence every time. */
export function randomness(seed = 1): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 8) / 2 ** 24
  }
}

/** Ticks start at 7 ms, so that they fall between the packets. */
const FIRST_TICK_MS = 7

export function travel(journey: Journey): Heard {
  const codec: Codec = openCodec(journey.codec ?? 'PCMU')
  const { ptimeMs = 20, slowPpm = 0, underWay = () => 5, change = (packet: RtpPacket) => packet } = journey
  const samples = (codec.rateHz * ptimeMs) / 1000
  const units = (codec.clockHz * ptimeMs) / 1000
  const count = Math.floor(journey.said.length / samples)
  const arrivals: { atMs: number; packet: RtpPacket }[] = []
  for (let n = 0; n < count; n++) {
    const packet = change(
      {
        payloadType: 0,
        marker: n === 0,
        sequence: ((journey.firstSequence ?? 100) + n) & 0xffff,
        timestamp: ((journey.firstTimestamp ?? 1000) + n * units) >>> 0,
        ssrc: 1,
        payload: codec.encode(journey.said.slice(n * samples, (n + 1) * samples)),
      },
      n,
    )
    const delays = underWay(n)
    const sentMs = n * ptimeMs * (1 + slowPpm / 1e6)
    for (const delay of delays === null || !packet ? [] : ([delays].flat() as number[]))
      if (packet) arrivals.push({ atMs: sentMs + delay, packet })
  }
  arrivals.sort((a, b) => a.atMs - b.atMs)
  const digits: string[] = []
  const receiver = new AudioReceiver({
    codec,
    payloadType: 0,
    comfortNoisePayloadType: 13,
    dtmfPayloadType: 101,
    onDigit: (digit) => digits.push(digit),
    detectInband: journey.detectInband,
  })
  const ticks = Math.ceil((journey.said.length * 1000) / codec.rateHz / TICK_MS)
  const pcm = new Int16Array((ticks * codec.rateHz * TICK_MS) / 1000)
  const bufferMs: number[] = []
  let next = 0
  for (let tick = 0; tick < ticks; tick++) {
    const nowMs = FIRST_TICK_MS + tick * TICK_MS + (journey.lateMs?.(tick) ?? 0)
    for (let first = arrivals[next]; first && first.atMs <= nowMs; first = arrivals[++next])
      receiver.put(first.packet, first.atMs)
    journey.onTick?.(tick, receiver, nowMs)
    const frame = receiver.pull(nowMs)
    if (frame.length !== (codec.rateHz * TICK_MS) / 1000) throw new Error(`a frame of ${frame.length} samples`)
    pcm.set(frame, tick * frame.length)
    bufferMs.push(receiver.stats().bufferMs)
  }
  return { pcm, rateHz: codec.rateHz, receiver, stats: receiver.stats(), digits, bufferMs }
}

/** Smoothed noise: no two pieces are alike, so each can be located. */
export function murmur(seconds: number, rateHz = 8000, seed = 5): Int16Array {
  const random = randomness(seed)
  let smooth = 0
  return Int16Array.from({ length: seconds * rateHz }, () => {
    smooth = 0.6 * smooth + (random() - 0.5)
    return Math.round(smooth * 12_000)
  })
}

export const tone = (seconds: number, hz = 1000, rateHz = 8000, amplitude = 8000): Int16Array =>
  Int16Array.from({ length: seconds * rateHz }, (_, i) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * hz * i) / rateHz)),
  )

export type Match = { atMs: number; delayMs: number; likeness: number }

/** For each piece of received audio, its delay compared with no network and no buffer. */
export function delaysOf(said: Int16Array, { pcm, rateHz }: Heard, everyMs = 1000, pieceMs = 20): Match[] {
  const size = (pieceMs * rateHz) / 1000
  const matches: Match[] = []
  for (let atMs = 300; ((atMs + pieceMs) * rateHz) / 1000 < pcm.length; atMs += everyMs) {
    const at = (atMs * rateHz) / 1000
    let best: Match = { atMs, delayMs: Number.NaN, likeness: 0 }
    const offset = (FIRST_TICK_MS * rateHz) / 1000
    for (let delay = 0; delay < rateHz * 0.3; delay++) {
      const from = at + offset - delay
      if (from < 0 || from + size > said.length) continue
      const likeness = likenessOf(said, from, pcm, at, size)
      if (likeness > best.likeness) best = { atMs, delayMs: (delay * 1000) / rateHz, likeness }
    }
    matches.push(best)
  }
  return matches
}

function likenessOf(a: Int16Array, from: number, b: Int16Array, at: number, size: number): number {
  let product = 0
  let energyA = 1
  let energyB = 1
  for (let i = 0; i < size; i++) {
    const x = a[from + i] as number
    const y = b[at + i] as number
    product += x * y
    energyA += x * x
    energyB += y * y
  }
  return product / Math.sqrt(energyA * energyB)
}

/** The largest step between two samples. A click exceeds the steps of the sound itself. */
export function largestStep(pcm: Int16Array): number {
  let largest = 0
  for (let i = 1; i < pcm.length; i++)
    largest = Math.max(largest, Math.abs((pcm[i] as number) - (pcm[i - 1] as number)))
  return largest
}
