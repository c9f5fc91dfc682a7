// Session refresh (RFC 4028 section 10): refreshes the session if we are the refresher, and ends it when a refresh is missing.
import type { AgentContext } from '../agent-context.ts'
import type { HeaderList } from '../message/headers.ts'
import type { SipMessage, SipResponse } from '../message/message.ts'
import type { OfferAnswer } from './call.ts'
import type { DialogRequests } from './dialog-requests.ts'
import {
  hasOption,
  limitsAfter422,
  readTimer,
  requestTimer,
  type SessionLimits,
  SessionTimer,
  type TimerAnswer,
} from './session-timer.ts'

export type RefreshParts = {
  context: AgentContext
  line: DialogRequests
  /** Repeats the last offer. */
  reoffer(): Promise<OfferAnswer>
  /** Waits as after a glare. False if the call has ended. */
  pause(): Promise<boolean>
  onLost(detail: string, status?: number): void
}

export class SessionRefresh {
  readonly #parts: RefreshParts
  readonly #timer: SessionTimer
  #limits: SessionLimits
  #hasUpdate = false
  #isOver = false

  constructor(parts: RefreshParts) {
    this.#parts = parts
    this.#limits = parts.context.session
    this.#timer = new SessionTimer(
      () => void this.#refresh().catch(parts.context.onFault),
      () => parts.onLost('the session timer ran out'),
    )
  }

  learn({ headers }: SipMessage): void {
    if (headers.has('allow')) this.#hasUpdate = hasOption(headers, 'allow', 'update')
  }

  /** Timer headers for our request. */
  asks(): HeaderList {
    const now = this.#timer.agreed
    if (now === null) return []
    const limits = { ...this.#limits, seconds: Math.max(now.seconds, this.#limits.minSeconds) }
    return requestTimer(limits, now.weRefresh ? 'uac' : 'uas')
  }

  /** Applies the timer in a 2xx to our request. */
  agree({ headers }: SipMessage) {
    const agreed = readTimer(headers)
    if (this.#isOver || agreed === null) return this.#timer.stop()
    const seconds = Math.max(agreed.seconds, this.#parts.context.session.minSeconds)
    this.#timer.start(seconds, agreed.refresher !== 'uas')
  }

  /** Applies the timer in our 2xx. */
  answered(timer: TimerAnswer): void {
    if (timer.kind === 'on' && !this.#isOver) this.#timer.start(timer.seconds, timer.refresher === 'uas')
    else this.#timer.stop()
  }

  /** After a 422: true if the request should be repeated with a longer interval. */
  raise(response: SipResponse): boolean {
    const limits = limitsAfter422(response, this.#limits)
    if (limits) this.#limits = limits
    return limits !== null
  }

  /** By UPDATE, which needs no offer; by re-INVITE if the peer does not support that. */
  async #refresh(): Promise<void> {
    if (this.#hasUpdate && (await this.#byUpdate())) return
    if (this.#isOver) return
    const answer = await this.#parts.reoffer()
    if ('refuse' in answer && !this.#isOver) this.#timer.retry()
  }

  /** False if the peer turns out not to support it. */
  async #byUpdate(): Promise<boolean> {
    const outcome = await this.#parts.line.send('UPDATE', { headers: this.asks() })
    if (this.#isOver) return true
    const { onLost } = this.#parts
    if ('failure' in outcome) {
      onLost(`no answer to a session refresh: ${outcome.detail}`)
      return true
    }
    const { response } = outcome
    const { status, reason } = response
    if (status === 405 || status === 501) this.#hasUpdate = false
    else if (status < 300) this.agree(response)
    else if (status === 481 || status === 408) onLost(reason, status)
    else if (status === 422 ? this.raise(response) : status === 491 && (await this.#parts.pause()))
      return this.#byUpdate()
    else this.#timer.retry()
    return this.#hasUpdate
  }

  stop(): void {
    this.#isOver = true
    this.#timer.stop()
  }
}
