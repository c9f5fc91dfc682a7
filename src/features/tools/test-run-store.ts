// Tool test runs have real effects, so each is recorded before it starts. The request itself is not stored.
import { now, nowMs, toIso } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { olderThan, type PageRequest } from '../../db/owned.ts'
import type { ToolTestRow } from '../../db/usage-rows.ts'
import type { ToolTestRun } from './schema.ts'

export type TestRuns = ReturnType<typeof testRuns>

export function testRuns(db: Db) {
  return {
    async begin(run: Pick<ToolTestRow, 'id' | 'userId' | 'toolId' | 'name'>): Promise<void> {
      const row: ToolTestRow = { ...run, status: 'running', error: null, startedAt: now(), durationMs: null }
      await db.insertInto('toolTests').values(row).execute()
    },

    async finish(id: string, end: Pick<ToolTestRow, 'status' | 'error' | 'durationMs'>): Promise<void> {
      await db.updateTable('toolTests').set(end).where('id', '=', id).execute()
    },

    /** Newest first. */
    page(userId: string, toolId: string, { limit, after }: PageRequest): Promise<ToolTestRow[]> {
      const own = db.selectFrom('toolTests').selectAll().where('userId', '=', userId).where('toolId', '=', toolId)
      const rows = own.orderBy('startedAt', 'desc').orderBy('id', 'desc').limit(limit)
      return (after ? rows.where(olderThan('startedAt', after.at, after.id)) : rows).execute()
    },

    async removeOlderThan(ageMs: number): Promise<void> {
      await db
        .deleteFrom('toolTests')
        .where('startedAt', '<', toIso(nowMs() - ageMs))
        .execute()
    },
  }
}

export const toTestRun = ({ userId, toolId, name, ...row }: ToolTestRow): ToolTestRun => ({ ...row, function: name })
