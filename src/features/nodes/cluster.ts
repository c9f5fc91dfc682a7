// This node's connections to the others: requests over the bus, streams over the link. Both exist only with PostgreSQL;
// SQLite has one node.
import { networkInterfaces } from 'node:os'
import { ownedListener, runOwned } from '../../base/errors/error-containment.ts'
import { type AppError, appError } from '../../base/errors/errors.ts'
import { countFault } from '../../base/errors/faults.ts'
import type { Log } from '../../base/process/log.ts'
import { every } from '../../base/time/timer.ts'
import { type BusDrop, type BusHandler, createBus } from '../../cluster/bus.ts'
import type { Channel, ChannelParts } from '../../cluster/channel.ts'
import { busKeys, linkKeys } from '../../cluster/keys.ts'
import { connectLink } from '../../cluster/link-client.ts'
import { type LinkHandler, type LinkServer, type LinkServerParts, linkServer } from '../../cluster/link-server.ts'
import type { LinkStream } from '../../cluster/link-stream.ts'
import { notifyChannel } from '../../cluster/notify-channel.ts'
import { redisChannel } from '../../cluster/redis-channel.ts'
import { messageSeal } from '../../cluster/sealed-messages.ts'
import { sharedClock } from '../../cluster/shared-clock.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/db.ts'
import type { Node } from '../../db/nodes.ts'
import { readDbClock } from '../../db/time.ts'
import type { NodeRegistry } from './registry.ts'

export type Cluster = {
  /** Registers a handler for requests from other nodes. */
  handle(name: string, handler: BusHandler): void
  /** A node's answer, or its error; `call_other_node` if it does not answer. */
  request(nodeName: string, name: string, body: unknown): Promise<unknown>
  /** Registers a handler for streams from other nodes. */
  serve(name: string, handler: LinkHandler): void
  /** Opens a stream to a node; throws like `request`. */
  connect(nodeName: string, name: string, body: unknown): Promise<LinkStream>
}

/** `address`: of its link, null until it listens. */
type Reachable = Pick<Node, 'processId' | 'address'>

export type ClusterParts = {
  config: Pick<Config, 'database' | 'redisUrl' | 'nodeLink'>
  db: Db
  masterKeys: readonly string[]
  nodes: Pick<NodeRegistry, 'processId' | 'setAddress'> & { find(name: string): Promise<Reachable | undefined> }
  log: Log
}

const CLOCK_MS = 10_000
const WARN_EVERY = 100

export async function openCluster(parts: ClusterParts, stack: AsyncDisposableStack): Promise<Cluster | null> {
  const { config, db, nodes, log, masterKeys } = parts
  if (config.database.kind === 'sqlite') return null
  const { processId } = nodes
  const clock = sharedClock(() => readDbClock(db))
  await clock.read()
  const reading = every(CLOCK_MS, clock.read, () => {}) // while the database is down, the last reading remains in use
  stack.defer(() => reading.stop())

  const bus = createBus({
    processId,
    seal: messageSeal(busKeys(masterKeys)),
    nowMs: clock.nowMs,
    onDrop: dropReporter(log),
    onError: (err) => log.warn({ err }, 'message between nodes failed'),
  })
  stack.defer(() => bus.close())
  const channel = (name: string, open: (given: ChannelParts) => Promise<Channel>, url: string) =>
    open({ url, processId, onMessage: bus.receive, onState: stateReporter(log, name) }).then(bus.use)
  if (config.redisUrl) await channel('redis', redisChannel, config.redisUrl)
  await channel('postgres', notifyChannel, config.database.url)

  const handlers = new Map<string, LinkHandler>()
  const keys = linkKeys(masterKeys)
  const onError = (err: unknown) => log.error({ err }, 'stream between nodes failed')
  const link = await openLink(config.nodeLink, { keys, processId, handlers, onError })
  stack.defer(() => link.server.close())
  await nodes.setAddress(link.address)

  /** A node with a lease, or an error that names it. */
  async function nodeOf(name: string) {
    const node = await nodes.find(name)
    if (!node) throw unreachable(name)
    return node
  }

  return {
    handle: (name, handler) => bus.handle(name, ownedRequest(name, handler, log)),
    async request(nodeName, name, body) {
      const { processId: to } = await nodeOf(nodeName)
      return bus.request(to, { name, body, unreachable: () => unreachable(nodeName) })
    },
    serve: (name, handler) => void handlers.set(name, ownedStream(name, handler, log)),
    async connect(nodeName, name, body) {
      const { processId: to, address } = await nodeOf(nodeName)
      if (address === null) throw unreachable(nodeName)
      return connectLink({ keys, address, request: { to, name, body }, unreachable: () => unreachable(nodeName) })
    },
  }
}

/** A fault in what the handler starts fails this request alone. */
const ownedRequest =
  (name: string, handler: BusHandler, log: Log): BusHandler =>
  (body) => {
    const faulty = Promise.withResolvers<never>()
    const owner = { kind: 'request', id: `${name} of another node`, log, end: faulty.reject } as const
    return runOwned(owner, () => Promise.race([handler(body), faulty.promise]))
  }

/** A fault in what the handler starts ends this stream alone. */
const ownedStream =
  (name: string, handler: LinkHandler, log: Log): LinkHandler =>
  (body) => {
    let stream: LinkStream | undefined
    const owner = { kind: 'socket', id: `${name} of another node`, log, end: () => stream?.fail() } as const
    return runOwned(owner, async () => {
      const begin = await handler(body)
      return ownedListener((given: LinkStream) => {
        stream = given
        begin(given)
      })
    })
  }

const unreachable = (node: string): AppError =>
  appError('call_other_node', { node }, { headers: { 'retry-after': '3' } })

type LinkParts = Pick<LinkServerParts, 'keys' | 'processId' | 'handlers' | 'onError'>

/** Listens on the advertised address. Behind NAT that address is not local, so it listens on all interfaces. */
async function openLink(
  { host: named, port }: Config['nodeLink'],
  parts: LinkParts,
): Promise<{ server: LinkServer; address: string }> {
  const host = named ?? ownAddress()
  const server = await linkServer({ ...parts, host, port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRNOTAVAIL') throw error
    return linkServer({ ...parts, host: '::', port })
  })
  return { server, address: `${host.includes(':') ? `[${host}]` : host}:${server.port}` }
}

/** Logs once when the connection is lost and once when it is back. */
function stateReporter(log: Log, channel: string) {
  let isAway = false
  return (err: Error | null) => {
    if (err && !isAway) log.warn({ err, channel }, 'connection for messages between nodes lost; reconnecting')
    if (!err && isAway) log.info({ channel }, 'connection for messages between nodes is back')
    isAway = err !== null
  }
}

/** Counted for /metrics, so that a flood does not fill the log. */
function dropReporter(log: Log) {
  let dropped = 0
  return (why: BusDrop) => {
    countFault('bus')
    if (dropped++ % WARN_EVERY === 0) log.warn({ why, dropped }, 'dropped a message between nodes')
  }
}

/** The first IPv4 address that is not a loopback address. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
}
