// Server transactions: an incoming request until its response is known to have arrived (RFC 3261 section 17.2, RFC 6026).
import type { Flow, SipRequest, SipResponse } from '../message/message.ts'
import { patienceMs, Retransmitter, type SipTimers } from './timers.ts'

export interface ServerTransaction {
  readonly request: SipRequest
  readonly flow: Flow
  /** Sends a response and sees to its retransmission; after a final one, others are ignored. 2xx to INVITE: the caller of this repeats them until the ACK. */
  respond(response: SipResponse): void
  /** Drops the request without any response, not even 100 (scanners). Within 200 ms of the request, or the 100 has gone out. */
  drop(): void
  /** Called once when a CANCEL for this INVITE arrived (the stack has answered the CANCEL itself) and no final response had been sent. */
  onCancel(told: (cancel: SipRequest) => void): void
  /** Called once when the transaction is over, or at once if it is. `failed`: no ACK came for a final response of 300 to 699 (timer H), or the transport failed. */
  onEnd(told: (why: 'done' | 'failed') => void): void
}

/** What a server transaction asks of the stack. */
export type ServerPort = {
  readonly timers: SipTimers
  readonly isReliable: boolean
  transmit(response: SipResponse, isRepeated: boolean): void
  /** A 100 for the request. */
  trying(): SipResponse
  /** Calls the layer above and contains what it throws. */
  call(above: () => void): void
  ended(): void
}

/** What the stack tells a server transaction. */
export interface ServerMachine extends ServerTransaction {
  /** What the last response had in its To, if there was one. */
  readonly answeredTo: string | undefined
  /** The same request came again. */
  again(): void
  /** The response could not be sent. */
  lose(): void
  close(): void
}

/** The end of a transaction and its listeners. */
class Ending {
  #why: 'done' | 'failed' | undefined
  readonly #told: ((why: 'done' | 'failed') => void)[] = []
  readonly #call: ServerPort['call']

  constructor(call: ServerPort['call']) {
    this.#call = call
  }

  get isOver(): boolean {
    return this.#why !== undefined
  }

