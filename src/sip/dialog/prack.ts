// Reliable provisional responses (RFC 3262): ordering as UAC, retransmission as UAS.
import { randomInt } from 'node:crypto'
import type { HeaderList } from '../message/headers.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { SipTimers } from '../stack.ts'
import { retransmit } from '../transaction/timers.ts'
import { hasOption } from './session-timer.ts'

export type Reliability = { kind: 'unreliable' | 'stale' } | { kind: 'next'; rseq: number }

/** Whether a provisional response needs a PRACK. One out of order is ignored: it will be retransmitted (section 4). */
export function reliabilityOf(response: SipResponse, lastRSeq: number | undefined): Reliability {
  if (response.status <= 100 || !hasOption(response.headers, 'require', '100rel')) return { kind: 'unreliable' }
  const rseq = Number(/^\s*(\d{1,10})\s*$/.exec(response.headers.get('rseq') ?? '')?.[1] ?? Number.NaN)
  if (!Number.isInteger(rseq)) return { kind: 'unreliable' }
  return lastRSeq === undefined || rseq === lastRSeq + 1 ? { kind: 'next', rseq } : { kind: 'stale' }
}

export const rackOf = (rseq: number, inviteCSeq: number): string => `${rseq} ${inviteCSeq} INVITE`

type Waiting = { build: (headers: HeaderList) => SipResponse; hasSdp: boolean }
type Parts = { inviteCSeq: number; timers: SipTimers; send(response: SipResponse): void; giveUp(): void }

/** The UAS: one response at a time, retransmitted until its PRACK arrives. */
export class ReliableRinging {
  #rseq = randomInt(1, 2 ** 31 - 1) // section 3: the first RSeq is random
  #waiting: Waiting[] = []
  #pending: { rseq: number; hasSdp: boolean; stop: () => void } | undefined
  #afterSdp: (() => void) | undefined
  /** The response whose PRACK was outstanding when the final response was sent: the PRACK may still arrive. */
  #overtaken: number | undefined
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  push(build: Waiting['build'], hasSdp: boolean): void {
    this.#waiting.push({ build, hasSdp })
    this.#next()
  }

  #next(): void {
    if (this.#pending) return
    const next = this.#waiting.shift()
    if (!next) {
      this.#afterSdp?.()
      this.#afterSdp = undefined
      return
    }
    const { timers, send, giveUp } = this.#parts
    this.#rseq += 1
    const response = next.build([
      ['require', '100rel'],
      ['rseq', `${this.#rseq}`],
    ])
    const again = () => send(response)
    // Section 3: the interval doubles without a limit, unlike that of a 2xx.
    const stop = retransmit(timers, Number.POSITIVE_INFINITY, again, () => {
      this.stop()
      giveUp()
    })
    this.#pending = { rseq: this.#rseq, hasSdp: next.hasSdp, stop }
    again()
  }

  /** True if it acknowledges an outstanding response; any other PRACK gets a 481. */
  receive(prack: SipRequest): boolean {
    const [rseq, cseq, method] = (prack.headers.get('rack') ?? '').trim().split(/\s+/)
    if (Number(cseq) !== this.#parts.inviteCSeq || method !== 'INVITE') return false
    if (this.#pending?.rseq === Number(rseq)) {
      this.#pending.stop()
      this.#pending = undefined
      this.#next()
      return true
    }
    const isLate = this.#overtaken !== undefined && this.#overtaken === Number(rseq)
    if (isLate) this.#overtaken = undefined
    return isLate
  }

  /** Section 3: a 2xx must wait for the PRACK of a response with SDP. Otherwise it is sent at once. */
  beforeFinal(run: () => void): void {
    this.#waiting = this.#waiting.filter(({ hasSdp }) => hasSdp)
    if (this.#pending?.hasSdp || this.#waiting.length > 0) this.#afterSdp = run
    else run()
  }

  stop(): void {
    this.#pending?.stop()
    this.#overtaken = this.#pending?.rseq ?? this.#overtaken
    this.#pending = undefined
    this.#waiting = []
    this.#afterSdp = undefined
  }
}
