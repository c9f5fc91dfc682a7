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
import { type Listener, Transports, type TransportsOptions } from './transport/transports.ts'
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

export type StackOptions = Omit<TransportsOptions, 'limits'> & {
  /** RFC 3261 table 4. Tests shorten them. */
  timers?: Partial<SipTimers>
  limits?: Partial<StackLimits>
  /** Called before a message is parsed, and for a new connection: false drops it silently. */
  admit?: (flow: Flow) => boolean
  /** Called for a new connection: the owner of the peer, if its address is known. The connection may then stay without authentication, within the owner's share. */
  ownerOf?: (flow: Flow) => string | undefined
  /** Called for a request without a transaction before anything else is done with it. False: no response. A number: the only response. */
  mayBegin?: (request: SipRequest, flow: Flow) => boolean | number
  /** Called for an ACK, or a 2xx to an INVITE, without a transaction: false drops it, untraced. */
  isOfCall?: (message: SipMessage) => boolean
  /** Called for bytes that are not SIP, to count scanners. */
  onGarbage?: (flow: Flow, problem: string) => void
  /** Runs `work`, which handles what arrived over this flow. `disconnect` closes its connection, if it has one. */
  contain?: (flow: Flow, disconnect: () => void, work: () => void) => void
  /** Reports an exception that a handler threw; it is contained. */
  onFault?: (error: unknown) => void
  /** Sees every message that we send, and every one received that belongs to a transaction or call, or may begin one. Must not throw. */
  trace?: (event: TraceEvent) => void
  /** A request without a transaction; also the ACK for a 2xx, which takes no response. */
  onRequest: (transaction: ServerTransaction) => void
  /** A 2xx to an INVITE whose transaction has ended (a late fork, a retransmission). */
  onStrayResponse?: (response: SipResponse, flow: Flow) => void
}

export type StackLimits = StreamLimits & {
  /** Beyond it, new requests get 503. An answered INVITE counts for 32 s: the default allows 300 calls a second with a margin. */
  maxTransactions: number
}

export interface SipStack {
  /** Adds the Via and sends. The stack itself acknowledges a non-2xx final response. */
  request(request: SipRequest, to: Hop | Flow, handlers: ClientHandlers): ClientTransaction
  /** Without a transaction: the ACK to a 2xx. Adds the Via; sent again, the request is identical on the wire. */
  send(request: SipRequest, to: Hop | Flow): void
  /** Our address for this peer, for Contact (publicAddress if there is one). */
  contactOf(to: Hop | Flow): { host: string; port: number; transport: TransportName }
  /** A message over this flow was authenticated: its connection may stay, counted for the owner if there is one. */
  authenticate(flow: Flow, owner?: string): void
  /** The flow of a phone that is connected to another node; undefined if there are no other nodes. */
  borrow(node: string, flow: Flow): Flow | undefined
  /** A message relayed by another node: to a phone connected here, or from one whose connection this node borrows. Returns why it cannot be delivered. */
  receiveRelayed(node: string, message: RelayedMessage): string | null
  /** The bound ports, in the order of the listeners (tests ask for port 0). */
  readonly listeners: readonly Listener[]
  readonly transactions: number
  /** Open TCP and TLS connections. */
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
  /** Messages that arrive before all sockets are bound are dropped. */
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