  tell(told: (why: 'done' | 'failed') => void): void {
    if (this.#why) told(this.#why)
    else this.#told.push(told)
  }

  come(why: 'done' | 'failed'): void {
    this.#why = why
    for (const told of this.#told.splice(0)) this.#call(() => told(why))
  }
}

export class InviteServer implements ServerMachine {
  readonly request: SipRequest
  readonly flow: Flow
  readonly #port: ServerPort
  readonly #ending: Ending
  readonly #timerG = new Retransmitter()
  #state: 'proceeding' | 'completed' | 'confirmed' | 'accepted' = 'proceeding'
  /** What is sent when the INVITE comes again. Not kept once accepted: then it would be held for 32 s for nothing. */
  #answer: SipResponse | undefined
  #answeredTo: string | undefined
  /** Whichever of the 100's delay, H, I and L is running: never two at once. */
  #timer: NodeJS.Timeout | undefined
  #cancel: SipRequest | undefined
  #onCancel: ((cancel: SipRequest) => void) | undefined

  constructor(request: SipRequest, flow: Flow, port: ServerPort) {
    this.request = request
    this.flow = flow
    this.#port = port
    this.#ending = new Ending(port.call)
    // RFC 3261 section 17.2.1: 100 unless a response comes within 200 ms. In parts of T1, so that it is short in tests too.
    this.#timer = setTimeout(() => this.respond(port.trying()), 0.4 * port.timers.t1)
  }

  get answeredTo(): string | undefined {
    return this.#answeredTo
  }

  respond(response: SipResponse): void {
    if (this.#ending.isOver) return
    const { status } = response
    const { timers, isReliable } = this.#port
    if (this.#state === 'accepted' && status >= 200 && status < 300) this.#port.transmit(response, true)
    if (this.#state !== 'proceeding') return
    this.#answer = response
    this.#answeredTo = response.headers.get('to')
    clearTimeout(this.#timer)
    this.#port.transmit(response, false)
    if (status >= 300) {
      this.#state = 'completed'
      this.#timer = setTimeout(() => this.#end('failed'), patienceMs(timers)) // H
      if (!isReliable) this.#timerG.start(timers.t1, timers.t2, () => this.#port.transmit(response, true))
    } else if (status >= 200) {
      this.#state = 'accepted'
      this.#answer = undefined
      this.#timer = setTimeout(() => this.#end('done'), patienceMs(timers)) // L (RFC 6026 section 7.1)
    }
  }

  again(): void {
    // In Accepted it is absorbed: the 2xx is repeated by whoever gave it (RFC 6026 section 7.1).
    if (this.#answer && this.#state !== 'confirmed') this.#port.transmit(this.#answer, true)
  }

  /** True when the ACK is for the layer above: it acknowledges a 2xx under the INVITE's own branch. */
  acknowledge(): boolean {
    if (this.#state === 'completed') {
      const { timers, isReliable } = this.#port
      this.#state = 'confirmed'
      this.#timerG.stop()
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#end('done'), isReliable ? 0 : timers.t4) // I
    }
    return this.#state === 'accepted'
  }

  /** RFC 3261 section 9.2: no effect once a final response was given. */
  canceled(cancel: SipRequest): void {
    if (this.#cancel || this.#state !== 'proceeding' || this.#ending.isOver) return
    this.#cancel = cancel
    const told = this.#onCancel
    if (told) this.#port.call(() => told(cancel))
  }

  onCancel(told: (cancel: SipRequest) => void): void {
    this.#onCancel = told
    if (this.#cancel && this.#state === 'proceeding') told(this.#cancel)
  }

  onEnd(told: (why: 'done' | 'failed') => void): void {
    this.#ending.tell(told)
  }

  drop(): void {
    this.#end('done')
  }

  lose(): void {
    // A lost 2xx is repeated from above, and its dialog is given up there; a lost provisional harms nobody.
    if (this.#state === 'completed') this.#end('failed')
  }

  close(): void {
    this.#end('failed')
  }

  #end(why: 'done' | 'failed'): void {
    if (this.#ending.isOver) return
    this.#timerG.stop()
    clearTimeout(this.#timer)
    this.#port.ended()
    this.#ending.come(why)
  }
}

/** Any request but INVITE and ACK. */
export class NonInviteServer implements ServerMachine {
  readonly request: SipRequest
  readonly flow: Flow
  readonly #port: ServerPort
  readonly #ending: Ending
  #answer: SipResponse | undefined
  /** J, or the bound on how long an answer may take. */
  #timer: NodeJS.Timeout

  constructor(request: SipRequest, flow: Flow, port: ServerPort) {
    this.request = request
    this.flow = flow
    this.#port = port
    this.#ending = new Ending(port.call)
    // The peer's timer F has run out by then: an answer would reach nobody, so waiting longer would only leak.
    this.#timer = setTimeout(() => this.#end('failed'), patienceMs(port.timers))
  }

  get answeredTo(): string | undefined {
    return this.#answer?.headers.get('to')
  }

  respond(response: SipResponse): void {
    if (this.#ending.isOver || (this.#answer && this.#answer.status >= 200)) return
    this.#answer = response
    if (response.status >= 200) {
      clearTimeout(this.#timer)
      const { timers, isReliable } = this.#port
      this.#timer = setTimeout(() => this.#end('done'), isReliable ? 0 : patienceMs(timers)) // J
    }
    this.#port.transmit(response, false)
  }

  again(): void {
    if (this.#answer) this.#port.transmit(this.#answer, true)
  }

  onCancel(): void {}

  onEnd(told: (why: 'done' | 'failed') => void): void {
    this.#ending.tell(told)
  }

  drop(): void {
    this.#end('done')
  }

  lose(): void {
    if (this.#answer && this.#answer.status >= 200) this.#end('failed')
  }

  close(): void {
    this.#end('failed')
  }

  #end(why: 'done' | 'failed'): void {
    if (this.#ending.isOver) return
    clearTimeout(this.#timer)
    this.#port.ended()
    this.#ending.come(why)
  }
}

/** What carries an ACK for a 2xx to the layer above: there is nothing to answer and nothing to wait for. */
export const ackTransaction = (request: SipRequest, flow: Flow): ServerTransaction => ({
  request,
  flow,
  respond() {},
  drop() {},
  onCancel() {},
  onEnd: (told) => told('done'),
})
