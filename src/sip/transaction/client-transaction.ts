// Client transactions: a request until its final response (RFC 3261 section 17.1, with RFC 6026's Accepted state).
import { Headers } from '../message/headers.ts'
import type { Flow, SipRequest, SipResponse } from '../message/message.ts'
import { patienceMs, Retransmitter, type SipTimers } from './timers.ts'

export type ClientHandlers = {
  /** Provisional and final responses. To an INVITE, every 2xx, including retransmissions: each needs an ACK. */
  onResponse(response: SipResponse, flow: Flow): void
  /** No final response will come: timer B or F expired, or the transport failed. */
  onFailure(why: 'timeout' | 'transport', detail: string): void
}

export interface ClientTransaction {
  /** As sent, with its Via. */
  readonly request: SipRequest
  /** INVITE only: sends CANCEL once a provisional response has arrived (RFC 3261 section 9.1). */
  cancel(reason?: string): void
  /** Detaches: no handler is called after this. */
  abandon(): void
}

/** The stack, as a client transaction uses it. */
export type ClientPort = {
  readonly timers: SipTimers
  /** TCP and TLS are reliable: timers A, D, E and K are zero or absent. */
  readonly isReliable: boolean
  transmit(request: SipRequest, isRepeated: boolean): void
  /** Begins the CANCEL's own transaction. */
  cancel(cancel: SipRequest): void
  /** A 2xx without a waiting handler. */
  stray(response: SipResponse, flow: Flow): void
  ended(): void
}

export type ClientMachine = InviteClient | NonInviteClient

const ignored = () => {}
export const noHandlers: ClientHandlers = { onResponse: ignored, onFailure: ignored }

/** Common to both kinds: one retransmitted request, one timer, one end. */
abstract class Client<State extends string> {
  readonly request: SipRequest
  protected readonly port: ClientPort
  /** Timer A or E. */
  protected readonly repeats = new Retransmitter()
  /** B, D, M or the wait after CANCEL; F or K. Only one runs at a time. */
  protected timer: NodeJS.Timeout | undefined
  protected handlers: ClientHandlers
  protected state: State | 'completed' | 'ended'

  constructor(request: SipRequest, handlers: ClientHandlers, port: ClientPort, first: State) {
    this.request = request
    this.handlers = handlers
    this.port = port
    this.state = first
  }

  protected abstract get isOpen(): boolean

  close(): void {
    if (this.isOpen) this.fail('transport', 'the stack was closed')
    else this.end()
  }

  protected endAfter(ms: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.end(), ms)
  }

  protected fail(why: 'timeout' | 'transport', detail: string): void {
    this.end()
    this.handlers.onFailure(why, detail)
  }

  protected end(): void {
    if (this.state === 'ended') return
    this.state = 'ended'
    this.repeats.stop()
    clearTimeout(this.timer)
    this.port.ended()
  }
}

export class InviteClient extends Client<'calling' | 'proceeding' | 'accepted'> implements ClientTransaction {
  #ack: SipRequest | undefined
  #cancel: SipRequest | undefined
  #isCancelSent = false
  #isAbandoned = false

  constructor(request: SipRequest, handlers: ClientHandlers, port: ClientPort) {
    super(request, handlers, port, 'calling')
  }

  start(): void {
    const { timers, isReliable } = this.port
    this.port.transmit(this.request, false)
    this.timer = setTimeout(() => this.fail('timeout', 'no answer to INVITE'), patienceMs(timers)) // B
    if (!isReliable) this.repeats.start(timers.t1, Infinity, () => this.port.transmit(this.request, true))
  }

  protected get isOpen(): boolean {
    return this.state === 'calling' || this.state === 'proceeding'
  }

  /** The response is a retransmission. */
  knows({ status }: SipResponse): boolean {
    if (status >= 200 && status < 300) return this.state === 'accepted'
    return !this.isOpen
  }

  receive(response: SipResponse, flow: Flow): void {
    if (response.status < 200) this.#provisional(response, flow)
    else if (response.status < 300) this.#success(response, flow)
    else this.#refusal(response, flow)
  }

  #provisional(response: SipResponse, flow: Flow): void {
    if (!this.isOpen) return
    if (this.state === 'calling') {
      this.state = 'proceeding'
      this.repeats.stop()
      if (!this.#isAbandoned) clearTimeout(this.timer)
      this.#sendCancel()
    }
    this.handlers.onResponse(response, flow)
  }

  #success(response: SipResponse, flow: Flow): void {
    if (this.isOpen) this.#last('accepted', patienceMs(this.port.timers)) // timer M (RFC 6026 section 7.2)
    if (this.state === 'accepted' && !this.#isAbandoned) this.handlers.onResponse(response, flow)
    // A proxy forwards the 2xx of every fork, even after another fork's refusal (RFC 3261 section 16.7).
    else this.port.stray(response, flow)
  }

