// Early dialogs of an outbound INVITE: one per fork (RFC 3261 section 12.1), and the one that wins.
import type { AgentContext } from '../agent-context.ts'
import type { NonceCounters } from '../auth/digest.ts'
import type { Flow, SipRequest, SipResponse } from '../message/message.ts'
import { tagIn } from '../message/values.ts'
import { sdpOf } from '../sdp/session-body.ts'
import type { CallEnding, CallHandlers, Credentials } from './call.ts'
import { cseqOf, keyOfResponse, uacDialog } from './dialog.ts'
import { rackOf, reliabilityOf } from './prack.ts'
import { Session } from './session.ts'

type Early = { session: Session; rseq: number | undefined; sdp: string | null }

export type EarlyParts = {
  context: AgentContext
  credentials: Credentials | undefined
  memory: NonceCounters
  handlers: CallHandlers
  asOwner: (work: () => void) => void
  sdp: string
  owner: string | undefined
  onOver(session: Session, ending: CallEnding, gone: Promise<void>): void
}

/** Forks of one call. */
const MAX_FORKS = 20

export class EarlyDialogs {
  readonly #parts: EarlyParts
  readonly #early = new Map<string, Early>()
  #won: { key: string; session: Session } | undefined

  constructor(parts: EarlyParts) {
    this.#parts = parts
  }

  #open(response: SipResponse, flow: Flow, request: SipRequest, contact: string): Early {
    const { context, credentials, memory, handlers, asOwner, sdp, owner, onOver } = this.#parts
    const dialog = uacDialog(request, response, flow, contact)
    const session: Session = new Session({
      context,
      dialog,
      credentials,
      memory,
      handlers,
      asOwner,
      owner: () => owner,
      onOver: (ending, gone) => onOver(session, ending, gone),
    })
    session.negotiation.begin('ours', sdp)
    return { session, rseq: undefined, sdp: null }
  }

  provisional(response: SipResponse, flow: Flow, request: SipRequest, contact: string) {
    const { status } = response
    if (status === 100) return
    const key = keyOfResponse(response)
    if (status === 199) return this.drop(response) // RFC 6228: this fork is over
    let early = this.#early.get(key)
    const hasTag = tagIn(response.headers, 'to') !== null
    if (!early && hasTag && this.#early.size < MAX_FORKS) {
      early = this.#open(response, flow, request, contact)
      this.#early.set(key, early)
    }
    const sdp = sdpOf(response)
    if (early) {
      const reliability = reliabilityOf(response, early.rseq)
      if (reliability.kind === 'stale') return
      early.session.negotiation.learn(response)
      if (sdp !== null) early.sdp = sdp
      if (reliability.kind === 'next') {
        early.rseq = reliability.rseq
        early.session.prack(rackOf(reliability.rseq, cseqOf(request)))
        if (sdp !== null) early.session.negotiation.settleEarly(sdp)
      }
    }
    this.#parts.handlers.onRinging?.(status, sdp)
  }

  /** The session of the call, if this 2xx is a retransmission. */
  confirmed(response: SipResponse): Session | undefined {
    return this.#won?.key === keyOfResponse(response) ? this.#won.session : undefined
  }

  /** The first 2xx wins; later forks are acknowledged and hung up. */
  confirm(response: SipResponse, flow: Flow, request: SipRequest, contact: string) {
    const key = keyOfResponse(response)
    const early = this.#early.get(key) ?? this.#open(response, flow, request, contact)
    this.#early.delete(key)
    this.clear()
    early.session.dialog.confirm(response, flow)
    this.#won = { key, session: early.session }
    return { session: early.session, earlySdp: early.sdp }
  }

  drop(response: SipResponse): void {
    const key = keyOfResponse(response)
    this.#early.get(key)?.session.stop()
    this.#early.delete(key)
  }

  clear(): void {
    for (const { session } of this.#early.values()) session.stop()
    this.#early.clear()
  }
}
