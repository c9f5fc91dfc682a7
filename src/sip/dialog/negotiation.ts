// Offer/answer within a dialog: re-INVITE and UPDATE in both directions, one at a time, with their session timer.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AgentContext, capabilities, type ReplyParts, replyTo } from '../agent-context.ts'
import type { HeaderList } from '../message/headers.ts'
import type { SipMessage, SipRequest } from '../message/message.ts'
import { sdpBody, sdpOf, sessionOf } from '../sdp/session-body.ts'
import type { ServerTransaction } from '../stack.ts'
import { type AckWait, waitForAck } from './ack-wait.ts'
import type { CallHandlers, OfferAnswer, RequestOutcome } from './call.ts'
import type { DialogRequests } from './dialog-requests.ts'
import { SessionRefresh } from './session-refresh.ts'
import { answerTimer, type SessionLimits } from './session-timer.ts'

/** Consecutive glares before we give up. */
const MAX_TRIES = 8

export type NegotiationParts = {
  context: AgentContext
  line: DialogRequests
  handlers: Pick<CallHandlers, 'onOffer' | 'onLateAnswer'>
  /** The peer forgot the dialog, or stopped responding. */
  onLost(detail: string, status?: number): void
}

const retryAfter = (): HeaderList => [['retry-after', `${randomInt(0, 11)}`]] // RFC 3261 section 14.2

/** Why an INVITE or UPDATE is refused for its body or its session timer. */
export function offerRefusal(
  request: SipRequest,
  limits: SessionLimits,
): { status: 415 | 422; headers: HeaderList } | undefined {
  if ('unsupported' in sessionOf(request)) return { status: 415, headers: [['accept', 'application/sdp']] }
  const timer = answerTimer(request.headers, limits)
  return timer.kind === 'too-small' ? { status: 422, headers: [['min-se', `${timer.minSeconds}`]] } : undefined
}

export class Negotiation {
  readonly #parts: NegotiationParts
  readonly #refresh: SessionRefresh
  readonly #over = new AbortController()
  /** Whose INVITE is in progress; `unacknowledged`: theirs awaits its ACK. */
  #invite: 'none' | 'ours' | 'theirs' | 'unacknowledged' = 'none'
  #offer: 'none' | 'ours' | 'theirs' = 'none'
  #ackWait: AckWait | undefined
  #waiting: (() => void)[] = []
  #localSdp: string | null = null
  #remoteSdp: string | null = null

  constructor(parts: NegotiationParts) {
    this.#parts = parts
    this.#refresh = new SessionRefresh({ ...parts, reoffer: () => this.#repeatOffer(), pause: () => this.#pause() })
  }

  /** The initial INVITE was sent or received; ours always has an offer. */
  begin(by: 'ours' | 'theirs', sdp: string | null): void {
    this.#invite = by
    this.#offer = sdp === null ? 'none' : by
    if (by === 'ours') this.#localSdp = sdp
    else this.#remoteSdp = sdp
  }

