// What every call of one user agent shares: the stack below, the addresses' resolver, our name, the table of dialogs.

import type { SessionLimits } from './dialog/session-timer.ts'
import { type MessageBody, responseTo } from './message/build.ts'
import type { HeaderList } from './message/headers.ts'
import type { Flow, Hop, SipRequest, SipResponse } from './message/message.ts'
import { formatUri, parseUri } from './message/uri.ts'
import type { ServerTransaction, SipStack, SipTimers } from './stack.ts'
import type { Refusal, Resolver } from './transport/resolver.ts'

/** Where a request goes: a place that was resolved, or the way something came. */
export type SipTarget = Hop | Flow

/** Our end of one dialog. */
export type DialogEnd = {
  /** Whose call it is, where somebody said so. */
  readonly owner: string | undefined
  receive(transaction: ServerTransaction): void
  /** A 2xx to its INVITE came again. */
  acknowledge(response: SipResponse): void
  /** Another call takes its place (RFC 3891). */
  replace(): void
}

/** A call that is not over yet, down to its last transaction. */
export type LiveCall = { hangUp(cause?: { code: number; text: string }): void }

export class LiveCalls {
  readonly #calls = new Set<LiveCall>()
  #onEmpty: (() => void) | undefined

  get size(): number {
    return this.#calls.size
  }

  add(call: LiveCall): void {
    this.#calls.add(call)
  }

  delete(call: LiveCall): void {
    this.#calls.delete(call)
    if (this.#calls.size === 0) this.#onEmpty?.()
  }

  /** Hangs up every one; resolves when the last is gone, or after so long. */
  async end(limitMs: number): Promise<void> {
    for (const call of [...this.#calls]) call.hangUp()
    if (this.#calls.size === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs)
      this.#onEmpty = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

export type AgentContext = {
  readonly stack: SipStack
  readonly resolver: Resolver
  readonly timers: SipTimers
  readonly name: string
  readonly session: SessionLimits
  readonly dialogs: Map<string, DialogEnd>
  readonly live: LiveCalls
  /** Whether a peer is known by its address, whichever dialog its request names. */
  isKnown(flow: Flow): boolean
  /** Told what a handler of those above threw. */
  onFault(error: unknown): void
}

export const allowed = 'INVITE, ACK, CANCEL, BYE, PRACK, UPDATE, INFO, REFER, NOTIFY, MESSAGE, OPTIONS'
export const extensions: readonly string[] = ['100rel', 'timer', 'replaces']
export const capabilities: HeaderList = [
  ['allow', allowed],
  ['supported', extensions.join(', ')],
]

export type ReplyParts = { reason?: string; toTag?: string; headers?: HeaderList; body?: MessageBody }

export const replyTo = (
  name: string,
  request: SipRequest,
  status: number,
  { reason, toTag, headers = [], body }: ReplyParts = {},
): SipResponse => responseTo(request, status, reason, { toTag, headers: [['server', name], ...headers], body })

export const isFlow = (place: SipTarget): place is Flow => 'remote' in place

/** The address at which we are reached by this way: host and port of the listener that it uses. */
export function contactFor(stack: SipStack, place: SipTarget, user: string | undefined): string {
  const { host, port, transport } = stack.contactOf(place)
  const params = new Map(transport === 'udp' ? [] : [['transport', transport]])
  return `<${formatUri({ user, host, port, params })}>`
}

/** `problem`: why there is no place. */
export type Places<P extends SipTarget = SipTarget> = { places: readonly P[]; problem: string; isRefused: boolean }

/** The places that serve an address and may be sent to. */
export async function resolveUri(resolver: Resolver, uri: string): Promise<Places<Hop>> {
  const target = parseUri(uri)
  const hops = target === null ? [] : await resolver.resolve(target)
  const refused = hops.flatMap((hop) => resolver.refusal?.(hop) ?? [])
  return {
    places: hops.filter((hop) => resolver.refusal?.(hop) === undefined),
    problem: refused[0] ?? 'the name leads to no address',
    isRefused: refused.length > 0,
  }
}

/** The same, bound to what one sender may reach. */
export const boundBy = (context: AgentContext, refusal: Refusal | undefined): AgentContext =>
  refusal ? { ...context, resolver: { ...context.resolver, refusal } } : context
