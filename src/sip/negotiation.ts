// Offers inside a dialog: re-INVITE and UPDATE in both directions, one at a time, and the session timer they carry.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AckWait } from './ack-wait.ts'
import { type AgentContext, capabilities, type ReplyParts, replyTo } from './agent-context.ts'
import type { CallHandlers, OfferAnswer, RequestOutcome } from './call.ts'
import type { DialogLine } from './dialog-line.ts'
import type { HeaderList } from './headers.ts'
import type { SipMessage, SipRequest } from './message.ts'
import { sdpOf, sessionOf } from './session-body.ts'
import {
  answerTimer,
  askTimer,
  hasOption,
  limitsAfter422,
  readTimer,
  SessionTimer,
  type TimerAnswer,
} from './session-timer.ts'
import type { ServerTransaction } from './stack.ts'

/** After so many glares in a row the far side will not give way. */
const MAX_TRIES = 8

export type NegotiationParts = {
  context: AgentContext
  line: DialogLine
  handlers: Pick<CallHandlers, 'onOffer' | 'onLateAnswer'>
  /** The far side has forgotten the dialog, or fell silent. */
  onLost(detail: string, status?: number): void
}

const sdpBody = (sdp: string) => ({ type: 'application/sdp', content: sdp })
const retryAfter = (): HeaderList => [['retry-after', `${randomInt(0, 11)}`]] // RFC 3261 section 14.2

export class Negotiation {
  readonly #parts: NegotiationParts
  readonly #timer: SessionTimer
  readonly #over = new AbortController()
  /** Whose INVITE is under way, or which of theirs waits for its ACK. */
  #invite: 'none' | 'ours' | 'theirs' | 'unacknowledged' = 'none'
  #offer: 'none' | 'ours' | 'theirs' = 'none'
  #ackWait: AckWait | undefined
  #waiting: (() => void)[] = []
  #localSdp: string | null = null
  #remoteSdp: string | null = null
  #limits: { seconds: number; minSeconds: number }
  #hasUpdate = false

