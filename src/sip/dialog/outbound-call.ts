// An outbound call (UAC): the INVITE is sent to its targets in order until one gives a final response, then the session.
import {
  type AgentContext,
  boundBy,
  capabilities,
  contactFor,
  nextHop,
  resolveUri,
  routesOf,
  type SipTarget,
} from '../agent-context.ts'
import { Challenges } from '../auth/challenges.ts'
import { newNonceCounters } from '../auth/digest.ts'
import { newCallId, newRequest, newTag } from '../message/build.ts'
import type { HeaderList } from '../message/headers.ts'
import type { Flow, SipRequest, SipResponse } from '../message/message.ts'
import { taggedNameAddr } from '../message/name-addr.ts'
import { sdpBody, sdpOf } from '../sdp/session-body.ts'
import type { CallEnding, CallHandlers, Cause, OfferAnswer, OutboundCall, SipCall } from './call.ts'
import { CallLifetime } from './call-lifetime.ts'
import { keyOfResponse } from './dialog.ts'
import { EarlyDialogs } from './early-dialogs.ts'
import { reasonHeader, refusedBy } from './ending.ts'
import { Attempt, type AttemptEnd } from './outbound-attempt.ts'
import { Targets } from './redirects.ts'
import type { Session } from './session.ts'
import { limitsAfter422, requestTimer } from './session-timer.ts'
import { ackAndHangUp, type RecentCalls } from './stray-responses.ts'

const MAX_ATTEMPTS = 30

export class OutgoingCall implements SipCall {
  readonly callId = newCallId()
  readonly direction = 'outbound'
  readonly #context: AgentContext
  readonly #strays: RecentCalls
  readonly #call: OutboundCall
  #proxiedFrom: string | undefined
  readonly #life: CallLifetime
  readonly #from: string
  readonly #fromTag = newTag()
  readonly #to: string
  readonly #memory = newNonceCounters()
  readonly #challenges: Challenges
  readonly #early: EarlyDialogs
  readonly #dismissed = new Set<string>()
  readonly #ringTimer: NodeJS.Timeout
  #limits
  #cseq = 0
  #contact = ''
  #attempt: Attempt | undefined
  #session: Session | undefined
  #hasHeard = false

