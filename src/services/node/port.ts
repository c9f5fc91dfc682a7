// What other services use of the node: its row among the others, and the way to reach them.
import type { Node } from '../../db/nodes.ts'

export type { Cluster } from './cluster.ts'

export type NodeRegistry = {
  /** New at each start. */
  processId: string
  /** Dead nodes of the last day included. */
  list(): Promise<Node[]>
  /** A live node. */
  find(name: string): Promise<Node | undefined>
  /** Where the calls and their limit are read from. */
  countCallsBy(load: () => Pick<Node, 'calls' | 'maxCalls'>): void
  /** Sets where other nodes connect to, host:port. */
  setAddress(address: string): Promise<void>
  /** Tells the others that this node takes no new calls. */
  drain(): void
}
