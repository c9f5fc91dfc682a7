// The rows of nodes, which share one database; part of tables.ts.

/** A process that serves this database. A node whose lease has expired is dead; its row stays until it is back, or for a day. */
export type NodeRow = {
  name: string // NODE_NAME; `nodeId` on the wire
  processId: string // new at each start: the latest process with this name has the row
  address: string | null // host:port of the connection between nodes; null: none
  release: string
  schema: string // the newest migration that the release knows
  calls: number
  maxCalls: number | null // null: the phone is off
  busy: number // CPU of the process, 0 to 1 of the machine
  isDraining: 0 | 1
  startedAt: string
  leaseUntil: string // by the database's clock
}

/** A call that counts for the limits of its user, trunk and device, while the node that holds it lives. */
export type CallSlotRow = {
  id: string
  holder: string // the processId of its node
  userId: string
  trunkId: string | null
  deviceId: string | null
}

/** What one key of one purpose was admitted for lately. */
export type RateWindowRow = {
  name: string // a hash of purpose and key
  purpose: string
  times: string // JSON: milliseconds by the database's clock, oldest first
  expiresAt: string
}

export type ClusterTables = { nodes: NodeRow; callSlots: CallSlotRow; rateWindows: RateWindowRow }
