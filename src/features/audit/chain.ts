// The hash chain of an organization's audit log, and what its checks find.
import { hash } from 'node:crypto'
import type { AuditBatchRow, AuditRow } from '../../db/audit-rows.ts'

/** Before the first row. */
export const GENESIS = '0'.repeat(64)

/** Every column but the hash, in this order. A new column goes at the end, and only where it is set. */
const contentsOf = (row: AuditRow) => [
  row.userId,
  row.sequence,
  row.id,
  row.createdAt,
  row.personId,
  row.credentialId,
  row.address,
  row.action,
  row.kind,
  row.recordId,
  row.changes,
]

export const hashOf = (previous: string, row: AuditRow): string =>
  hash('sha256', `${previous}\n${JSON.stringify(contentsOf(row))}`)

/** Numbers rows and chains them to `head`. */
export function chained(rows: readonly AuditRow[], head: { sequence: number; hash: string }): AuditRow[] {
  let { sequence, hash: previous } = head
  return rows.map((row) => {
    const numbered = { ...row, sequence: ++sequence }
    previous = hashOf(previous, numbered)
    return { ...numbered, hash: previous }
  })
}

export type Problem = 'edited' | 'removed' | 'reordered' | 'rewritten' | 'added'
export type Finding = { problem: Problem; first: number; last: number }

/** Checks the rows of a batch, in order, against its head and the one before it; null if that one is not known. */
export function checkBatch(before: string | null, batch: AuditBatchRow, rows: readonly AuditRow[]): Finding[] {
  const findings: Finding[] = []
  const bySequence = new Map(rows.map((row) => [row.sequence, row]))
  /** Null after a removed row, whose hash nobody knows: the row after it cannot be judged. */
  let previous = before
  for (let n = batch.firstSequence; n <= batch.lastSequence; n++) {
    const row = bySequence.get(n)
    if (!row) {
      add(findings, 'removed', n)
      previous = null
      continue
    }
    const known: string | null = previous
    const isRight = known === null || hashOf(known, row) === row.hash
    // A row that fits here but for its number was moved.
    const moved = isRight ? undefined : rows.find((each) => hashOf(known ?? '', { ...each, sequence: n }) === each.hash)
    if (!isRight) add(findings, moved ? 'reordered' : 'edited', n)
    previous = (moved ?? row).hash
  }
  if (findings.length === 0 && previous !== batch.headHash)
    findings.push({ problem: 'rewritten', first: batch.firstSequence, last: batch.lastSequence })
  return findings
}

/** Neighbors with the same problem are one finding. */
function add(findings: Finding[], problem: Problem, n: number): void {
  const last = findings.at(-1)
  if (last?.problem === problem && last.last === n - 1) last.last = n
  else findings.push({ problem, first: n, last: n })
}
