// State shared by all calls of a user agent: the SIP stack, the resolver, our product name, the dialog table.
import { waitAtMost } from '../base/concurrency/abort.ts'
import type { Cause } from './dialog/call.ts'
import type { SessionLimits } from './dialog/session-timer.ts'
import { type MessageBody, responseTo } from './message/build.ts'
import type { HeaderList } from './message/headers.ts'
import type { Flow, Hop, SipMessage, SipRequest, SipResponse } from './message/message.ts'
import { formatUri, parseUri } from './message/uri.ts'
import { parseNameAddr } from './message/values.ts'
import type { ServerTransaction, SipStack, SipTimers } from './stack.ts'
import type { Refusal, Resolver } from './transport/resolver.ts'

/** The destination of a request: a resolved hop, or the flow of an incoming message. */
export type SipTarget = Hop | Flow

/** Our end of one dialog. */
export type DialogEnd = {
  /** Owner of the call, once known. */
  readonly owner: string | undefined
  receive(transaction: ServerTransaction): void
  /** A 2xx to its INVITE was retransmitted. */
  acknowledge(response: SipResponse): void
  /** Another call replaces it (RFC 3891). */
  replace(): void
}

/** A call with transactions still alive. */
export type LiveCall = { hangUp(cause?: Cause): void }

export class CallTable {
  readonly #calls = new Set<LiveCall>()
  #isEnding = false
  readonly #empty = Promise.withResolvers<void>()

  get size(): number {
    return this.#calls.size
  }

  add(call: LiveCall): void {
    this.#calls.add(call)
  }

  delete(call: LiveCall): void {
    this.#calls.delete(call)
    if (this.#isEnding && this.#calls.size === 0) this.#empty.resolve()
  }

  /** Hangs up every call; resolves when the last is gone or the time is over. */
  async end(limitMs: number): Promise<void> {
    this.#isEnding = true
    for (const call of [...this.#calls]) call.hangUp()
    if (this.#calls.size > 0) await waitAtMost(limitMs, this.#empty.promise)
  }
}

export type AgentContext = {
  readonly stack: SipStack
  readonly resolver: Resolver
  readonly timers: SipTimers
  readonly name: string
  readonly session: SessionLimits
  readonly dialogs: Map<string, DialogEnd>
  readonly live: CallTable
  /** The address is one of the owner's peers, which may send requests in all dialogs of the owner. */
  isPeerOf(flow: Flow, owner: string | undefined): boolean
  /** The source of a message behind a proxy; undefined: the flow's own address. */
  proxiedFrom(message: SipMessage, flow: Flow): string | undefined
  /** Reports an exception of the layer above. */
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

export const isFlow = (target: SipTarget): target is Flow => 'remote' in target

/** Our Contact for this target, with host and port of the listener. */
export function contactFor(stack: SipStack, target: SipTarget, user: string | undefined): string {
  const { host, port, transport } = stack.contactOf(target)
  const params = new Map(transport === 'udp' ? [] : [['transport', transport]])
  return `<${formatUri({ user, host, port, params })}>`
}

type Routed = { uri: string; route?: string; path?: readonly string[] }

/** First hop of a request outside a dialog. */
export const nextHop = ({ uri, route, path }: Routed): string => {
  const first = path?.[0]
  return first === undefined ? (route ?? uri) : (parseNameAddr(first)?.uri ?? '')
}

/** Its Route headers. A route with `lr` is a proxy to be named in one; any other is only a destination. */
export const routesOf = ({ route, path = [] }: Routed): readonly string[] => {
  if (path.length > 0) return path
  return route !== undefined && parseUri(route)?.params.has('lr') ? [`<${route}>`] : []
}

/** `problem`: why there is no target. */
export type ResolvedTargets<P extends SipTarget = SipTarget> = {
  places: readonly P[]
  problem: string
  isRefused: boolean
}

/** The targets of an address that may be contacted. */
export async function resolveUri(resolver: Resolver, uri: string): Promise<ResolvedTargets<Hop>> {
  const target = parseUri(uri)
  const hops = target === null ? [] : await resolver.resolve(target)
  const refused = hops.flatMap((hop) => resolver.refusal?.(hop) ?? [])
  return {
    places: hops.filter((hop) => resolver.refusal?.(hop) === undefined),
    problem: refused[0] ?? 'the name leads to no address',
    isRefused: refused.length > 0,
  }
}

/** A context whose resolver refuses the targets that one sender must not reach. */
export const boundBy = (context: AgentContext, refusal: Refusal | undefined): AgentContext =>
  refusal ? { ...context, resolver: { ...context.resolver, refusal } } : context
