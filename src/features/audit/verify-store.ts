// Verifies the chain of an organization's audit log from what is kept of it.
import type { AuditBatchRow } from '../../db/audit-rows.ts'
import type { Db } from '../../db/database.ts'
import { checkBatch, type Finding, GENESIS } from './chain.ts'

export type Verification = {
  /** Rows that were checked. */
  rows: number
  /** Rows that are not part of the chain yet. */
  waiting: number
  /** The last sequence whose row retention removed; 0: none. */
  removedUpTo: number
  head: { sequence: number; hash: string } | null
  /** Whether the asked hash is a head of this chain. */
  hasHead: boolean
  findings: Finding[]
}

const PAGE = 100

/** The organizations that have an audit log. */
export async function auditedOrganizations(db: Db): Promise<string[]> {
  const of = (table: 'auditRows' | 'auditBatches') => db.selectFrom(table).select('userId')
  const rows = await of('auditBatches').union(of('auditRows')).execute()
  return rows.map(({ userId }) => userId).sort()
}

export async function verifyAudit(db: Db, userId: string, head: string | null): Promise<Verification> {
  const result: Verification = { rows: 0, waiting: 0, removedUpTo: 0, head: null, hasHead: false, findings: [] }
  let [sequence, hash] = [0, GENESIS]
  for (let batches = await batchesAfter(db, userId, 0); batches.length > 0; ) {
    for (const batch of batches) {
      if (batch.firstSequence !== sequence + 1)
        result.findings.push({ problem: 'removed', first: sequence + 1, last: batch.firstSequence - 1 })
      const isOldest = result.removedUpTo === sequence
      if (batch.removedAt !== null && isOldest) result.removedUpTo = batch.lastSequence
      else {
        const rows = await rowsOf(db, batch)
        result.rows += rows.length
        // Without the batch before it, the first hash of this one cannot be judged.
        result.findings.push(...checkBatch(batch.firstSequence === sequence + 1 ? hash : null, batch, rows))
      }
      ;[sequence, hash] = [batch.lastSequence, batch.headHash]
      result.hasHead ||= hash === head
    }
    batches = await batchesAfter(db, userId, sequence)
  }
  if (sequence > 0) result.head = { sequence, hash }
  await checkRest(db, userId, sequence, result)
  return result
}

/** Rows beyond the last batch: their batch was removed, or somebody added them. */
async function checkRest(db: Db, userId: string, sequence: number, result: Verification): Promise<void> {
  const own = db.selectFrom('auditRows').where('userId', '=', userId)
  const { waiting } = await own
    .select(({ fn }) => fn.countAll<number | string>().as('waiting'))
    .where('sequence', 'is', null)
    .executeTakeFirstOrThrow()
  result.waiting = Number(waiting)
  const beyond = own.select(({ fn }) => [fn.min('sequence').as('first'), fn.max('sequence').as('last')])
  const { first, last } = await beyond.where('sequence', '>', sequence).executeTakeFirstOrThrow()
  if (first !== null && last !== null) result.findings.push({ problem: 'added', first, last })
}

const batchesAfter = (db: Db, userId: string, sequence: number): Promise<AuditBatchRow[]> =>
  db
    .selectFrom('auditBatches')
    .selectAll()
    .where('userId', '=', userId)
    .where('lastSequence', '>', sequence)
    .orderBy('lastSequence')
    .limit(PAGE)
    .execute()

const rowsOf = (db: Db, { userId, firstSequence, lastSequence }: AuditBatchRow) =>
  db
    .selectFrom('auditRows')
    .selectAll()
    .where('userId', '=', userId)
    .where('sequence', '>=', firstSequence)
    .where('sequence', '<=', lastSequence)
    .orderBy('sequence')
    .execute()
