// Server transactions: an incoming request until its final response is acknowledged or timed out (RFC 3261 section 17.2, RFC 6026).
import type { Flow, SipRequest, SipResponse } from '../message/message.ts'
import { patienceMs, Retransmitter, type SipTimers } from './timers.ts'

export interface ServerTransaction {
  readonly request: SipRequest
  readonly flow: Flow
  /** Sends a response and retransmits it; after a final one, others are ignored. The caller retransmits a 2xx to INVITE until its ACK. */
  respond(response: SipResponse): void
  /** Drops the request without any response, not even 100 (scanners). Within 200 ms of the request, or the 100 has gone out. */
  drop(): void
  /** Called once when a CANCEL for this INVITE arrives before a final response was sent. The stack answers the CANCEL itself. */
  onCancel(listener: (cancel: SipRequest) => void): void
  /** Called once when the transaction ends, at once if it has. `failed`: no ACK for a final response of 300 to 699 (timer H), or the transport failed. */
  onEnd(listener: (why: 'done' | 'failed') => void): void
}

/** The stack, as a server transaction uses it. */
export type ServerPort = {
  readonly timers: SipTimers
  readonly isReliable: boolean
  transmit(response: SipResponse, isRepeated: boolean): void
  /** A 100 for the request. */
  trying(): SipResponse
  /** Calls the layer above and contains its exceptions. */
  call(above: () => void): void
  ended(): void
}

export type ServerMachine = InviteServer | NonInviteServer

type End = 'done' | 'failed'

/** Common to both kinds: the request, one timer, one end. */
abstract class Server {
  readonly request: SipRequest
  readonly flow: Flow
  protected readonly port: ServerPort
  /** Only one runs at a time. For an INVITE: the delay of the 100, H, I or L; otherwise J, or the limit on how long a response may take. */
  protected timer: NodeJS.Timeout | undefined
  #why: End | undefined
  readonly #listeners: ((why: End) => void)[] = []

  constructor(request: SipRequest, flow: Flow, port: ServerPort) {
    this.request = request
    this.flow = flow
    this.port = port
  }

  protected get isOver(): boolean {
    return this.#why !== undefined
  }

  onEnd(listener: (why: End) => void): void {
    if (this.#why) listener(this.#why)
    else this.#listeners.push(listener)
  }

  drop(): void {
    this.end('done')
  }

  close(): void {
    this.end('failed')
  }

  protected endAfter(ms: number, why: End): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.end(why), ms)
  }

  protected end(why: End): void {
    if (this.isOver) return
    clearTimeout(this.timer)
    this.port.ended()
    this.#why = why
    for (const listener of this.#listeners.splice(0)) this.port.call(() => listener(why))
  }
}

export class InviteServer extends Server implements ServerTransaction {
  readonly #timerG = new Retransmitter()
  #state: 'proceeding' | 'completed' | 'confirmed' | 'accepted' = 'proceeding'
  /** Sent again when the INVITE is retransmitted. Dropped once accepted: nothing needs it for those 32 s. */
  #answer: SipResponse | undefined
  /** To header of the last response. */
  answeredTo: string | undefined
  #cancel: SipRequest | undefined
  #onCancel: ((cancel: SipRequest) => void) | undefined

  constructor(request: SipRequest, flow: Flow, port: ServerPort) {
    super(request, flow, port)
    // RFC 3261 section 17.2.1: 100 unless a response comes within 200 ms. A fraction of T1, so that tests can shorten it.
    this.timer = setTimeout(() => this.respond(port.trying()), 0.4 * port.timers.t1)
  }

  respond(response: SipResponse): void {
    if (this.isOver) return
    const { status } = response
    const { timers, isReliable } = this.port
    if (this.#state === 'accepted' && status >= 200 && status < 300) this.port.transmit(response, true)
    if (this.#state !== 'proceeding') return
    this.#answer = response
    this.answeredTo = response.headers.get('to')
    clearTimeout(this.timer)
    this.port.transmit(response, false)
    if (status >= 300) {
      this.#state = 'completed'
      this.endAfter(patienceMs(timers), 'failed') // H
      if (!isReliable) this.#timerG.start(timers.t1, timers.t2, () => this.port.transmit(response, true))
    } else if (status >= 200) {
      this.#state = 'accepted'
      this.#answer = undefined
      this.endAfter(patienceMs(timers), 'done') // L (RFC 6026 section 7.1)
    }
  }

  /** The request was retransmitted. In Accepted it is absorbed: the dialog retransmits its 2xx (RFC 6026 section 7.1). */
  again(): void {
    if (this.#answer && this.#state !== 'confirmed') this.port.transmit(this.#answer, true)
  }

  /** True when the ACK is for the layer above: it acknowledges a 2xx under the INVITE's own branch. */
  acknowledge(): boolean {
    if (this.#state === 'completed') {
      const { timers, isReliable } = this.port
      this.#state = 'confirmed'
      this.#timerG.stop()
      this.endAfter(isReliable ? 0 : timers.t4, 'done') // I
    }
    return this.#state === 'accepted'
  }

  /** RFC 3261 section 9.2: no effect after a final response. */
  canceled(cancel: SipRequest): void {
    if (this.#cancel || this.#state !== 'proceeding' || this.isOver) return
    this.#cancel = cancel
    const listener = this.#onCancel
    if (listener) this.port.call(() => listener(cancel))
  }

  onCancel(listener: (cancel: SipRequest) => void): void {
    this.#onCancel = listener
    if (this.#cancel && this.#state === 'proceeding') listener(this.#cancel)
  }

  /** The response could not be sent. A lost 2xx is the dialog's concern, and a lost provisional response is harmless. */
  lose(): void {
    if (this.#state === 'completed') this.end('failed')
  }

  protected override end(why: End): void {
    this.#timerG.stop()
    super.end(why)
  }
}

/** Any request but INVITE and ACK. */
export class NonInviteServer extends Server implements ServerTransaction {
  #answer: SipResponse | undefined

  constructor(request: SipRequest, flow: Flow, port: ServerPort) {
    super(request, flow, port)
    // The peer's timer F expires by then: a later response would reach nobody.
    this.endAfter(patienceMs(port.timers), 'failed')
  }

  respond(response: SipResponse): void {
    if (this.isOver || (this.#answer && this.#answer.status >= 200)) return
    this.#answer = response
    const { timers, isReliable } = this.port
    if (response.status >= 200) this.endAfter(isReliable ? 0 : patienceMs(timers), 'done') // J
    this.port.transmit(response, false)
  }

  again(): void {
    if (this.#answer) this.port.transmit(this.#answer, true)
  }

  onCancel(): void {}

  lose(): void {
    if (this.#answer && this.#answer.status >= 200) this.end('failed')
  }
}

/** Passes an ACK for a 2xx to the layer above. */
export const ackTransaction = (request: SipRequest, flow: Flow): ServerTransaction => ({
  request,
  flow,
  respond() {},
  drop() {},
  onCancel() {},
  onEnd: (listener) => listener('done'),
})
