// The SIP stack: transports and transactions under one roof. Types first; what stands on it sees requests, responses and their ends.
import type { Flow, Hop, SipMessage, SipRequest, SipResponse, TransportName } from './message.ts'

export type Listener = { transport: TransportName; host: string; port: number }

/** RFC 3261 table 4, in milliseconds. Tests make them short. */
export type SipTimers = { t1: number; t2: number; t4: number }

export type StackOptions = {
  listeners: readonly Listener[]
  /** PEM texts; needed when there is a TLS listener. */
  tls?: { cert: string; key: string }
  /** Extra authorities for our TLS client, and whether it accepts anybody (for a trunk with a self-signed certificate). */
  tlsClient?: { ca?: string; rejectUnauthorized?: boolean }
  /** The name or address that Via and Contact tell, when it is not the socket's own. */
  publicAddress?: string
  timers?: Partial<SipTimers>
  /** Asked before a message is parsed: false drops it in silence. */
  admit?: (flow: Flow) => boolean
  /** Told when bytes could not be read as SIP (for counting scanners). */
  onGarbage?: (flow: Flow, problem: string) => void
  /** Sees every message that comes and goes. Must not throw. */
  trace?: (event: TraceEvent) => void
  /** A request that belongs to no transaction. An ACK for a 2xx comes this way too (its transaction takes no response). */
  onRequest: (transaction: ServerTransaction) => void
  /** A 2xx to an INVITE whose transaction is gone (a late fork, a retransmission after its end). */
  onStrayResponse?: (response: SipResponse, flow: Flow) => void
}

export type TraceEvent = { direction: 'in' | 'out'; flow: Flow; message: SipMessage; retransmitted: boolean }

export interface ServerTransaction {
  readonly request: SipRequest
  readonly flow: Flow
  /** Sends a response and sees to its retransmission; after a final one, others are ignored. 2xx to INVITE: the caller of this repeats them until the ACK. */
  respond(response: SipResponse): void
  /** Told once when a CANCEL for this INVITE arrived (the stack has answered the CANCEL itself) and no final response had been sent. */
  onCancel(told: (cancel: SipRequest) => void): void
  /** Told once when the transaction is over, or at once if it is. `failed`: no ACK came for a final response of 300 to 699 (timer H), or the transport failed. */
  onEnd(told: (why: 'done' | 'failed') => void): void
}

export type ClientHandlers = {
  /** Provisional and final responses. To an INVITE, every 2xx (also repeated ones: each wants an ACK). */
  onResponse(response: SipResponse, flow: Flow): void
  /** No final response will come: timer B or F ran out, or the transport failed. */
  onFailure(why: 'timeout' | 'transport', detail: string): void
}

export interface ClientTransaction {
  /** As sent, with its Via. */
  readonly request: SipRequest
  /** INVITE only: sends CANCEL, as soon as a provisional response has come (RFC 3261 section 9.1). */
  cancel(reason?: string): void
  /** Stops caring: no handler is called any more. */
  abandon(): void
}

export interface SipStack {
  /** Adds the Via and sends. The ACK to a non-2xx final response is the stack's own work. */
  request(request: SipRequest, to: Hop | Flow, handlers: ClientHandlers): ClientTransaction
  /** Without a transaction: the ACK to a 2xx. Adds the Via. */
  send(request: SipRequest, to: Hop | Flow): void
  /** Where the far side would reach us by this way: for Contact (host is publicAddress where given). */
  contactOf(to: Hop | Flow): { host: string; port: number; transport: TransportName }
  /** Ports really bound, in the order of the listeners (a test asks for port 0). */
  readonly listeners: readonly Listener[]
  /** Transactions alive now: nothing may leak. */
  readonly transactions: number
  close(): Promise<void>
}
