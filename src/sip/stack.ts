// The SIP stack: transports and transactions behind one interface.

import type { Flow, Hop, SipMessage, SipRequest, SipResponse, TransportName } from './message/message.ts'
import type { ParseResult } from './message/parse.ts'
import type { ClientHandlers, ClientTransaction } from './transaction/client-transaction.ts'
import { ClientTransactions } from './transaction/client-transactions.ts'
import type { ServerTransaction } from './transaction/server-transaction.ts'
import { ServerTransactions } from './transaction/server-transactions.ts'
import { rfcTimers, type SipTimers } from './transaction/timers.ts'
import type { Relay, RelayedMessage } from './transport/relayed-connections.ts'
import { type StreamLimits, streamLimits } from './transport/stream-connection.ts'
import { type Listener, Transports } from './transport/transports.ts'
import { type TraceEvent, Wire } from './transport/wire.ts'

export type {
  ClientHandlers,
  ClientTransaction,
  Listener,
  Relay,
  RelayedMessage,
  ServerTransaction,
  SipTimers,
  TraceEvent,
}

export type StackOptions = {
  listeners: readonly Listener[]
  /** PEM texts; needed when there is a TLS listener. */
  tls?: { cert: string; key: string }
  /** Extra authorities for our TLS client, and whether it accepts anybody (for a trunk with a self-signed certificate). */
  tlsClient?: { ca?: string; rejectUnauthorized?: boolean }
  /** The name or address that Via and Contact tell, when it is not the socket's own. */
  publicAddress?: string
  /** Peers to which the socket's own address is told all the same: a proxy in front of us. */
  isInside?: (address: string) => boolean
  /** RFC 3261 table 4. Tests make them short. */
  timers?: Partial<SipTimers>
  limits?: Partial<StackLimits>
  /** To other nodes; left out: there are none. */
  relay?: Relay
  /** Asked before a message is parsed, and when a connection comes: false drops it in silence. */
  admit?: (flow: Flow) => boolean
  /** Asked when a connection comes: whose peer it is, where its address is known. It may keep the connection without authenticating, within its owner's part. */
  ownerOf?: (flow: Flow) => string | undefined
  /** Asked of a request that belongs to no transaction, before anything is made of it or answered: false is silence, a number the only response. */
  mayBegin?: (request: SipRequest, flow: Flow) => boolean | number
  /** Asked of an ACK or of a 2xx to an INVITE that belongs to no transaction: false drops it, untraced. */
  isOfCall?: (message: SipMessage) => boolean
  /** Called when bytes could not be read as SIP (for counting scanners). */
  onGarbage?: (flow: Flow, problem: string) => void
  /** Runs `work`, which handles what came by this flow. `disconnect` closes its connection, where it has one. */
  contain?: (flow: Flow, disconnect: () => void, work: () => void) => void
  /** Called with what a handler threw while a message was handled: it went no farther. */
  onFault?: (error: unknown) => void
  /** Sees every message that we send, and every one that comes and belongs to a transaction or call, or may begin one. Must not throw. */
  trace?: (event: TraceEvent) => void
  /** A request that belongs to no transaction. An ACK for a 2xx comes this way too (its transaction takes no response). */
  onRequest: (transaction: ServerTransaction) => void
  /** A 2xx to an INVITE whose transaction is gone (a late fork, a retransmission after its end). */
  onStrayResponse?: (response: SipResponse, flow: Flow) => void
}

export type StackLimits = StreamLimits & {
  /** Above it new requests get 503. An answered INVITE counts for 32 s: this is 300 calls a second with room for more. */
  maxTransactions: number
}

