// This node's row: inserted at startup, renewed with its load, removed at shutdown.
import { availableParallelism } from 'node:os'
import type { Log } from '../../base/process/log.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import { every } from '../../base/time/timer.ts'
import type { Db } from '../../db/db.ts'
import { NODE_RENEW_MS, type Node, type NodeReport, nodeRows } from '../../db/nodes.ts'
import { version } from '../../version.ts'
import { type NodeState, nodeWatch } from './node-watch.ts'

type CallLoad = Pick<NodeReport, 'calls' | 'maxCalls'>

export type NodeRegistry = {
  /** Changes with each start. */
  processId: string
  /** Includes nodes that died within the last day. */
  list(): Promise<Node[]>
  /** Logs which nodes have died or come back, based on the last list; only while expired leases can be trusted. */
  reportChanges(): void
  /** Number of nodes in each state in the last list. */
  counts(): Record<NodeState, number>
  /** A live node, by name. */
  find(name: string): Promise<Node | undefined>
  /** Sets the source of the call count and its limit. */
  countCallsBy(load: () => Pick<Node, 'calls' | 'maxCalls'>): void
  /** Sets the address that other nodes connect to, as host:port. */
  setAddress(address: string): Promise<void>
  /** Tells the other nodes that this one takes no new calls. */
  drain(): void
}

const HOURLY = 1200 // in renewals

export async function openRegistry(
  { db, log, nodeName }: { db: Db; log: Log; nodeName: string },
  stack: AsyncDisposableStack,
): Promise<NodeRegistry> {
  const rows = nodeRows(db, { name: nodeName, release: version })
  const watch = nodeWatch(log)
  const onError = (err: unknown) => log.warn({ err }, 'failed to renew the lease of this node; retrying')
  const busy = cpuShare()
  let callLoad = (): CallLoad => ({ calls: 0, maxCalls: null })
  let address: string | null = null
  let isDraining = false
  let isReplaced = false
  let renewals = 0
  const report = (): NodeReport => ({ ...callLoad(), busy: busy(), address, isDraining })

  async function renew(): Promise<void> {
    if (await rows.renew(report())) isReplaced = false
    else if (!isReplaced) {
      isReplaced = true
      log.error({ nodeName }, 'another process has this NODE_NAME: give each node its own')
    }
    if (renewals++ % HOURLY === 0) await rows.removeOld()
  }

  await rows.enter(report())
  const renewing = every(NODE_RENEW_MS, renew, onError)
  stack.defer(() => renewing.stop().then(rows.leave).catch(onError))
  return {
    processId: rows.processId,
    async list() {
      const nodes = await rows.list()
      watch.saw(nodes)
      return nodes
    },
    reportChanges: watch.report,
    counts: watch.counts,
    find: rows.find,
    countCallsBy(load) {
      callLoad = load
    },
    async setAddress(given) {
      address = given
      await renew()
    },
    drain() {
      isDraining = true
      renewing.wake() // not concurrently: a renewal after the row was removed would bring it back
    },
  }
}

/** This process's CPU time since the last reading, as a share of the machine. */
function cpuShare(): () => number {
  let last = { at: monotonicMs(), cpu: process.cpuUsage() }
  return () => {
    const { user, system } = process.cpuUsage(last.cpu)
    const elapsedMs = monotonicMs() - last.at
    last = { at: monotonicMs(), cpu: process.cpuUsage() }
    return elapsedMs <= 0 ? 0 : Math.min(1, (user + system) / 1000 / elapsedMs / availableParallelism())
  }
}
