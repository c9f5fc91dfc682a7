// What other services may use of the node registry.
import type { Node } from '../../db/nodes.ts'

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