  /** A reliable provisional response completed the first offer/answer. */
  settleEarly(sdp: string): void {
    if (this.#invite === 'ours') this.#remoteSdp = sdp
    else this.#localSdp = sdp
    this.#offer = 'none'
  }

  /** Our INVITE was accepted. */
  confirm(response: SipMessage): void {
    this.#remoteSdp = sdpOf(response) ?? this.#remoteSdp
    this.learn(response)
    this.#refresh.agree(response)
    this.#invite = 'none'
    this.#offer = 'none'
    this.#free()
  }

  learn(message: SipMessage): void {
    this.#refresh.learn(message)
  }

  /** Accepts an INVITE from the peer: the initial one or a re-INVITE. */
  accept(transaction: ServerTransaction, sdp: string, onAck: (sdp: string | null) => void): void {
    const { context, line, onLost } = this.#parts
    const { request } = transaction
    const isOurOffer = sdpOf(request) === null && this.#offer !== 'theirs' && this.#invite === 'theirs'
    const timer = answerTimer(request.headers, context.session)
    this.#localSdp = sdp
    this.#offer = isOurOffer ? 'ours' : 'none'
    this.#invite = 'unacknowledged'
    this.#ackWait?.stop()
    this.learn(request)
    line.dialog.refreshTarget(request)
    this.#ackWait = waitForAck({
      transaction,
      timers: context.timers,
      response: this.#reply(request, 200, {
        headers: [['contact', line.dialog.contact], ...capabilities, ...(timer.kind === 'on' ? timer.headers : [])],
        body: sdpBody(sdp),
      }),
      onAck: (ack) => {
        const answer = isOurOffer ? sdpOf(ack) : null
        if (answer !== null) this.#remoteSdp = answer
        this.#invite = 'none'
        this.#offer = 'none'
        onAck(answer)
        this.#free()
      },
      onLost: () => onLost('no ACK came'),
    })
    this.#refresh.answered(timer)
  }

  receiveAck(ack: SipRequest): void {
    this.#ackWait?.receive(ack)
  }

  /** A re-INVITE. */
  async receiveInvite(transaction: ServerTransaction): Promise<void> {
    const { request } = transaction
    const refusal = this.#glare() ?? (this.#invite === 'theirs' ? 500 : this.#invite === 'ours' ? 491 : undefined)
    const asked = this.#read(transaction, refusal)
    if (asked === undefined) return
    const before = { invite: this.#invite, offer: this.#offer }
    this.#invite = 'theirs'
    this.#offer = asked.sdp === null ? 'none' : 'theirs'
    const answer = await Promise.race([this.#ask(asked.sdp), this.#canceled(transaction)])
    if ('refuse' in answer || this.#over.signal.aborted) {
      this.#invite = before.invite
      this.#offer = before.offer
      transaction.respond(this.#refusal(request, answer))
      this.#free()
      return
    }
    if (asked.sdp !== null) this.#remoteSdp = asked.sdp
    this.accept(transaction, answer.sdp, (sdp) => sdp !== null && this.#parts.handlers.onLateAnswer?.(sdp))
  }

  /** An UPDATE, or a PRACK with an offer: answered at once, without an ACK (RFC 3311 section 5.2). */
  async receiveUpdate(transaction: ServerTransaction): Promise<void> {
    const { request } = transaction
    const { context, line } = this.#parts
    const asked = this.#read(transaction, sdpOf(request) === null ? undefined : this.#glare())
    if (asked === undefined) return
    let sdp: string | null = null
    if (asked.sdp !== null) {
      this.#offer = 'theirs'
      const answer = await this.#ask(asked.sdp)
      this.#offer = 'none'
      this.#free()
      if ('refuse' in answer) return transaction.respond(this.#refusal(request, answer))
      sdp = answer.sdp
      this.#localSdp = sdp
      this.#remoteSdp = asked.sdp
    }
    const timer = request.method === 'UPDATE' ? answerTimer(request.headers, context.session) : null
    if (timer !== null) line.dialog.refreshTarget(request)
    const headers: HeaderList = [
      ['contact', line.dialog.contact],
      ...capabilities,
      ...(timer?.kind === 'on' ? timer.headers : []),
    ]
    transaction.respond(this.#reply(request, 200, { headers, body: sdp === null ? undefined : sdpBody(sdp) }))
    if (timer !== null) this.#refresh.answered(timer)
  }

  /** The offer in the request; undefined if the request was refused. */
  #read(transaction: ServerTransaction, status: number | undefined): { sdp: string | null } | undefined {
    const { request } = transaction
    const refusal = offerRefusal(request, this.#parts.context.session)
    if (status !== undefined)
      transaction.respond(this.#reply(request, status, { headers: status === 500 ? retryAfter() : [] }))
    else if (refusal) transaction.respond(this.#reply(request, refusal.status, refusal))
    else return { sdp: sdpOf(request) }
    return undefined
  }

  #glare(): 491 | 500 | undefined {
    if (this.#offer === 'ours') return 491
    return this.#offer === 'theirs' ? 500 : undefined
  }

  async #ask(sdp: string | null): Promise<OfferAnswer> {
    const { onOffer } = this.#parts.handlers
    try {
      if (onOffer) return await onOffer(sdp)
    } catch (error) {
      this.#parts.context.onFault(error)
      return { refuse: 500 }
    }
    // Without a handler, only a session refresh is accepted.
    const isSame = sdp === null || sdp === this.#remoteSdp
    return isSame && this.#localSdp !== null ? { sdp: this.#localSdp } : { refuse: 488 }
  }

  #canceled = (transaction: ServerTransaction): Promise<OfferAnswer> =>
    new Promise((resolve) => {
      const stop = () => resolve({ refuse: 487 })
      transaction.onCancel(stop)
      this.#over.signal.addEventListener('abort', stop, { once: true })
      transaction.onEnd(() => this.#over.signal.removeEventListener('abort', stop))
    })

  /** Our own offer. Queued; after a glare it backs off randomly and retries (RFC 3261 section 14.1). */
  async reoffer(sdp: string): Promise<OfferAnswer> {
    for (let tries = 1; ; tries++) {
      while (this.#invite !== 'none' || this.#offer !== 'none')
        if (await this.#whenFree()) return { refuse: 481, reason: 'the call is over' }
      if (this.#over.signal.aborted) return { refuse: 481, reason: 'the call is over' }
      this.#invite = 'ours'
      this.#offer = 'ours'
      const outcome = await this.#parts.line.send('INVITE', { headers: this.#refresh.asks(), body: sdpBody(sdp) })
      this.#invite = 'none'
      this.#offer = 'none'
      this.#free()
      if ('failure' in outcome) return { refuse: 408, reason: outcome.detail }
      const { response } = outcome
      if (response.status < 300) {
        this.#localSdp = sdp
        this.#refresh.agree(response)
        const answer = sdpOf(response) ?? this.#remoteSdp
        this.#remoteSdp = answer
        return answer === null ? { refuse: 500, reason: 'an answer without SDP' } : { sdp: answer }
      }
      const { status } = response
      const mayRepeat = status === 422 ? this.#refresh.raise(response) : status === 491 && (await this.#pause())
      if (mayRepeat && tries < MAX_TRIES) continue
      this.#forgotten(outcome)
      return { refuse: response.status, reason: response.reason }
    }
  }

  /** The owner of the Call-ID waits 2.1 to 4 s, the other side up to 2 s, in steps of 10 ms for a T1 of 500 ms. */
  #pause(): Promise<boolean> {
    const units = this.#parts.line.dialog.isCaller ? randomInt(210, 401) : randomInt(0, 201)
    const ms = (units * this.#parts.context.timers.t1) / 50
    return sleep(ms, true, { signal: this.#over.signal }).catch(() => false)
  }

  /** A session refresh. Reports the answer if it has changed. */
  async #repeatOffer(): Promise<OfferAnswer> {
    if (this.#localSdp === null) return { refuse: 500 }
    const before = this.#remoteSdp
    const answer = await this.reoffer(this.#localSdp)
    if ('sdp' in answer && answer.sdp !== before) this.#parts.handlers.onLateAnswer?.(answer.sdp)
    return answer
  }

  /** RFC 3261 section 12.2.1.2: 481 and 408 mean that the peer no longer has the dialog. */
  #forgotten(outcome: RequestOutcome): void {
    if ('failure' in outcome || (outcome.response.status !== 481 && outcome.response.status !== 408)) return
    this.#parts.onLost(outcome.response.reason, outcome.response.status)
  }

  /** Waits until an offer/answer exchange ends. True if the dialog has ended. */
  #whenFree(): Promise<boolean> {
    return new Promise((resolve) => this.#waiting.push(() => resolve(this.#over.signal.aborted)))
  }

  #free(): void {
    for (const next of this.#waiting.splice(0)) next()
  }

  #reply(request: SipRequest, status: number, parts: ReplyParts = {}) {
    return replyTo(this.#parts.context.name, request, status, { ...parts, toTag: this.#parts.line.dialog.localTag })
  }

  #refusal(request: SipRequest, answer: OfferAnswer) {
    const { refuse, reason } = 'refuse' in answer ? answer : { refuse: 487, reason: undefined }
    return this.#reply(request, refuse, { reason })
  }

  stop(): void {
    this.#over.abort()
    this.#refresh.stop()
    this.#ackWait?.stop()
    this.#free()
  }
}