  constructor(shared: AgentContext, strays: RecentCalls, call: OutboundCall, handlers: CallHandlers) {
    const context = boundBy(shared, call.refusal)
    this.#context = context
    this.#strays = strays
    this.#call = call
    this.#limits = context.session
    this.#from = taggedNameAddr(call.from, this.#fromTag)
    this.#to = taggedNameAddr(call.to)
    this.#challenges = new Challenges(call.credentials, this.#memory)
    this.#life = new CallLifetime(context, this)
    this.#life.handle(handlers)
    this.#early = new EarlyDialogs({
      context,
      credentials: call.credentials,
      memory: this.#memory,
      handlers: this.#life.handlers,
      asOwner: this.#life.asOwner,
      sdp: call.sdp,
      owner: call.owner,
      onOver: (session, ending, gone) => {
        this.#life.track(gone)
        if (session === this.#session) this.#end(ending)
      },
    })
    this.#ringTimer = setTimeout(() => this.#ringTimedOut(), call.ringTimeoutMs)
    this.#life.track(this.#place())
  }

  get state(): SipCall['state'] {
    if (this.#life.isOver) return 'ended'
    return this.#session ? 'established' : 'ringing'
  }

  get peerAddress(): string | null {
    return this.#proxiedFrom ?? this.#session?.dialog.flow.remote.address ?? null
  }

  /** Every URI and each of its targets, until one gives a final response. */
  async #place(): Promise<void> {
    const targets = new Targets(this.#call.uri)
    let last: AttemptEnd = { kind: 'dead', detail: 'the name leads to no address' }
    let attempts = 0
    for (let uri = targets.next(); uri !== undefined; uri = targets.next()) {
      const { flow } = this.#call
      const found = flow ? undefined : await resolveUri(this.#context.resolver, nextHop({ ...this.#call, uri }))
      const places: readonly SipTarget[] = flow ? [flow] : (found?.places ?? [])
      if (found && places.length === 0 && last.kind === 'dead') last = { kind: 'dead', detail: found.problem }
      for (let at = 0; at < places.length && attempts < MAX_ATTEMPTS; attempts++) {
        if (this.#life.isOver) return
        const end = await this.#try(uri, places[at] as SipTarget, at === places.length - 1)
        if (end.kind === 'answered' || this.#life.isOver) return
        // A response is a better reason than the timeout of the next target.
        if (end.kind === 'refused' || last.kind === 'dead') last = end
        if (end.kind === 'refused') {
          if (this.#mayRepeat(end.response)) continue
          if (end.response.status !== 503) break
        }
        at += 1
        this.#challenges.forget()
      }
      this.#challenges.forget()
      if (last.kind !== 'refused') continue
      const { status } = last.response
      if (status < 400) await targets.redirect(last.response, this.#call.mayFollow)
      else if (status >= 600) break // section 16.7: a 6xx is final for all targets
    }
    if (last.kind === 'refused') this.#end(refusedBy(last.response))
    else if (last.kind === 'dead') this.#end({ by: 'system', why: 'unreachable', detail: last.detail })
  }

  /** Retries the same target with credentials or with the session interval it requires. */
  #mayRepeat(response: SipResponse): boolean {
    if (response.status !== 422 || !this.#call.sessionTimers) return this.#challenges.take(response)
    const limits = limitsAfter422(response, this.#limits)
    if (limits) this.#limits = limits
    return limits !== null
  }

  async #try(uri: string, target: SipTarget, isLast: boolean): Promise<AttemptEnd> {
    const { timers, resolver } = this.#context
    const invite = this.#invite(uri, target)
    const silenceMs = this.#call.firstResponseTimeoutMs ?? (isLast ? undefined : 8 * timers.t1)
    const attempt = new Attempt(this.#context, invite, target, silenceMs, {
      onProvisional: (response, flow, request) => {
        this.#hasHeard = true
        if (response.status > 100 && this.#isUnchallenged(target)) return attempt.cancel()
        if (!this.#life.isOver) this.#early.provisional(response, flow, request, this.#contact)
      },
      onAccepted: (response, flow, request) => {
        this.#isUnchallenged(target) // if so, this ends the call, and the 2xx is hung up
        this.#accepted(response, flow, request)
      },
    })
    this.#attempt = attempt
    const end = await attempt.ended
    if (end.kind !== 'answered') this.#early.clear()
    if (!('address' in target)) return end
    if (end.kind === 'dead' && !this.#life.isOver) resolver.markDead(target)
    else resolver.markAlive(target)
    if (end.kind === 'refused') this.#hasHeard = true
    return end
  }

  /** Ends the call if the target accepted it without challenging our credentials, as it should have. */
  #isUnchallenged(target: SipTarget): boolean {
    if (this.#life.isOver || this.#session || this.#challenges.hasMet || !('address' in target)) return false
    const detail = this.#call.unchallengedRefusal?.(target)
    if (detail !== undefined) this.#end({ by: 'system', why: 'unreachable', detail })
    return detail !== undefined
  }

  #invite(uri: string, target: SipTarget): SipRequest {
    const { headers = {}, sdp, sessionTimers, contactUser } = this.#call
    this.#cseq += 1
    this.#contact = contactFor(this.#context.stack, target, contactUser)
    this.#strays.remember(this.callId, this.#fromTag, this.#contact, this.#call.credentials)
    const written: HeaderList = [
      ['contact', this.#contact],
      ['user-agent', this.#context.name],
      ...capabilities,
      ...(sessionTimers ? requestTimer(this.#limits) : []),
      ...Object.entries(headers),
    ]
    return this.#challenges.answer(
      newRequest({
        method: 'INVITE',
        uri,
        from: this.#from,
        to: this.#to,
        callId: this.callId,
        cseq: this.#cseq,
        routes: routesOf(this.#call),
        headers: written,
        body: sdpBody(sdp),
      }),
    )
  }

  #accepted(response: SipResponse, flow: Flow, request: SipRequest) {
    this.#hasHeard = true
    const confirmed = this.#early.confirmed(response)
    if (confirmed) return confirmed.ack(request)
    if (this.#life.isOver || this.#session) return this.#dismiss(response, flow)
    const { session, earlySdp } = this.#early.confirm(response, flow, request, this.#contact)
    this.#session = session
    this.#proxiedFrom = this.#context.proxiedFrom(response, flow)
    clearTimeout(this.#ringTimer)
    session.ack(request)
    session.negotiation.confirm(response)
    this.#life.handlers.onAnswered?.(sdpOf(response) ?? earlySdp)
  }

  /** A 2xx of another fork, or one that crossed our CANCEL (RFC 3261 sections 9.1 and 13.2.2.4). */
  #dismiss(response: SipResponse, flow: Flow) {
    const key = keyOfResponse(response)
    if (this.#dismissed.has(key)) return this.#context.dialogs.get(key)?.acknowledge(response)
    this.#dismissed.add(key)
    this.#early.drop(response)
    const { credentials } = this.#call
    this.#life.track(ackAndHangUp(this.#context, response, { flow, contact: this.#contact, credentials }))
  }

  #ringTimedOut(): void {
    if (this.#session) return
    this.#attempt?.cancel(reasonHeader({ code: 19, text: 'No answer' }))
    if (this.#hasHeard) this.#end({ by: 'system', why: 'ring-timeout' })
    else this.#end({ by: 'system', why: 'unreachable', detail: 'no sign of life in time' })
  }

  #end(ending: CallEnding): void {
    clearTimeout(this.#ringTimer)
    this.#early.clear()
    this.#life.end(ending)
  }

  hangUp(cause?: Cause) {
    if (this.#life.isOver) return
    if (this.#session) {
      this.#life.track(this.#session.bye(cause))
      return this.#end({ by: 'local', why: 'bye' })
    }
    this.#attempt?.cancel(cause && reasonHeader(cause))
    this.#end({ by: 'local', why: 'canceled' })
  }

  reoffer(sdp: string): Promise<OfferAnswer> {
    if (!this.#session || this.#life.isOver) return Promise.resolve({ refuse: 481, reason: 'no session' })
    return this.#session.negotiation.reoffer(sdp)
  }

  async sendDigitByInfo(digit: string, durationMs: number): Promise<boolean> {
    return this.#session?.sendDigit(digit, durationMs) ?? false
  }

  async refer(to: string, timeoutMs: number): Promise<{ status: number; reason: string }> {
    return this.#session?.refer(to, timeoutMs) ?? { status: 481, reason: 'no session' }
  }
}
