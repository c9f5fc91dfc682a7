// Rows of the audit log; part of tables.ts.

/** What a person or a key did to a record. Rows are only added, chained once, and removed with their batch. */
export type AuditRow = {
  id: string
  userId: string // the organization
  createdAt: string
  personId: string | null
  credentialId: string | null // the API key or the session
  address: string | null // truncated
  action: string
  kind: string
  recordId: string | null
  changes: string | null // JSON: see db/audit.ts
  sequence: number | null // 1, 2, 3 … per organization; null until chained
  hash: string | null // over the hash before it and this row
}

/** Consecutive rows of the chain. It stays when retention removes the rows. */
export type AuditBatchRow = {
  userId: string
  lastSequence: number
  firstSequence: number
  headHash: string // the hash of the last row
  createdAt: string
  removedAt: string | null // when retention removed the rows
}

export type AuditTables = { auditRows: AuditRow; auditBatches: AuditBatchRow }
