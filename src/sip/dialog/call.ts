// A call as those above SIP see it: offers and answers are texts of SDP, everything else has a name. Types only.
import type { HeaderList } from '../message/headers.ts'
import type { Flow, SipRequest, SipResponse } from '../message/message.ts'
import type { Refusal } from '../transport/resolver.ts'

export type Credentials = { username: string; password: string; realm?: string }

/** Why a call is over. `status` is the SIP code where one said it. */
export type CallEnding = {
  by: 'remote' | 'local' | 'system'
  /** refused: a final response of 300 to 699. unreachable: no answer at all from the far side. lost: no ACK, or a session timer ran out. */
  why: 'bye' | 'refused' | 'canceled' | 'ring-timeout' | 'unreachable' | 'lost' | 'replaced'
  status?: number
  /** The far side's words: reason phrase, Reason or Warning header. */
  detail?: string
}

export type OfferAnswer = { sdp: string } | { refuse: number; reason?: string }

/** What a call tells. Never called again after onEnd. */
export type CallHandlers = {
  /** 180 or 183; `sdp` when there is early media. Not for the 100. Outbound only. */
  onRinging?(status: number, sdp: string | null): void
  /** Outbound: the answer's SDP (the offer was ours). Inbound: the ACK came (`sdp` only when it answered an offer of ours). */
  onAnswered?(sdp: string | null): void
  /** A re-INVITE or UPDATE that offers (hold, resume, another codec or address). An empty re-INVITE asks with sdp null: answer with our offer. */
  onOffer?(sdp: string | null): OfferAnswer | Promise<OfferAnswer>
  /** The answer to an offer that we gave in answer to an empty re-INVITE. */
  onLateAnswer?(sdp: string): void
  /** Digits by SIP INFO (application/dtmf-relay or application/dtmf). */
  onDigit?(digit: string, durationMs: number): void
  /** The far side asks us to call somebody else (REFER). True when it is taken up; the call then reports by `progress`. */
  onRefer?(to: string, progress: (status: number, reason: string) => void): boolean
  onEnd(ending: CallEnding): void
}

export interface SipCall {
  readonly callId: string
  readonly direction: 'inbound' | 'outbound'
  readonly state: 'ringing' | 'established' | 'ended'
  /** The IP address that the far side's signalling comes from; null before it has said anything. */
  readonly peerAddress: string | null
  /** Hangs up, cancels or refuses, whichever fits the state. `cause` becomes a Reason header. */
  hangUp(cause?: { code: number; text: string }): void
  /** Sends our own offer in a re-INVITE; resolves with the answer. Waits and repeats on 491. */
  reoffer(sdp: string): Promise<OfferAnswer>
  sendDigitByInfo(digit: string, durationMs: number): Promise<boolean>
  /** Blind transfer: resolves with the last status that the far side reported (or the refusal's code; 408 when it never said). */
  refer(to: string, timeoutMs: number): Promise<{ status: number; reason: string }>
}

export interface InboundCall extends SipCall {
  readonly invite: SipRequest
  readonly flow: Flow
  /** The offer, or null when the INVITE had none (then `answer` carries our offer). */
  readonly offer: string | null
  /** Sends 180, or 183 with early media; again as often as wished. Reliably (PRACK) when the caller requires it. */
  ring(sdp?: string): void
  answer(sdp: string): void
  /** Also 3xx with a `contact` header. */
  refuse(status: number, reason?: string, headers?: Readonly<Record<string, string>> | HeaderList): void
  /** No response at all: what a scanner deserves. In time only: after 200 ms a 100 has gone out. */
  ignore(): void
  /** Says whose call it is. False: its Replaces names a call of somebody else, and it must be refused. */
  claim(owner: string): boolean
  handle(handlers: CallHandlers): void
}

export type OutboundCall = {
  /** Request-URI. */
  uri: string
  /** name-addr of From and To. */
  from: string
  to: string
  sdp: string
  /** Where to send; when absent, resolved from `route` or the uri (RFC 3263), trying the next place when one is dead. */
  route?: string
  /** Send it by this way instead: the one by which a phone registered. */
  flow?: Flow
  credentials?: Credentials
  headers?: Readonly<Record<string, string>>
  /** How long it may ring, and how long we wait for any sign of life before the next place is tried. */
  ringTimeoutMs: number
  firstResponseTimeoutMs?: number
  /** Ask for session timers (RFC 4028). */
  sessionTimers?: boolean
  /** User part of our Contact. */
  contactUser?: string
  /** Why a place must not be sent to, neither now nor later in the call. */
  refusal?: Refusal
  /** Whether a 3xx may lead the call to this address. Without it none does. */
  mayFollow?: (uri: string) => Promise<boolean>
  /** Whose call it is: only a call of the same owner may take its place (Replaces). */
  owner?: string
}

export type OutsideRequest = {
  method: string
  uri: string
  from: string
  to: string
  route?: string
  /** Send it by this way instead: the one by which a phone registered. */
  flow?: Flow
  credentials?: Credentials
  headers?: Readonly<Record<string, string>>
  body?: { type: string; content: string }
  /** The same for every REGISTER of one registration, with a rising CSeq. */
  callId?: string
  cseq?: number
  contactUser?: string
  timeoutMs?: number
  /** Why a place must not be sent to. */
  refusal?: Refusal
}

/** `failure` when no final response came. `hop` says to whom it was sent last. */
export type RequestOutcome =
  | { response: SipResponse; flow: Flow }
  | { failure: 'timeout' | 'transport' | 'unresolved'; detail: string }

export interface UserAgent {
  invite(call: OutboundCall, handlers: CallHandlers): SipCall
  /** A request outside any dialog (REGISTER, OPTIONS, MESSAGE); answers one challenge by itself. */
  request(request: OutsideRequest, signal?: AbortSignal): Promise<RequestOutcome>
  /** Calls alive now. */
  readonly calls: number
  close(): Promise<void>
}