  #refusal(response: SipResponse, flow: Flow): void {
    if (this.state === 'completed' && this.#ack) this.port.transmit(this.#ack, true)
    if (!this.isOpen) return
    const { timers, isReliable } = this.port
    this.#ack = ackOf(this.request, response)
    this.#last('completed', isReliable ? 0 : patienceMs(timers)) // timer D
    this.port.transmit(this.#ack, false)
    this.handlers.onResponse(response, flow)
  }

  cancel(reason?: string): void {
    if (this.#cancel || !this.isOpen) return
    this.#cancel = cancelOf(this.request, reason)
    if (this.state === 'proceeding') this.#sendCancel()
  }

  #sendCancel(): void {
    if (!this.#cancel || this.#isCancelSent) return
    this.#isCancelSent = true
    // RFC 3261 section 9.1: a peer that does not support CANCEL may never send the 487.
    clearTimeout(this.timer)
    const late = () => this.fail('timeout', 'no final response after CANCEL')
    this.timer = setTimeout(late, patienceMs(this.port.timers))
    this.port.cancel(this.#cancel)
  }

  /** The transaction lives on for a while, to acknowledge a late refusal and to pass on a late 2xx. */
  abandon(): void {
    if (this.#isAbandoned) return
    this.#isAbandoned = true
    this.handlers = noHandlers
    this.repeats.stop()
    if (!this.isOpen) return
    this.endAfter(patienceMs(this.port.timers))
  }

  /** The request could not be sent, or its connection is gone. */
  lose(detail: string): void {
    // Once it rings, the peer may open a connection of its own for further responses (RFC 3261 section 18.2.2).
    if (this.state === 'calling') this.fail('transport', detail)
  }

  #last(state: 'completed' | 'accepted', ms: number): void {
    this.state = state
    this.repeats.stop()
    this.endAfter(ms)
  }
}

/** Any request but INVITE and ACK. */
export class NonInviteClient extends Client<'trying' | 'proceeding'> implements ClientTransaction {
  constructor(request: SipRequest, handlers: ClientHandlers, port: ClientPort) {
    super(request, handlers, port, 'trying')
  }

  start(): void {
    const { timers, isReliable } = this.port
    const late = () => this.fail('timeout', `no answer to ${this.request.method}`)
    this.port.transmit(this.request, false)
    this.timer = setTimeout(late, patienceMs(timers)) // F
    if (!isReliable) this.repeats.start(timers.t1, timers.t2, () => this.port.transmit(this.request, true))
  }

  protected get isOpen(): boolean {
    return this.state === 'trying' || this.state === 'proceeding'
  }

  knows(): boolean {
    return !this.isOpen
  }

  receive(response: SipResponse, flow: Flow): void {
    if (!this.isOpen) return
    const { timers, isReliable } = this.port
    if (response.status < 200) {
      this.state = 'proceeding'
      this.repeats.slowDown(timers.t2)
    } else {
      this.state = 'completed'
      this.repeats.stop()
      this.endAfter(isReliable ? 0 : timers.t4) // K
    }
    this.handlers.onResponse(response, flow)
  }

  cancel(): void {} // RFC 3261 section 9.1: only an INVITE is canceled

  abandon(): void {
    this.handlers = noHandlers
    this.end()
  }

  lose(detail: string): void {
    if (this.state === 'trying') this.fail('transport', detail)
  }
}

/** RFC 3261 section 17.1.1.3: all headers are those of the INVITE, except To, which is that of the response. */
const ackOf = (invite: SipRequest, { headers }: SipResponse): SipRequest =>
  follower(invite, 'ACK', headers.get('to') ?? invite.headers.get('to') ?? '')

/** RFC 3261 section 9.1, with the Reason of RFC 3326. */
function cancelOf(invite: SipRequest, reason: string | undefined): SipRequest {
  const cancel = follower(invite, 'CANCEL', invite.headers.get('to') ?? '')
  if (reason !== undefined) cancel.headers.add('reason', reason)
  return cancel
}

function follower(invite: SipRequest, method: 'ACK' | 'CANCEL', to: string): SipRequest {
  const { headers: of } = invite
  const headers = new Headers()
    .add('via', of.get('via') ?? '')
    .add('route', ...of.all('route'))
    .add('max-forwards', '70')
    .add('from', of.get('from') ?? '')
    .add('to', to)
    .add('call-id', of.get('call-id') ?? '')
    .add('cseq', `${Number.parseInt(of.get('cseq') ?? '', 10)} ${method}`)
  return { kind: 'request', method, uri: invite.uri, headers, body: Buffer.alloc(0) }
}
