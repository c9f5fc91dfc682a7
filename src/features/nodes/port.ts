// What other services use of the node: its row among the others, and how to reach them.
export type { Cluster } from './cluster.ts'
export type { NodeRegistry } from './registry.ts'
