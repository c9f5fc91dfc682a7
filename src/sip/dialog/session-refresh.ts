// Keeps a session alive (RFC 4028 section 10): refreshes it when we are the refresher, ends it when the refresh is missing.
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
  /** The same offer again; what is new in the answer is not our concern. */
  reoffer(): Promise<OfferAnswer>
  /** Waits as after a glare. False when the call is over instead. */
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

  /** What a request of ours says about it. */
  asks(): HeaderList {
    const now = this.#timer.agreed
    if (now === null) return []
    const limits = { ...this.#limits, seconds: Math.max(now.seconds, this.#limits.minSeconds) }
    return requestTimer(limits, now.weRefresh ? 'uac' : 'uas')
  }

  /** A 2xx to a request of ours says what holds from now on. */
  agree({ headers }: SipMessage) {
    const agreed = readTimer(headers)
    if (this.#isOver || agreed === null) return this.#timer.stop()
    const seconds = Math.max(agreed.seconds, this.#parts.context.session.minSeconds)
    this.#timer.start(seconds, agreed.refresher !== 'uas')
  }

  /** A 2xx of ours said so. */
  answered(timer: TimerAnswer): void {
    if (timer.kind === 'on' && !this.#isOver) this.#timer.start(timer.seconds, timer.refresher === 'uas')
    else this.#timer.stop()
  }

  /** After a 422: whether to ask again, for longer. */
  raise(response: SipResponse): boolean {
    const limits = limitsAfter422(response, this.#limits)
    if (limits) this.#limits = limits
    return limits !== null
  }

  /** By UPDATE, which needs no offer; where that is not known, by an offer. */
  async #refresh(): Promise<void> {
    if (this.#hasUpdate && (await this.#byUpdate())) return
    if (this.#isOver) return
    const answer = await this.#parts.reoffer()
    if ('refuse' in answer && !this.#isOver) this.#timer.retry()
  }

  /** False when the peer turns out not to know it. */
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
