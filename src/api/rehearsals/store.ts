// Rehearsals: the only file that writes their table.
import { now, nowMs } from '../../base/clock.ts'
import { found } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Db } from '../../db/database.ts'
import { ownedPage, ownedRow, requireOwned } from '../../db/owned.ts'
import { fromJson, type RehearsalRow } from '../../db/tables.ts'
import type { ListedRehearsal, Rehearsal, RehearsalOutcome } from './schema.ts'

export type RehearsalStore = ReturnType<typeof rehearsalStore>
export type NewRow = { agentId: string; name: string; mode: 'text' | 'audio'; replayOf: string | null }
export type Ended = { status: 'passed' | 'failed' | 'error'; durationMs: number | null; outcome: RehearsalOutcome }

/** Real time. A longer rehearsal is stopped; an older one that still counts as running was left behind by a process that ended. */
export const LIMIT_MS = 15 * 60_000
const LEFT_MS = LIMIT_MS + 60_000

export function rehearsalStore(db: Db) {
  const row = ownedRow(db, 'rehearsals')
  return {
    page: ownedPage(db, 'rehearsals'),

    async get(userId: string, id: string): Promise<Rehearsal> {
      return toRehearsal(found('Rehearsal', await row(userId, id)))
    },

    async create(userId: string, given: NewRow): Promise<Rehearsal> {
      await requireOwned(db, 'agents', userId, given.agentId, 'Agent')
      const stored: RehearsalRow = {
        id: newId('reh'),
        userId,
        ...given,
        status: 'running',
        checksPassed: 0,
        checksFailed: 0,
        durationMs: null,
        outcome: null,
        createdAt: now(),
        endedAt: null,
      }
      await db.insertInto('rehearsals').values(stored).execute()
      return toRehearsal(stored)
    },

    /** The row may have been deleted meanwhile. */
    async finish(id: string, { status, durationMs, outcome }: Ended): Promise<void> {
      const checksPassed = outcome.checks.filter(({ passed }) => passed).length
      await db
        .updateTable('rehearsals')
        .set({
          status,
          durationMs,
          checksPassed,
          checksFailed: outcome.checks.length - checksPassed,
          outcome: JSON.stringify(outcome),
          endedAt: now(),
        })
        .where('id', '=', id)
        .execute()
    },

    async remove(userId: string, id: string): Promise<Rehearsal> {
      const removed = await db
        .deleteFrom('rehearsals')
        .where('userId', '=', userId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return toRehearsal(found('Rehearsal', removed))
    },
  }
}

const isLeft = (row: RehearsalRow) => row.status === 'running' && nowMs() - Date.parse(row.createdAt) > LEFT_MS

export function toListedRehearsal(row: RehearsalRow): ListedRehearsal {
  const { userId, outcome, createdAt, status, ...rest } = row
  return { ...rest, status: isLeft(row) ? 'error' : status, startedAt: createdAt }
}

export const emptyOutcome: RehearsalOutcome = {
  error: null,
  llm: null,
  checks: [],
  transcript: [],
  toolCalls: [],
  turns: [],
  endReason: null,
  stepsPlayed: 0,
  comparison: null,
}

export function toRehearsal(row: RehearsalRow): Rehearsal {
  const outcome = fromJson<RehearsalOutcome>(row.outcome) ?? emptyOutcome
  const error = isLeft(row) ? 'The process that rehearsed it has ended' : outcome.error
  return { ...toListedRehearsal(row), ...outcome, error }
}
