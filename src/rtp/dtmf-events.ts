// DTMF as RTP events (RFC 4733): receive and send.
import { TICK_MS } from './clock.ts'
import type { RtpHeader } from './packet.ts'

const DIGITS = '0123456789*#ABCD'
/** Ends an event whose end packets (usually three) were all lost. */
const END_TIMEOUT_MS = 200
/** How many events are remembered by timestamp: end packets repeat, and stragglers come late. */
const REMEMBERED = 8

//  0                   1                   2                   3
// |     event     |E|R| volume    |          duration             |

export type DtmfEvent = { digit: string; isEnd: boolean; volume: number; duration: number }

/** Null for an incomplete event, and for events above 15 (fax and line tones). */
export function readEvent(payload: Uint8Array): DtmfEvent | null {
  const digit = DIGITS[payload[0] ?? 255]
  if (payload.length < 4 || digit === undefined) return null
  const flags = payload[1] as number
  const duration = ((payload[2] as number) << 8) | (payload[3] as number)
  return { digit, isEnd: flags >= 0x80, volume: flags & 63, duration }
}

type Open = { timestamp: number; digit: string; duration: number; seenAtMs: number }

/**
 * Reads the digits that were pressed. Packets with one timestamp are one event (RFC 4733 section 2.2.2): the marker may be lost,
 * doubled or never set. Each event is reported once, at its end.
 */
export class DtmfEventReader {
  readonly #onDigit: (digit: string, durationMs: number) => void
  readonly #clockHz: number
  readonly #told: number[] = []
  #open: Open | null = null

  constructor(clockHz: number, onDigit: (digit: string, durationMs: number) => void) {
    this.#clockHz = clockHz
    this.#onDigit = onDigit
  }

  /** Between the first packet of an event and its end. */
  get isOpen(): boolean {
    return this.#open !== null
  }

  put({ timestamp }: Pick<RtpHeader, 'timestamp'>, payload: Uint8Array, nowMs: number): void {
    const event = readEvent(payload)
    if (!event || this.#told.includes(timestamp)) return
    let open = this.#open
    if (open && open.timestamp !== timestamp) {
      // A straggler of an event that timed out must not end the current one.
      if (((timestamp - open.timestamp) | 0) < 0) return
      const isContinued = this.#continues(open, timestamp, event)
      if (isContinued) open.timestamp = timestamp
      else {
        this.#tell(open)
        open = null
      }
    }
    open ??= { timestamp, digit: event.digit, duration: 0, seenAtMs: nowMs }
    open.duration = Math.max(open.duration, event.duration)
    open.seenAtMs = nowMs
    this.#open = open
    if (event.isEnd) this.#tell(open)
  }

  /** Called every tick. */
  tick(nowMs: number): void {
    if (this.#open && nowMs - this.#open.seenAtMs >= END_TIMEOUT_MS) this.#tell(this.#open)
  }

  /** An event longer than 16 bits of duration continues in segments, each starting where the last one ended (2.5.1.3). */
  #continues(open: Open, timestamp: number, event: DtmfEvent): boolean {
    return open.digit === event.digit && open.duration >= 0xff00 && ((timestamp - open.timestamp) | 0) <= 0xffff
  }

  #tell(open: Open): void {
    this.#open = null
    this.#told.push(open.timestamp)
    if (this.#told.length > REMEMBERED) this.#told.shift()
    this.#onDigit(open.digit, Math.round((open.duration * 1000) / this.#clockHz))
  }
}

export type EventPacket = { payload: Uint8Array; marker: boolean; timestamp: number }

const END_REPEATS = 3
/** -10 dBm0, as usual in the telephone network. */
const VOLUME = 10
/** 2.5.1.2: shorter tones may not be recognized. */
const MIN_MS = 40

/**
 * One packet per tick of 20 ms, all with the timestamp of the digit; the last three are its end. Yields nothing for anything but a
 * digit.
 */
export function* eventPackets(
  digit: string,
  toneMs: number,
  timestamp: number,
  clockHz = 8000,
): Generator<EventPacket> {
  const event = digit.length === 1 ? DIGITS.indexOf(digit.toUpperCase()) : -1
  if (event < 0) return
  const perTick = (clockHz * TICK_MS) / 1000
  // 16 bits of duration hold 8 s at 8 kHz, more than a machine needs.
  const ticks = Math.min(Math.floor(0xffff / perTick), Math.ceil(Math.max(MIN_MS, toneMs) / TICK_MS))
  for (let tick = 1; tick < ticks + END_REPEATS; tick++) {
    const duration = Math.min(tick, ticks) * perTick
    const flags = (tick >= ticks ? 0x80 : 0) | VOLUME
    yield {
      payload: Uint8Array.of(event, flags, duration >> 8, duration & 0xff),
      marker: tick === 1,
      timestamp,
    }
  }
}
