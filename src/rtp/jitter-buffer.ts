// The jitter buffer: reorders packets by timestamp until their playout time.
import { MAX_DELAY_MS, TransitTime } from './transit-time.ts'

export type BufferedPacket = {
  /** Extended beyond 16 bits. */
  sequence: number
  /** Extended beyond 32 bits. */
  timestamp: number
  kind: 'audio' | 'noise'
  payload: Uint8Array
}

/** A larger change of transit time is a new timescale: the peer has restarted its timestamps. */
const JUMP_MS = 1000
/** Every packet arrived late for this long: our playout clock is ahead, so it is reset. */
const LATE_RUN = 5
const LATE_RUN_MS = 100
/** After a pause one late packet is enough: some senders stop their timestamps with their audio. */
const PAUSE_MS = 200
/** A packet overtaken by this many others says nothing about the delay to expect. */
const STRAGGLER = 5
/** 200 ms in packets of 10 ms, plus a whole second that arrived at once. */
const MAX_HELD = 128

/** `end` and all timestamps are in units of the RTP clock, everything else in ms. */
export class JitterBuffer {
  readonly transit = new TransitTime()
  late = 0
  /** The end of what was played or concealed. */
  end = 0
  isRunning = false
  /** The end of what was really played: earlier packets are too late. */
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

  /** Takes the first packet out; the caller then advances `end`. */
  take(): BufferedPacket | undefined {
    return this.#held.shift()
  }

  /** Audio was played up to here. */
  heardTo(timestamp: number): void {
    this.end = timestamp
    this.#heardTo = timestamp
  }

  /** A silence packet takes no time, but packets before it are too late now. */
  passed(timestamp: number): void {
    this.#heardTo = timestamp
    if (timestamp > this.end) this.end = timestamp
  }

  /** In silence the clock can be moved inaudibly: ahead to the first packet, or back to what was played. */
  shift(ms: number): void {
    const to = Math.max(this.end + ms * this.#unitsPerMs, Math.min(this.end, this.#heardTo))
    this.end = Math.min(to, Math.max(this.end, this.#held[0]?.timestamp ?? to))
  }

  /** Starts the clock, `leadMs` before the first packet is played; false while that is more than `mostMs`. */
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

  /** How long a packet without network delay waits, with `queued` units before `end` still to be played. */
  delayMs(nowMs: number, queued: number): number {
    return nowMs - (this.end - queued) / this.#unitsPerMs - this.transit.baseMs
  }

  /** Drops packets up to `ms` after `end`, but never the last one. */
  skip(ms: number): void {
    const to = this.end + ms * this.#unitsPerMs
    let count = 0
    while (count + 1 < this.#held.length && (this.#held[count + 1] as BufferedPacket).timestamp <= to) count++
    this.#held.splice(0, count)
    this.late += count
    const first = this.#held[0]
    if (first && first.timestamp > this.end) this.heardTo(first.timestamp)
  }

  /** A new source or timescale: forgets everything about the old one. */
  reset(): void {
    this.#held = []
    this.transit.reset()
    this.isRunning = false
    this.#newest = -1
    this.#lateRun = 0
  }

  /** A packet whose time was concealed is still played, delaying all that follow, up to the maximum delay. */
  #isTooLate(timestamp: number, transitMs: number): boolean {
    if (timestamp < this.#heardTo) return true
    return timestamp < this.end && transitMs - this.transit.baseMs > MAX_DELAY_MS
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
