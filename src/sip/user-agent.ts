// The user agent: dispatches requests to dialogs or to the layer above, places calls, tracks and ends them.
import { LruCache } from '../base/lru-cache.ts'
import { type AgentContext, CallTable, type DialogEnd, type ReplyParts, replyTo } from './agent-context.ts'
import { type NonceCounters, newNonceCounters } from './auth/digest.ts'
import type { InboundCall, UserAgent } from './dialog/call.ts'
import { cseqOf, dialogKey, keyOfRequest, keyOfResponse } from './dialog/dialog.ts'
import { IncomingCall } from './dialog/inbound-call.ts'
import { offerRefusal } from './dialog/negotiation.ts'
import { OutgoingCall } from './dialog/outbound-call.ts'
import { unsupported } from './dialog/session.ts'
import { type SessionLimits, usualLimits } from './dialog/session-timer.ts'
import { RecentCalls } from './dialog/stray-responses.ts'
import type { Flow, SipMessage, SipRequest, SipResponse } from './message/message.ts'
import { tagIn } from './message/values.ts'
import { openStack, type ServerTransaction, type SipStack, type StackOptions } from './stack.ts'
import { sendOutOfDialog } from './transaction/out-of-dialog-request.ts'
import { rfcTimers } from './transaction/timers.ts'
import type { Resolver } from './transport/resolver.ts'

export type UserAgentOptions = Omit<StackOptions, 'onRequest' | 'onStrayResponse' | 'isOfCall'> & {
  resolver: Resolver
  /** Value of User-Agent and Server. */
  userAgentName: string
  onInvite(call: InboundCall): void
  /** REGISTER, OPTIONS, MESSAGE, SUBSCRIBE and all other requests outside dialogs. */
  onRequest(transaction: ServerTransaction): void
  /** The source of a message according to a trusted proxy; the peer's audio comes from there. */
  proxiedFrom?(message: SipMessage, flow: Flow): string | undefined
  /** The address is one of the owner's peers, which may send requests in all dialogs of the owner. */
  isPeerOf?(flow: Flow, owner: string | undefined): boolean
  /** RFC 4028. Tests shorten them. */
  sessionLimits?: SessionLimits
  /** How long close() waits for BYE responses. */
  farewellMs?: number
}

/** Methods that are invalid outside a dialog (RFC 3261 section 15.1.2, RFC 3262, 3311, 6086). */
const insideOnly = new Set(['BYE', 'PRACK', 'UPDATE', 'INFO'])

export async function createUserAgent(options: UserAgentOptions): Promise<UserAgent & { stack: SipStack }> {
  const { resolver, userAgentName: name, onInvite, onRequest, farewellMs = 2000 } = options
  const { sessionLimits = usualLimits, ...stackOptions } = options
  const dialogs = new Map<string, DialogEnd>()
  const strays = new RecentCalls()
  const memories = new LruCache<string, NonceCounters>(1000)
  /** INVITEs in progress, by the key that detects one arriving over two paths (RFC 3261 section 8.2.2.2). */
  const underWay = new Map<string, ServerTransaction>()
  let isClosing = false

  const { mayBegin } = options
  const stack = await openStack({
    ...stackOptions,
    ...(mayBegin ? { mayBegin: (request, flow) => isOfDialog(request) || mayBegin(request, flow) } : {}),
    isOfCall: (message) => (message.kind === 'request' ? isOfDialog(message) : isOfPlaced(message)),
    onRequest: receive,
    onStrayResponse: (response, flow) => strays.receive(context, response, flow),
  })
  const context: AgentContext = {
    stack,
    resolver,
    timers: { ...rfcTimers, ...options.timers },
    name,
    session: sessionLimits,
    dialogs,
    live: new CallTable(),
    isPeerOf: (flow, owner) => options.isPeerOf?.(flow, owner) ?? false,
    proxiedFrom: (message, flow) => options.proxiedFrom?.(message, flow),
    onFault: (error) => options.onFault?.(error),
  }

  const isOfDialog = (request: SipRequest) =>
    tagIn(request.headers, 'to') !== null && dialogs.has(keyOfRequest(request))

  const isOfPlaced = (response: SipResponse) => dialogs.has(keyOfResponse(response)) || strays.isOurs(response)

  function receive(transaction: ServerTransaction) {
    const { request } = transaction
    const { method, headers } = request
    const isInside = tagIn(headers, 'to') !== null
    const end = isInside ? dialogs.get(keyOfRequest(request)) : undefined
    if (end) return end.receive(transaction)
    if (method === 'ACK') return
    if ((isInside && method !== 'REGISTER') || insideOnly.has(method)) return reply(transaction, 481)
    if (method === 'INVITE') return invited(transaction)
    onRequest(transaction)
  }

  const reply = (transaction: ServerTransaction, status: number, parts: ReplyParts = {}) =>
    transaction.respond(replyTo(name, transaction.request, status, parts))

  function invited(transaction: ServerTransaction) {
    const { request } = transaction
    const { headers } = request
    const merged = `${headers.get('call-id')}\n${tagIn(headers, 'from')}\n${cseqOf(request)}`
    if (underWay.has(merged)) return reply(transaction, 482)
    underWay.set(merged, transaction)
    transaction.onEnd(() => underWay.delete(merged))
    if (/^\s*0+\s*$/.test(headers.get('max-forwards') ?? '')) return reply(transaction, 483)
    const missing = unsupported(request)
    if (missing.length > 0) return reply(transaction, 420, { headers: [['unsupported', missing.join(', ')]] })
    const refusal = offerRefusal(request, sessionLimits)
    if (refusal) return reply(transaction, refusal.status, refusal)
    if (isClosing) return reply(transaction, 503, { headers: [['retry-after', '30']] })
    const replaces = headers.has('replaces') ? dialogs.get(keyOfReplaces(request)) : undefined
    if (headers.has('replaces') && !replaces) return reply(transaction, 481)
    onInvite(new IncomingCall(context, transaction, replaces))
  }

  return {
    stack,
    invite: (call, handlers) => new OutgoingCall(context, strays, call, handlers),
    request(asked, signal) {
      // Nonce counts are shared by all requests of one user to one server.
      const key = `${asked.credentials?.username}\n${asked.route ?? asked.uri}`
      const memory = memories.get(key) ?? newNonceCounters()
      memories.set(key, memory)
      return sendOutOfDialog(context, asked, memory, signal)
    },
    get calls() {
      return context.live.size
    },
    async close() {
      isClosing = true
      await context.live.end(farewellMs)
      await stack.close()
    },
  }
}

/** RFC 3891 section 3: its to-tag is our tag. */
function keyOfReplaces({ headers }: SipRequest): string {
  const [callId = '', ...params] = (headers.get('replaces') ?? '').split(';').map((part) => part.trim())
  const tag = (which: string) =>
    params.find((param) => param.toLowerCase().startsWith(`${which}=`))?.slice(which.length + 1) ?? ''
  return dialogKey(callId, tag('to-tag'), tag('from-tag'))
}