  constructor(parts: NegotiationParts) {
    this.#parts = parts
    this.#limits = parts.context.session
    this.#timer = new SessionTimer(
      () => void this.#refresh(),
      () => parts.onLost('the session timer ran out'),
    )
  }

  /** The INVITE that makes the dialog is on its way; from us it always carries an offer. */
  begin(by: 'ours' | 'theirs', sdp: string | null): void {
    this.#invite = by
    this.#offer = sdp === null ? 'none' : by
    if (by === 'ours') this.#localSdp = sdp
    else this.#remoteSdp = sdp
  }

  /** A reliable provisional response settled the first offer. Null: by us, who were asked. */
  settleEarly(sdp: string): void {
    if (this.#invite === 'ours') this.#remoteSdp = sdp
    else this.#localSdp = sdp
    this.#offer = 'none'
  }

  /** Our INVITE was accepted. */
  confirm(response: SipMessage): void {
    this.#remoteSdp = sdpOf(response) ?? this.#remoteSdp
    this.learn(response)
    this.#agree(response, 'uac')
    this.#invite = 'none'
    this.#offer = 'none'
    this.#free()
  }

  learn({ headers }: SipMessage): void {
    if (headers.has('allow')) this.#hasUpdate = hasOption(headers, 'allow', 'update')
  }

  /** Accepts an INVITE of theirs: the first, or one inside the dialog. */
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
    this.#ackWait = new AckWait({
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
    this.#startTimer(timer)
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

  /** An UPDATE, or a PRACK that offers: answered at once, without an ACK (RFC 3311 section 5.2). */
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
    if (timer !== null && !this.#over.signal.aborted) this.#startTimer(timer)
  }

  /** What it offers, unless it was refused on the spot. */
  #read(transaction: ServerTransaction, status: number | undefined): { sdp: string | null } | undefined {
    const { request } = transaction
    const body = sessionOf(request)
    const timer = answerTimer(request.headers, this.#parts.context.session)
    if (status !== undefined)
      transaction.respond(this.#reply(request, status, { headers: status === 500 ? retryAfter() : [] }))
    else if ('unsupported' in body)
      transaction.respond(this.#reply(request, 415, { headers: [['accept', 'application/sdp']] }))
    else if (timer.kind === 'too-small')
      transaction.respond(this.#reply(request, 422, { headers: [['min-se', `${timer.minSeconds}`]] }))
    else return body
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
    } catch {
      return { refuse: 500 }
    }
    // With nobody to ask, what is already agreed is agreed again (a refresh), and nothing else.
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

  /** Our own offer. Waits its turn; after a glare it waits by chance and tries again (RFC 3261 section 14.1). */
  async reoffer(sdp: string): Promise<OfferAnswer> {
    for (let tries = 1; ; tries++) {
      while (this.#invite !== 'none' || this.#offer !== 'none')
        if (await this.#turn()) return { refuse: 481, reason: 'the call is over' }
      if (this.#over.signal.aborted) return { refuse: 481, reason: 'the call is over' }
      this.#invite = 'ours'
      this.#offer = 'ours'
      const outcome = await this.#parts.line.send('INVITE', { headers: this.#asks(), body: sdpBody(sdp) })
      this.#invite = 'none'
      this.#offer = 'none'
      this.#free()
      if ('failure' in outcome) return { refuse: 408, reason: outcome.detail }
      const { response } = outcome
      if (response.status < 300) {
        this.#localSdp = sdp
        this.#agree(response, 'uac')
        const answer = sdpOf(response) ?? this.#remoteSdp
        this.#remoteSdp = answer
        return answer === null ? { refuse: 500, reason: 'an answer without SDP' } : { sdp: answer }
      }
      if (tries < MAX_TRIES && (await this.#mayRepeat(outcome))) continue
      this.#forgotten(outcome)
      return { refuse: response.status, reason: response.reason }
    }
  }

  async #mayRepeat({ response }: Extract<RequestOutcome, { response: object }>): Promise<boolean> {
    if (response.status === 422) {
      const limits = limitsAfter422(response, this.#limits)
      if (limits) this.#limits = limits
      return limits !== null
    }
    if (response.status !== 491) return false
    // In the RFC's units of 10 ms for a T1 of 500 ms: who made the Call-ID waits 2.1 to 4 s, the other up to 2 s.
    const units = this.#parts.line.dialog.isCaller ? randomInt(210, 401) : randomInt(0, 201)
    const ms = (units * this.#parts.context.timers.t1) / 50
    return sleep(ms, true, { signal: this.#over.signal }).catch(() => false)
  }

  /** RFC 3261 section 12.2.1.2: such an answer means that the dialog is gone. */
  #forgotten(outcome: RequestOutcome): void {
    if ('failure' in outcome || (outcome.response.status !== 481 && outcome.response.status !== 408)) return
    this.#parts.onLost(outcome.response.reason, outcome.response.status)
  }

  /** True when it is over instead. */
  #turn(): Promise<boolean> {
    return new Promise((resolve) => this.#waiting.push(() => resolve(this.#over.signal.aborted)))
  }

  #free(): void {
    for (const next of this.#waiting.splice(0)) next()
  }

  #asks(): HeaderList {
    const now = this.#timer.agreed
    if (now === null) return []
    const limits = { ...this.#limits, seconds: Math.max(now.seconds, this.#limits.minSeconds) }
    return askTimer(limits, now.weRefresh ? 'uac' : 'uas')
  }

  /** A 2xx to a request of ours says what holds from now on. */
  #agree({ headers }: SipMessage, role: 'uac') {
    const agreed = readTimer(headers)
    if (agreed === null) return this.#timer.stop()
    const seconds = Math.max(agreed.seconds, this.#parts.context.session.minSeconds)
    this.#timer.start(seconds, (agreed.refresher ?? role) === role)
  }

  #startTimer(timer: TimerAnswer): void {
    if (timer.kind === 'on') this.#timer.start(timer.seconds, timer.refresher === 'uas')
    else this.#timer.stop()
  }

  /** RFC 4028 section 10: by UPDATE, which needs no offer; where that is not known, by the same offer again. */
  async #refresh(): Promise<void> {
    if (this.#hasUpdate) {
      const outcome = await this.#parts.line.send('UPDATE', { headers: this.#asks() })
      if (this.#over.signal.aborted) return
      if ('failure' in outcome) return this.#parts.onLost(`no answer to a session refresh: ${outcome.detail}`)
      const { status } = outcome.response
      if (status < 300) return this.#agree(outcome.response, 'uac')
      if (status !== 405 && status !== 501) {
        if ((await this.#mayRepeat(outcome)) && !this.#over.signal.aborted) return this.#refresh()
        return status === 481 || status === 408 ? this.#forgotten(outcome) : this.#timer.retry()
      }
      this.#hasUpdate = false
    }
    if (this.#localSdp === null) return
    const before = this.#remoteSdp
    const answer = await this.reoffer(this.#localSdp)
    if (this.#over.signal.aborted) return
    if ('refuse' in answer) this.#timer.retry()
    else if (answer.sdp !== before) this.#parts.handlers.onLateAnswer?.(answer.sdp)
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
    this.#timer.stop()
    this.#ackWait?.stop()
    this.#free()
  }
}
