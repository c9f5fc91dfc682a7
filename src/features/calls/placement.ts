// Chooses the node that dials an outbound call: this one while it has room, otherwise the one with the most room.
import type { Log } from '../../base/process/log.ts'
import type { Node } from '../../db/nodes.ts'
import type { CallCapacity } from '../../phone/capacity.ts'
import type { Placement } from './dial-queue.ts'
import type { CallStore } from './store.ts'

export type PlacementParts = {
  nodeName: string
  /** False if the phone of this node is off. */
  hasPhone: boolean
  live: Pick<CallCapacity, 'total' | 'maxCalls'>
  calls: Pick<CallStore, 'give'>
  /** All nodes, including dead ones. */
  list: () => Promise<Node[]>
  /** Tells a node that a call is waiting for it; without this, the node polls every two seconds. */
  wake: (node: string) => void
  log: Log
}

/** A node that is emptier by this share of its limit gets the call even if this one has room. */
const EMPTIER = 0.1

type Known = { name: string; calls: number; maxCalls: number }

export function callPlacement({ nodeName, hasPhone, live, calls, list, wake, log }: PlacementParts) {
  /** Other nodes that take calls, with the number of calls given to them since their last report. */
  let others: Known[] = []
  let liveNames: string[] = []

  const fill = ({ calls: count, maxCalls }: Omit<Known, 'name'>) => count / Math.max(1, maxCalls)
  const emptiest = () =>
    others.filter(({ calls: count, maxCalls }) => count < maxCalls).sort((a, b) => fill(a) - fill(b))[0]

  function choose(isLeaving: boolean): Known | undefined {
    const best = emptiest()
    if (!best || isLeaving || !hasPhone) return best
    const own = { calls: live.total, maxCalls: live.maxCalls }
    const isFull = own.calls >= own.maxCalls
    return isFull || fill(best) + EMPTIER < fill(own) ? best : undefined
  }

  const placement: Placement = {
    hasRoom: () => emptiest() !== undefined,
    async place(call, isLeaving) {
      // A campaign call is dialed by the node that claimed the contact.
      const node = call.attemptId ? undefined : choose(isLeaving)
      if (!node) return false
      try {
        if (!(await calls.give(call.id, node.name))) return false
      } catch (err) {
        log.warn({ err, callId: call.id, node: node.name }, 'failed to give a waiting call to another node')
        return false
      }
      node.calls++
      wake(node.name)
      return true
    },
  }
  return {
    ...placement,
    /** The other live nodes, including draining ones. */
    liveNames: (): readonly string[] => liveNames,
    async refresh(): Promise<void> {
      const alive = (await list()).filter((node) => node.isAlive && node.name !== nodeName)
      liveNames = alive.map(({ name }) => name)
      others = alive.flatMap(({ name, calls: count, maxCalls, isDraining }) =>
        isDraining || maxCalls === null ? [] : [{ name, calls: count, maxCalls }],
      )
    },
  }
}
