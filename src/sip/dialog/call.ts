// A call as seen by the layers above SIP. Offers and answers are SDP texts. Types only.
import type { HeaderList } from '../message/headers.ts'
import type { Flow, SipRequest, SipResponse } from '../message/message.ts'
import type { Refusal } from '../transport/resolver.ts'

export type Credentials = { username: string; password: string; realm?: string }

/** Why a call ended. `status` is the SIP status code, if there was one. */
export type CallEnding = {
  by: 'remote' | 'local' | 'system'
  /** refused: a final response of 300 to 699. unreachable: no answer at all from the peer. lost: no ACK, or a session timer ran out. */
  why: 'bye' | 'refused' | 'canceled' | 'ring-timeout' | 'unreachable' | 'lost' | 'replaced'
  status?: number
  /** As the peer put it: reason phrase, Reason or Warning header. */
  detail?: string
}

export type OfferAnswer = { sdp: string } | { refuse: number; reason?: string }

/** A Q.850 cause, for a Reason header. */
export type Cause = { code: number; text: string }

/** Callbacks of a call. Never called after onEnd. */
export type CallHandlers = {
  /** A provisional response except 100; `sdp` when there is early media. Outbound only. */
  onRinging?(status: number, sdp: string | null): void
  /** Outbound: the answer's SDP. Inbound: the ACK arrived; `sdp` only when it answers our offer. */
  onAnswered?(sdp: string | null): void
  /** A re-INVITE or UPDATE with an offer (hold, resume, another codec or address). Null: a re-INVITE without one, to answer with our offer. */
  onOffer?(sdp: string | null): OfferAnswer | Promise<OfferAnswer>
  /** The answer to our offer in the response to an empty re-INVITE. */
  onLateAnswer?(sdp: string): void
  /** Digits by SIP INFO (application/dtmf-relay or application/dtmf). */
  onDigit?(digit: string, durationMs: number): void
  /** The peer transfers us (REFER). True when accepted; `progress` then reports on the new call. */
  onRefer?(to: string, progress: (status: number, reason: string) => void): boolean
  onEnd(ending: CallEnding): void
}

export interface SipCall {
  readonly callId: string
  readonly direction: 'inbound' | 'outbound'
  readonly state: 'ringing' | 'established' | 'ended'
  /** Source address of the peer's signaling; null before its first message. */
  readonly peerAddress: string | null
  /** Hangs up, cancels or refuses, depending on the state. `cause` becomes a Reason header. */
  hangUp(cause?: Cause): void
  /** Sends our own offer in a re-INVITE; resolves with the answer. Waits and repeats on 491. */
  reoffer(sdp: string): Promise<OfferAnswer>
  sendDigitByInfo(digit: string, durationMs: number): Promise<boolean>
  /** Blind transfer: resolves with the last status the peer reported, the status of its refusal, or 408. */
  refer(to: string, timeoutMs: number): Promise<{ status: number; reason: string }>
}

export interface InboundCall extends SipCall {
  readonly invite: SipRequest
  readonly flow: Flow
  /** The offer, or null when the INVITE had none (then `answer` carries our offer). */
  readonly offer: string | null
  /** Sends 180, or 183 with early media; reliably (PRACK) if the caller requires it. May be called again. */
  ring(sdp?: string): void
  answer(sdp: string): void
  /** Also 3xx with a `contact` header. */
  refuse(status: number, reason?: string, headers?: Readonly<Record<string, string>> | HeaderList): void
  /** Drops the INVITE without a response (scanners). Only within 200 ms, before the 100 is sent. */
  ignore(): void
  /** Sets the owner. False: its Replaces names another owner's call, so it must be refused. */
  claim(owner: string): boolean
  handle(handlers: CallHandlers): void
}

/** Common to calls and other requests outside a dialog. */
type NewRequest = {
  /** Request-URI. */
  uri: string
  /** name-addr of From and To. */
  from: string
  to: string
  /** Where to send it; without one, the uri is resolved (RFC 3263), failing over to the next target. */
  route?: string
  /** Send it over this flow instead: the one a phone registered on. */
  flow?: Flow
  /** Send it through these proxies instead: the Path of a registration (RFC 3327). */
  path?: readonly string[]
  credentials?: Credentials
  headers?: Readonly<Record<string, string>>
  /** User part of our Contact. */
  contactUser?: string
  /** Why a target must not be contacted, now or later in the dialog. */
  refusal?: Refusal
}

export type OutboundCall = NewRequest & {
  sdp: string
  /** How long it may ring, and how long to wait for any response before failing over. */
  ringTimeoutMs: number
  firstResponseTimeoutMs?: number
  /** Ask for session timers (RFC 4028). */
  sessionTimers?: boolean
  /** Why a target that accepts the call without challenging it must not have it. */
  unchallengedRefusal?: Refusal
  /** Whether a 3xx may redirect the call to this address. Default: never. */
  mayFollow?: (uri: string) => Promise<boolean>
  /** Owner of the call: only a call of the same owner may replace it. */
  owner?: string
}

export type OutOfDialogRequest = NewRequest & {
  method: string
  body?: { type: string; content: string }
  /** The same for every REGISTER of one registration, with an increasing CSeq. */
  callId?: string
  cseq?: number
  timeoutMs?: number
}

/** `failure`: no final response arrived. */
export type RequestOutcome =
  | { response: SipResponse; flow: Flow }
  | { failure: 'timeout' | 'transport' | 'unresolved'; detail: string }

export interface UserAgent {
  invite(call: OutboundCall, handlers: CallHandlers): SipCall
  /** A request outside any dialog (REGISTER, OPTIONS, MESSAGE); answers challenges. */
  request(request: OutOfDialogRequest, signal?: AbortSignal): Promise<RequestOutcome>
  /** Current calls. */
  readonly calls: number
  close(): Promise<void>
}