export interface SipStack {
  /** Adds the Via and sends. The ACK to a non-2xx final response is the stack's own work. */
  request(request: SipRequest, to: Hop | Flow, handlers: ClientHandlers): ClientTransaction
  /** Without a transaction: the ACK to a 2xx. Adds the Via; the same request sent again is the same on the wire. */
  send(request: SipRequest, to: Hop | Flow): void
  /** Where the peer would reach us over this flow: for Contact (host is publicAddress where given). */
  contactOf(to: Hop | Flow): { host: string; port: number; transport: TransportName }
  /** Something that came over this flow was authenticated: its connection may stay, as one of the owner's where it is one's. */
  authenticate(flow: Flow, owner?: string): void
  /** The flow of a phone that is connected to another node; undefined: this node is the only one. */
  borrow(node: string, flow: Flow): Flow | undefined
  /** A message that another node relays: to a phone that is connected here, or from one whose connection this node borrows. Returns why it cannot be delivered. */
  receiveRelayed(node: string, message: RelayedMessage): string | null
  /** Ports really bound, in the order of the listeners (a test asks for port 0). */
  readonly listeners: readonly Listener[]
  /** Transactions alive now: nothing may leak. */
  readonly transactions: number
  /** TCP and TLS connections alive now. */
  readonly connections: number
  close(): Promise<void>
}

export async function openStack(options: StackOptions): Promise<SipStack> {
  const { admit, ownerOf, mayBegin, onGarbage, onRequest, onStrayResponse } = options
  const { contain = (_flow, _disconnect, work) => work() } = options
  const limits: StackLimits = { ...streamLimits, maxTransactions: 50_000, ...options.limits }
  const wire: Wire = new Wire({ ...options, timers: { ...rfcTimers, ...options.timers } }, () => transports)
  const isOfCall = (message: SipMessage) => !options.isOfCall || wire.ask(() => options.isOfCall?.(message) ?? true)
  const clients = new ClientTransactions(wire, {
    isOfCall,
    stray: (response, flow) => onStrayResponse?.(response, flow),
  })
  const servers: ServerTransactions = new ServerTransactions(wire, {
    onRequest,
    mayBegin: (request, flow) => !mayBegin || wire.ask(() => mayBegin(request, flow)),
    isOfCall,
    isFull: () => alive() >= limits.maxTransactions,
  })
  const alive = () => clients.size + servers.size
  /** What comes between the first socket and the last is not for a stack that nobody holds yet. */
  let isOpen = false

  function received(result: ParseResult, flow: Flow): void {
    if ('problem' in result) {
      if (onGarbage) wire.call(() => onGarbage(flow, result.problem))
      servers.refuse(result, flow)
      return
    }
    const { message } = result
    const isForwarded = transports.relayed?.forward(message, flow, () => wire.call(() => take(message, flow)))
    if (!isForwarded) take(message, flow)
  }

  function take(message: SipMessage, flow: Flow): void {
    if (message.kind === 'request') servers.receive(message, flow)
    else clients.receive(message, flow)
  }

  const transports: Transports = await Transports.open(
    { ...options, limits },
    {
      admit: (flow) => isOpen && (!admit || wire.ask(() => admit(flow))),
      ownerOf: (flow) => wire.ask(() => ownerOf?.(flow)) || undefined,
      heard: (flow, work) =>
        contain(
          flow,
          () => transports.disconnect(flow),
          () => wire.call(work),
        ),
      received: (read, flow) => wire.call(() => received(read(), flow)),
      closed: (connection, detail) => wire.call(() => clients.closed(connection, detail)),
    },
  )
  isOpen = true

  return {
    request: (request, to, handlers) => clients.request(request, to, handlers),
    send: (request, to) => clients.send(request, to),
    authenticate: (flow, owner) => transports.authenticate(flow, owner),
    borrow: (node, flow) => transports.relayed?.borrow(node, flow),
    receiveRelayed: (node, message) => transports.relayed?.receive(node, message) ?? null,
    contactOf: (to) => transports.sentBy(to),
    listeners: transports.listeners,
    get transactions() {
      return alive()
    },
    get connections() {
      return transports.connections
    },
    async close() {
      clients.close()
      servers.close()
      await transports.close()
    },
  }
}
