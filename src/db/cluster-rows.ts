// The rows of nodes, which share one database; part of tables.ts.

/**
 * A process that serves this database. A node whose lease has expired is dead; its row stays until it comes back, or
 * for a day.
 */
export type NodeRow = {
  name: string // NODE_NAME; `nodeId` in the API
  processId: string // changes with each start; the latest process with this name owns the row
  address: string | null // host:port for connections between nodes; null: none
  release: string
  schema: string // the newest migration known to the release
  calls: number
  maxCalls: number | null // null: the phone is off
  busy: number // CPU of the process, as a share of the machine from 0 to 1
  isDraining: 0 | 1
  startedAt: string
  leaseUntil: string // by the database clock
}

/** A call that counts toward the limits of its user, trunk and device while the node that holds it is alive. */
export type CallSlotRow = {
  id: string
  holder: string // the processId of its node
  userId: string
  trunkId: string | null
  deviceId: string | null
}

/** Recent admissions of one key for one purpose. */
export type RateWindowRow = {
  name: string // a hash of purpose and key
  purpose: string
  times: string // JSON: milliseconds by the database clock, oldest first
  expiresAt: string
}

/**
 * A phone's registered contact (RFC 3261 section 10). A removed one expires at once, but its row stays for two hours so
 * that every node reads it.
 */
export type DeviceBindingRow = {
  deviceId: string
  contact: string
  target: string // Request-URI for calls to it
  params: string // JSON: pairs of name and value
  callId: string
  cseq: number
  path: string // JSON: the proxies (RFC 3327)
  userAgent: string | null
  transport: 'udp' | 'tcp' | 'tls'
  remoteAddress: string // where the REGISTER came from
  remotePort: number
  nodeName: string // the node that received it
  processId: string // its process: only this one can use a TCP or TLS connection
  credential: string // fingerprint of the password: a changed password invalidates the row
  registeredAt: string // by the database clock, like expiresAt
  expiresAt: string
  version: number // value of the counter 'bindings' at the last change
}

export type ClusterTables = {
  nodes: NodeRow
  callSlots: CallSlotRow
  rateWindows: RateWindowRow
  deviceBindings: DeviceBindingRow
}
