// The other nodes as seen by this one: counts by state, and a log line when one dies or comes back.
import type { Log } from '../../base/process/log.ts'
import type { Node } from '../../db/nodes.ts'

export type NodeState = 'up' | 'draining' | 'down'

const stateOf = ({ isAlive, isDraining }: Node): NodeState => {
  if (!isAlive) return 'down'
  return isDraining ? 'draining' : 'up'
}

export function nodeWatch(log: Log) {
  let last: readonly Node[] = []
  /** By name, as last reported. */
  let wasAlive = new Map<string, boolean>()
  return {
    saw(nodes: readonly Node[]): void {
      last = nodes
    },
    /** A node that was stopped properly is no longer in the list, so it is not reported. */
    report(): void {
      for (const { name: node, isAlive, leaseUntil } of last) {
        const before = wasAlive.get(node)
        if (before === true && !isAlive)
          log.warn({ node, leaseUntil }, 'a node has died: it no longer renews its lease')
        if (before === false && isAlive) log.info({ node }, 'a node is back')
      }
      wasAlive = new Map(last.map(({ name, isAlive }) => [name, isAlive]))
    },
    counts(): Record<NodeState, number> {
      const counts = { up: 0, draining: 0, down: 0 }
      for (const node of last) counts[stateOf(node)]++
      return counts
    },
  }
}
