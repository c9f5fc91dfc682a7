// The jitter buffer: reorders packets by timestamp until their playout time.
import { MAX_MS, TransitTime } from './transit-time.ts'

export type BufferedPacket = {
  /** Extended beyond 16 bits. */
  sequence: number
  /** Extended beyond 32 bits. */
  timestamp: number
  kind: 'audio' | 'noise'
  payload: Uint8Array
}

/** A transit that differs by more is another timescale: the peer has set its timestamps anew. */
const JUMP_MS = 1000
/** So many late packets over so much time, and none in time: it is us who are early. */
const LATE_RUN = 5
const LATE_RUN_MS = 100
/** After a pause one late packet is enough: senders that stop their timestamps with their audio. */
const PAUSE_MS = 200
/** A packet that this many have overtaken says nothing of the delay to expect. */
const STRAGGLER = 5
/** 200 ms in packets of 10 ms and a whole second that came at once. */
const MAX_HELD = 128

/** Times: `end` and all timestamps in units of the RTP clock, all else in ms. */
export class JitterBuffer {
  readonly transit = new TransitTime()
  late = 0
  /** How far has been played or made up. */
  end = 0
  isRunning = false
  /** How far has been played truly: what comes before this comes too late. */
  #heardTo = 0
  readonly #unitsPerMs: number
  #held: BufferedPacket[] = []
  #newest = -1
  #newestTimestamp = 0
  #newestAtMs = 0
  #lateRun = 0
  #lateSinceMs = 0

  constructor(clockHz: number) {
    this.#unitsPerMs = clockHz / 1000
  }

  get first(): BufferedPacket | undefined {
    return this.#held[0]
  }

  get size(): number {
    return this.#held.length
  }

  put(sequence: number, timestamp: number, kind: BufferedPacket['kind'], payload: Uint8Array, nowMs: number): void {
    if (this.#newest < 0) this.#newestTimestamp = timestamp
    const extended = this.#newestTimestamp + ((timestamp - this.#newestTimestamp) | 0)
    const transitMs = nowMs - extended / this.#unitsPerMs
    const isNewest = sequence > this.#newest
    const isAfterPause = isNewest && nowMs - this.#newestAtMs > PAUSE_MS
    if (isNewest) {
      if (!this.transit.isEmpty && Math.abs(transitMs - this.transit.baseMs) > JUMP_MS) this.reset()
      this.#newest = sequence
      this.#newestTimestamp = extended
      this.#newestAtMs = nowMs
    }
    if (sequence > this.#newest - STRAGGLER) this.transit.note(transitMs, nowMs)
    if (this.isRunning && this.#isTooLate(extended, transitMs)) {
      if (!isNewest || !(isAfterPause || this.#isLateForLong(nowMs))) {
        this.late++
        return
      }
      this.reset()
      this.#newest = sequence
      this.transit.note(transitMs, nowMs)
    }
    if (isNewest) this.#lateRun = 0
    this.#insert({ sequence, timestamp: extended, kind, payload })
  }

  /** The first packet is taken out; time goes on to `end`. */
  take(): BufferedPacket | undefined {
    return this.#held.shift()
  }

  /** What was played truly up to here. */
  heardTo(timestamp: number): void {
    this.end = timestamp
    this.#heardTo = timestamp
  }

  /** What is silent takes no time: it only makes older packets worthless. */
  passed(timestamp: number): void {
    this.#heardTo = timestamp
    if (timestamp > this.end) this.end = timestamp
  }

  /** In silence the clock can be set without anybody hearing it: ahead up to the first packet, back to what was heard. */
  shift(ms: number): void {
    const to = Math.max(this.end + ms * this.#unitsPerMs, Math.min(this.end, this.#heardTo))
    this.end = Math.min(to, Math.max(this.end, this.#held[0]?.timestamp ?? to))
  }

  /** Time begins to run, `leadMs` before the first packet is heard; false while that is more than `mostMs`. */
  begin(nowMs: number, mostMs: number): boolean {
    const first = this.#held[0]
    if (!first) return false
    const positionMs = nowMs - this.transit.baseMs - this.transit.targetMs
    const leadMs = first.timestamp / this.#unitsPerMs - positionMs
    if (leadMs >= mostMs) return false
    this.isRunning = true
    this.end = first.timestamp - Math.max(0, leadMs) * this.#unitsPerMs
    this.#heardTo = Number.NEGATIVE_INFINITY
    return true
  }

  /** How long what comes without delay waits, when `queued` units before `end` are still to be heard. */
  delayMs(nowMs: number, queued: number): number {
    return nowMs - (this.end - queued) / this.#unitsPerMs - this.transit.baseMs
  }

  /** Leaves out what is older than `ms` after `end`; a packet is always kept. */
  skip(ms: number): void {
    const to = this.end + ms * this.#unitsPerMs
    let count = 0
    while (count + 1 < this.#held.length && (this.#held[count + 1] as BufferedPacket).timestamp <= to) count++
    this.#held.splice(0, count)
    this.late += count
    const first = this.#held[0]
    if (first && first.timestamp > this.end) this.heardTo(first.timestamp)
  }

  /** Another source or timescale: what is known of this one is worth nothing. */
  reset(): void {
    this.#held = []
    this.transit.reset()
    this.isRunning = false
    this.#newest = -1
    this.#lateRun = 0
  }

  /** What was concealed already is still played when it comes, and all after it later, up to the longest delay. */
  #isTooLate(timestamp: number, transitMs: number): boolean {
    if (timestamp < this.#heardTo) return true
    return timestamp < this.end && transitMs - this.transit.baseMs > MAX_MS
  }

  #isLateForLong(nowMs: number): boolean {
    if (this.#lateRun++ === 0) this.#lateSinceMs = nowMs
    return this.#lateRun >= LATE_RUN && nowMs - this.#lateSinceMs >= LATE_RUN_MS
  }

  #insert(packet: BufferedPacket): void {
    const held = this.#held
    let at = held.length
    while (at > 0 && (held[at - 1] as BufferedPacket).timestamp > packet.timestamp) at--
    if (at > 0 && (held[at - 1] as BufferedPacket).timestamp === packet.timestamp) return
    if (at === held.length) held.push(packet)
    else held.splice(at, 0, packet)
    if (held.length > MAX_HELD) held.shift()
  }
}
