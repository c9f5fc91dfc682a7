// An inbound call (UAS): ringing, answered, refused or canceled, then the session.
import {
  type AgentContext,
  capabilities,
  contactFor,
  type DialogEnd,
  type ReplyParts,
  replyTo,
} from '../agent-context.ts'
import { newNonceCounters } from '../auth/digest.ts'
import { newTag } from '../message/build.ts'
import type { HeaderList } from '../message/headers.ts'
import type { Flow, SipRequest } from '../message/message.ts'
import { parseUri } from '../message/uri.ts'
import { sdpBody, sdpOf } from '../sdp/session-body.ts'
import type { ServerTransaction } from '../stack.ts'
import type { CallEnding, CallHandlers, Cause, InboundCall, OfferAnswer, SipCall } from './call.ts'
import { CallLifetime } from './call-lifetime.ts'
import { cseqOf, uasDialog } from './dialog.ts'
import { reasonHeader, reasonOf } from './ending.ts'
import { ReliableRinging } from './prack.ts'
import { Session } from './session.ts'
import { hasOption } from './session-timer.ts'

/** RFC 3261 section 13.3.1.1: proxies drop an INVITE without a provisional response for three minutes. */
const STILL_RINGING_MS = 60_000

export class IncomingCall implements InboundCall {
  readonly direction = 'inbound'
  readonly invite: SipRequest
  readonly flow: Flow
  readonly offer: string | null
  readonly #context: AgentContext
  readonly #transaction: ServerTransaction
  readonly #life: CallLifetime
  readonly #session: Session
  readonly #reliable: ReliableRinging | undefined
  readonly #replaces: DialogEnd | undefined
  #owner: string | undefined
  #isAnswered = false
  /** SDP of a reliable response whose PRACK is outstanding. */
  #earlySdp: string | null = null
  #earlyAnswer: string | null = null
  #still: NodeJS.Timeout | undefined
  /** The ACK arrived or timed out. No BYE before that (section 15). */
  readonly #settled = Promise.withResolvers<void>()

