// One INVITE to one target, until it is answered or refused, or the target is considered dead.
import type { AgentContext, SipTarget } from '../agent-context.ts'
import type { Flow, SipRequest, SipResponse } from '../message/message.ts'
import type { ClientTransaction } from '../stack.ts'

export type AttemptEnd =
  | { kind: 'answered' }
  | { kind: 'refused'; response: SipResponse }
  | { kind: 'dead'; detail: string }

export type AttemptEvents = {
  onProvisional(response: SipResponse, flow: Flow, request: SipRequest): void
  /** Every 2xx, including retransmissions and those of other forks. */
  onAccepted(response: SipResponse, flow: Flow, request: SipRequest): void
}

export class Attempt {
  readonly ended: Promise<AttemptEnd>
  readonly #transaction: ClientTransaction
  readonly #silence: NodeJS.Timeout | undefined
  readonly #finish: (end: AttemptEnd) => void

  /** `silenceMs`: how long to wait for any response; undefined leaves it to timer B. */
  constructor(
    context: AgentContext,
    invite: SipRequest,
    target: SipTarget,
    silenceMs: number | undefined,
    events: AttemptEvents,
  ) {
    const { promise, resolve } = Promise.withResolvers<AttemptEnd>()
    this.ended = promise
    this.#finish = resolve
    if (silenceMs !== undefined) this.#silence = setTimeout(() => this.giveUp('no sign of life in time'), silenceMs)
    this.#transaction = context.stack.request(invite, target, {
      onResponse: (response, flow) => {
        clearTimeout(this.#silence)
        if (response.status < 200) return events.onProvisional(response, flow, invite)
        if (response.status < 300) {
          events.onAccepted(response, flow, invite)
          return resolve({ kind: 'answered' })
        }
        resolve({ kind: 'refused', response })
      },
      onFailure: (_, detail) => {
        clearTimeout(this.#silence)
        resolve({ kind: 'dead', detail })
      },
    })
  }

  /** `ended` resolves with the final response, or when none arrives in time. */
  cancel(reason?: string): void {
    clearTimeout(this.#silence)
    this.#transaction.cancel(reason)
  }

  /** A late ringing is canceled; a late 2xx is handled as a stray response. */
  giveUp(detail: string): void {
    this.#transaction.cancel()
    this.#transaction.abandon()
    this.#finish({ kind: 'dead', detail })
  }
}
