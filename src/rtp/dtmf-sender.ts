// Sends DTMF as RTP events (RFC 4733) or in-band tones, tick by tick, with pauses.

import { toneOf } from '../audio/dtmf-tones.ts'
import { TICK_MS } from './clock.ts'
import { type EventPacket, eventPackets } from './dtmf-events.ts'
import type { DigitMode } from './leg.ts'

export type DtmfJob = { job: number; digits: string; mode: DigitMode; toneMs: number; gapMs: number }

/** The content of a tick: an event packet, a tone, or the silence around them. */
export type DtmfStep = { event: EventPacket } | { tone: Int16Array } | { silence: true }
/** `hasEvents`: telephone-events were negotiated. */
export type DtmfLine = { rateHz: number; clockHz: number; timestamp: number; hasEvents: boolean }

const PAUSE_TICKS = 500 / TICK_MS
const MIN_TONE_MS = 40
const MAX_TONE_MS = 5000
const gap: DtmfStep = { silence: true }
const pause: DtmfStep = { silence: true }

type Current = DtmfJob & { at: number; steps: DtmfStep[]; isTold: boolean }

export class DtmfSender {
  readonly #jobs: DtmfJob[] = []
  readonly #onDone: (job: number) => void
  #current: Current | null = null

  constructor(onDone: (job: number) => void) {
    this.#onDone = onDone
  }

  get isBusy(): boolean {
    return this.#current !== null || this.#jobs.length > 0
  }

  add(job: DtmfJob): void {
    this.#jobs.push(job)
  }

  /** Null when there is nothing to send. `line`: the state of the line in this tick. */
  step(line: DtmfLine): DtmfStep | null {
    const current = this.#next(line)
    const step = current?.steps.shift()
    if (!current || !step) return null
    // Done with the last digit: the gap after it only keeps other audio away.
    const isLastSent = current.at >= current.digits.length && current.steps.every((one) => one === gap)
    if (isLastSent && !current.isTold) {
      current.isTold = true
      this.#onDone(current.job)
    }
    return step
  }

  #next(line: DtmfLine): Current | null {
    for (;;) {
      const current = this.#current
      if (current && current.steps.length > 0) return current
      const digit = current?.digits[current.at]
      if (current && digit !== undefined) {
        current.at++
        current.steps = stepsOf(digit, current, line)
        continue
      }
      if (current && !current.isTold) this.#onDone(current.job)
      const next = this.#jobs.shift()
      this.#current = next ? { ...next, at: 0, steps: [], isTold: false } : null
      if (!next) return null
    }
  }
}

function stepsOf(digit: string, { mode, toneMs, gapMs }: DtmfJob, line: DtmfLine): DtmfStep[] {
  if (digit === 'w') return times(PAUSE_TICKS, pause)
  const ms = Math.min(MAX_TONE_MS, Math.max(MIN_TONE_MS, toneMs))
  const ticks = Math.ceil(ms / TICK_MS)
  const gapTicks = Math.ceil(gapMs / TICK_MS)
  if (mode === 'rfc4733' && line.hasEvents) {
    const events = [...eventPackets(digit, ms, line.timestamp, line.clockHz)].map((event): DtmfStep => ({ event }))
    // The repeated end packets fill part of the gap.
    return [...events, ...times(ticks + gapTicks - events.length, gap)]
  }
  const samples = (line.rateHz * TICK_MS) / 1000
  const tone = toneOf(digit, ticks * TICK_MS, line.rateHz)
  const tones = Array.from({ length: ticks }, (_, i) => ({ tone: tone.subarray(i * samples, (i + 1) * samples) }))
  return [...tones, ...times(gapTicks, gap)]
}

const times = (ticks: number, step: DtmfStep): DtmfStep[] => new Array<DtmfStep>(Math.max(0, ticks)).fill(step)