  constructor(context: AgentContext, transaction: ServerTransaction, replaces: DialogEnd | undefined) {
    const { request, flow } = transaction
    this.#context = context
    this.#transaction = transaction
    this.#replaces = replaces
    this.invite = request
    this.flow = flow
    this.offer = sdpOf(request)
    this.#life = new CallLifetime(context, this)
    const contact = contactFor(context.stack, flow, parseUri(request.uri)?.user ?? undefined)
    this.#session = new Session({
      context,
      dialog: uasDialog(request, flow, newTag(), contact),
      credentials: undefined,
      memory: newNonceCounters(),
      handlers: this.#life.handlers,
      asOwner: this.#life.asOwner,
      owner: () => this.#owner,
      onPrack: (prack) => this.#pracked(prack),
      onOver: (ending, gone) => this.#over(ending, gone),
    })
    this.#session.negotiation.begin('theirs', this.offer)
    this.#session.negotiation.learn(request)
    if (hasOption(request.headers, 'require', '100rel'))
      this.#reliable = new ReliableRinging({
        inviteCSeq: cseqOf(request),
        timers: context.timers,
        send: (response) => transaction.respond(response),
        giveUp: () => this.#decline(504, { by: 'system', why: 'lost', detail: 'no PRACK came' }),
      })
    transaction.onCancel((cancel) =>
      this.#decline(487, { by: 'remote', why: 'canceled', detail: reasonOf(cancel.headers) }),
    )
    transaction.onEnd(() => {
      if (!this.#isAnswered) this.#close({ by: 'system', why: 'lost', detail: 'the transaction broke off' })
    })
  }

  get callId(): string {
    return this.#session.dialog.callId
  }

  get state(): SipCall['state'] {
    if (this.#life.isOver) return 'ended'
    return this.#isAnswered ? 'established' : 'ringing'
  }

  claim(owner: string): boolean {
    this.#owner = owner
    return !this.#replaces || this.#replaces.owner === owner
  }

  get peerAddress(): string {
    return this.#context.proxiedFrom(this.invite, this.flow) ?? this.#session.dialog.flow.remote.address
  }

  handle(handlers: CallHandlers): void {
    this.#life.handle(handlers)
  }

  ring(sdp?: string) {
    if (this.state !== 'ringing') return
    clearInterval(this.#still)
    const build = (headers: HeaderList) =>
      this.#reply(sdp === undefined ? 180 : 183, {
        headers: [['contact', this.#session.dialog.contact], ...capabilities, ...headers],
        body: sdp === undefined ? undefined : sdpBody(sdp),
      })
    if (this.#reliable) {
      this.#earlySdp = sdp ?? this.#earlySdp
      return this.#reliable.push(build, sdp !== undefined)
    }
    const response = build([])
    this.#transaction.respond(response)
    this.#still = setInterval(() => this.#transaction.respond(response), STILL_RINGING_MS)
  }

  #pracked(prack: SipRequest): 'unknown' | 'taken' | 'settled' {
    if (!this.#reliable?.receive(prack)) return 'unknown'
    const early = this.#earlySdp
    if (early === null) return 'taken'
    this.#earlySdp = null
    this.#session.negotiation.settleEarly(early)
    if (this.offer !== null) return 'taken'
    // The 183 carried our offer: the PRACK has the answer (RFC 3262 section 5).
    this.#earlyAnswer = sdpOf(prack)
    return 'settled'
  }

  answer(sdp: string): void {
    if (this.state !== 'ringing') return
    const go = () => {
      if (this.state !== 'ringing') return
      this.#isAnswered = true
      this.#quiet()
      this.#session.negotiation.accept(this.#transaction, sdp, (answer) => {
        this.#settled.resolve()
        this.#life.handlers.onAnswered?.(answer ?? this.#earlyAnswer)
      })
      if (this.#replaces?.owner === this.#owner) this.#replaces?.replace()
    }
    if (this.#reliable) this.#reliable.beforeFinal(go)
    else go()
  }

  refuse(status: number, reason?: string, headers: Readonly<Record<string, string>> | HeaderList = {}): void {
    if (this.state !== 'ringing') return
    const ending: CallEnding = { by: 'local', why: 'refused', status, detail: reason }
    const list: HeaderList = Array.isArray(headers) ? headers : Object.entries(headers)
    this.#decline(status, ending, { reason, headers: list })
  }

  ignore(): void {
    if (this.state !== 'ringing') return
    this.#close({ by: 'local', why: 'refused' })
    this.#transaction.drop()
  }

  hangUp(cause?: Cause) {
    const headers: HeaderList = cause ? [['reason', reasonHeader(cause)]] : []
    if (this.state === 'ringing') return this.#decline(480, { by: 'local', why: 'refused', status: 480 }, { headers })
    if (this.state === 'ended') return
    this.#life.track(this.#settled.promise.then(() => this.#session.bye(cause)))
    this.#life.end({ by: 'local', why: 'bye' })
  }

  /** Ends the call before the answer, with a final response. */
  #decline(status: number, ending: CallEnding, parts: ReplyParts = {}): void {
    if (this.state !== 'ringing') return
    this.#close(ending)
    this.#transaction.respond(this.#reply(status, parts))
  }

  #close(ending: CallEnding): void {
    this.#quiet()
    this.#session.stop()
    this.#life.end(ending)
  }

  /** From the session: BYE, missing ACK, session timer. */
  #over(ending: CallEnding, gone: Promise<void>) {
    this.#settled.resolve()
    if (this.state === 'ringing') return this.#decline(487, { ...ending, why: 'canceled' })
    this.#life.track(gone)
    this.#life.end(ending)
  }

  #quiet(): void {
    clearInterval(this.#still)
    this.#reliable?.stop()
  }

  #reply(status: number, parts: ReplyParts) {
    const toTag = this.#session.dialog.localTag
    return replyTo(this.#context.name, this.invite, status, { ...parts, toTag })
  }

  reoffer(sdp: string): Promise<OfferAnswer> {
    if (this.state !== 'established') return Promise.resolve({ refuse: 481, reason: 'no session' })
    return this.#session.negotiation.reoffer(sdp)
  }

  async sendDigitByInfo(digit: string, durationMs: number): Promise<boolean> {
    return this.state === 'established' && this.#session.sendDigit(digit, durationMs)
  }

  async refer(to: string, timeoutMs: number): Promise<{ status: number; reason: string }> {
    if (this.state !== 'established') return { status: 481, reason: 'no session' }
    return this.#session.refer(to, timeoutMs)
  }
}
