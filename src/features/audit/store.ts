// The audit log of an organization, newest first.
import type { AuditRow } from '../../db/audit-rows.ts'
import type { Db } from '../../db/database.ts'
import { olderThan, type PageRequest } from '../../db/owned.ts'
import { fromJson } from '../../db/tables.ts'
import type { AuditEntry, AuditFilter } from './schema.ts'

export type AuditStore = ReturnType<typeof auditStore>
export type AuditListed = AuditRow & { personName: string | null }

const PAGE = 500

export function auditStore(db: Db) {
  function page(userId: string, filter: AuditFilter, { limit, after }: PageRequest): Promise<AuditListed[]> {
    let query = db
      .selectFrom('auditRows')
      .leftJoin('users', 'users.id', 'auditRows.personId')
      .selectAll('auditRows')
      .select('users.name as personName')
      .where('auditRows.userId', '=', userId)
      .orderBy('auditRows.createdAt', 'desc')
      .orderBy('auditRows.id', 'desc')
      .limit(limit)
    for (const column of ['personId', 'kind', 'recordId', 'action'] as const) {
      const value = filter[column]
      if (value !== undefined) query = query.where(`auditRows.${column}`, '=', value)
    }
    if (filter.from) query = query.where('auditRows.createdAt', '>=', utc(filter.from))
    if (filter.to) query = query.where('auditRows.createdAt', '<', utc(filter.to))
    if (after) query = query.where(olderThan('auditRows.createdAt', after.at, after.id, 'auditRows.id'))
    return query.execute()
  }

  return {
    page,

    /** Everything that matches, in pages. */
    async *pages(userId: string, filter: AuditFilter): AsyncGenerator<AuditEntry[]> {
      let after: PageRequest['after']
      for (let rows = await page(userId, filter, { limit: PAGE }); rows.length > 0; ) {
        yield rows.map(toAuditEntry)
        const last = rows[PAGE - 1]
        if (!last) return
        after = { at: last.createdAt, id: last.id }
        rows = await page(userId, filter, { limit: PAGE, after })
      }
    },
  }
}

/** Timestamps are compared as text. */
const utc = (time: string): string => new Date(time).toISOString()

export const toAuditEntry = ({ userId, changes, kind, ...row }: AuditListed): AuditEntry => ({
  ...row,
  kind: kind as AuditEntry['kind'],
  changes: fromJson<AuditEntry['changes']>(changes) ?? [],
})
