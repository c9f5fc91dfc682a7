// TCP and TLS connections of phones, shared between nodes. A call can use a connection of another node: our messages go to the node that has
// it, and the phone's messages of that call come back.
import { LruCache } from '../../base/lru-cache.ts'
import type { Flow, SipMessage } from '../message/message.ts'
import { parseMessage } from '../message/parse.ts'
import { serialize } from '../message/serialize.ts'
import { tagIn } from '../message/values.ts'
import type { TransportEvents } from './stream-connection.ts'

export type RelayedMessage = {
  /** `out`: to send over a connection of the receiving node. `in`: arrived over a connection of the sending node. */
  direction: 'out' | 'in'
  /** The connection, by the phone's end of it. */
  transport: Flow['transport']
  remote: Flow['remote']
  /** Base64. */
  bytes: string
}

type Peer = Pick<Flow, 'transport' | 'remote'>

/** Resolves with why the node could not deliver it, or null; rejects when the node does not answer. */
export type Relay = (node: string, message: RelayedMessage) => Promise<string | null>

/** Messages of one connection or call are sent one after the other: a BYE must not overtake the ACK. */
type Queue = { node: string; last: Promise<void>; waiting: number }
type Borrowed = Queue & { flow: Flow & { connection: number } }

type Parts = {
  relay: Relay
  /** The connections of this node. */
  own: {
    connectionOf(peer: Peer): Flow | undefined
    send(bytes: Buffer, to: Flow, lost: () => void): void
  }
  events: Pick<TransportEvents, 'heard' | 'received' | 'closed'>
}

const MAX_BORROWED = 10_000
const MAX_LENT = 10_000
/** Per queue. */
const MAX_WAITING = 100

export class RelayedConnections {
  readonly #parts: Parts
  readonly #maxBorrowed: number
  /** The least recently used first. */
  readonly #borrowed = new Map<number, Borrowed>()
  readonly #byPeer = new Map<string, Borrowed>()
  /** The nodes whose calls use connections of ours, by connection and Call-ID. */
  readonly #lent = new LruCache<string, Queue>(MAX_LENT)
  #lastId = 0

  constructor(parts: Parts, maxBorrowed = MAX_BORROWED) {
    this.#parts = parts
    this.#maxBorrowed = maxBorrowed
  }

  /** The flow of a phone that is connected to another node. */
  borrow(node: string, { transport, remote }: Peer): Flow {
    const key = peerOf(node, { transport, remote })
    const known = this.#byPeer.get(key)
    if (known) {
      this.#use(known)
      return known.flow
    }
    // The least recently used one: its calls ended long ago.
    const [oldest] = this.#borrowed.values()
    if (oldest && this.#borrowed.size >= this.#maxBorrowed) this.#close(oldest, 'too many connections')
    // Our own connections count upwards.
    const connection = --this.#lastId
    const flow = { transport, remote, local: { address: '', port: 0 }, connection }
    const borrowed: Borrowed = { ...newQueue(node), flow }
    this.#borrowed.set(connection, borrowed)
    this.#byPeer.set(key, borrowed)
    return flow
  }

  isOpen({ connection }: Flow): boolean {
    return connection !== undefined && this.#borrowed.has(connection)
  }

  /** Gives a borrowed connection back, after a fault while a message of it was handled. */
  disconnect({ connection = 0 }: Flow): void {
    const borrowed = this.#borrowed.get(connection)
    if (borrowed) this.#close(borrowed, 'closed by us')
  }

  send(bytes: Buffer, { connection = 0 }: Flow): void {
    const borrowed = this.#borrowed.get(connection)
    if (!borrowed) return
    this.#use(borrowed)
    this.#pass(borrowed, bytes, { ...borrowed.flow, direction: 'out' }).catch((error: Error) =>
      this.#close(borrowed, error.message),
    )
  }

  /** From another node. Returns why it cannot be delivered, or null. */
  receive(node: string, { direction, transport, remote, bytes: text }: RelayedMessage): string | null {
    const bytes = Buffer.from(text, 'base64')
    if (direction === 'out') return this.#sendFor(node, { transport, remote }, bytes)
    const borrowed = this.#byPeer.get(peerOf(node, { transport, remote }))
    if (!borrowed) return 'no call of this node uses the connection'
    this.#use(borrowed)
    const { events } = this.#parts
    const { flow } = borrowed
    events.heard(flow, () => events.received(() => parseMessage(bytes), flow))
    return null
  }

  #sendFor(node: string, peer: Peer, bytes: Buffer): string | null {
    const { own } = this.#parts
    const flow = own.connectionOf(peer)
    if (!flow) return 'the phone has closed its connection'
    const parsed = parseMessage(bytes)
    if ('problem' in parsed) return parsed.problem
    const key = callOf(parsed.message, flow)
    if (this.#lent.get(key)?.node !== node) this.#lent.set(key, newQueue(node))
    own.send(bytes, flow, () => {})
    return null
  }

  /** Forwards a phone's message to the node whose call it belongs to; false: it is for this node. `undelivered`: that node is gone. */
  forward(message: SipMessage, flow: Flow, undelivered: () => void): boolean {
    const key = callOf(message, flow)
    const queue = isNewRequest(message) ? undefined : this.#lent.get(key)
    if (!queue) return false
    this.#pass(queue, serialize(message), { ...flow, direction: 'in' }).catch(() => {
      this.#lent.delete(key)
      undelivered()
    })
    return true
  }

  /** Rejects when it was not delivered. */
  #pass(
    queue: Queue,
    bytes: Buffer,
    { direction, transport, remote }: Peer & Pick<RelayedMessage, 'direction'>,
  ): Promise<void> {
    const message: RelayedMessage = { direction, transport, remote, bytes: bytes.toString('base64') }
    const relay = async () => {
      const problem = await this.#parts.relay(queue.node, message)
      if (problem !== null) throw new Error(problem)
    }
    if (queue.waiting >= MAX_WAITING) return Promise.reject(new Error('too many messages wait for the other node'))
    queue.waiting++
    const passed = queue.last.then(relay).finally(() => queue.waiting--)
    queue.last = passed.catch(() => {})
    return passed
  }

  #use(borrowed: Borrowed): void {
    const { connection } = borrowed.flow
    this.#borrowed.delete(connection)
    this.#borrowed.set(connection, borrowed)
  }

  #close(borrowed: Borrowed, detail: string): void {
    const { node, flow } = borrowed
    if (this.#borrowed.get(flow.connection) !== borrowed) return
    this.#borrowed.delete(flow.connection)
    this.#byPeer.delete(peerOf(node, flow))
    this.#parts.events.closed(flow.connection, detail)
  }
}

const newQueue = (node: string): Queue => ({ node, last: Promise.resolve(), waiting: 0 })

const peerOf = (node: string, { transport, remote }: Peer) => `${node}\n${transport}\n${remote.address}\n${remote.port}`

/** Outside any dialog: a REGISTER or a new call is for the node that has the connection, regardless of its Call-ID. */
const isNewRequest = (message: SipMessage): boolean =>
  message.kind === 'request' && tagIn(message.headers, 'to') === null

const callOf = ({ headers }: SipMessage, { connection }: Flow) => `${connection}\n${headers.get('call-id')}`
