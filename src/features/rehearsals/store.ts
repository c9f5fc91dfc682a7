// Rehearsals: the only file that writes their table.
import { found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now, nowMs } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { ownedPage, ownedRow, requireOwned } from '../../db/owned.ts'
import { fromJson, type RehearsalRow, toJson } from '../../db/tables.ts'
import { writeOnce } from '../../db/write-once.ts'
import type { ListedRehearsal, Rehearsal, RehearsalOutcome, Script } from './schema.ts'

export type RehearsalStore = ReturnType<typeof rehearsalStore>
export type NewRow = Pick<RehearsalRow, 'agentId' | 'name' | 'mode' | 'replayOf' | 'scriptId'> & {
  script: Script | null
}
export type Ended = { status: 'passed' | 'failed' | 'error'; durationMs: number | null; outcome: RehearsalOutcome }

/**
 * In real time. A longer rehearsal is stopped; one still marked as running after that was orphaned by a dead process.
 */
export const LIMIT_MS = 15 * 60_000
const ORPHANED_MS = LIMIT_MS + 60_000
export const STOPPED = 'The rehearsal was stopped'

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
        script: toJson(given.script),
        status: 'running',
        checksPassed: 0,
        checksFailed: 0,
        durationMs: null,
        outcome: null,
        createdAt: now(),
        endedAt: null,
      }
      await writeOnce(db, (on) => on.insertInto('rehearsals').values(stored).execute())
      return toRehearsal(stored)
    },

    /** Stores the progress. False if it was stopped or deleted. */
    progress: (id: string, outcome: RehearsalOutcome) => storeProgress(db, id, outcome),

    /** Ends it with what has happened so far; the process running it notices (features/rehearsals/run-progress.ts). */
    async stop(userId: string, id: string): Promise<Rehearsal> {
      const running = found('Rehearsal', await row(userId, id))
      if (running.status !== 'running') return toRehearsal(running)
      const before = fromJson<RehearsalOutcome>(running.outcome) ?? emptyOutcome
      await db
        .updateTable('rehearsals')
        .set({ status: 'error', outcome: JSON.stringify({ ...before, error: STOPPED }), endedAt: now() })
        .where('userId', '=', userId)
        .where('id', '=', id)
        .where('status', '=', 'running')
        .execute()
      return toRehearsal(found('Rehearsal', await row(userId, id)))
    },

    async runningOf(userId: string): Promise<string[]> {
      const running = db
        .selectFrom('rehearsals')
        .select('id')
        .where('userId', '=', userId)
        .where('status', '=', 'running')
      return (await running.execute()).map(({ id }) => id)
    },

    /** The script that was run, and its saved rehearsal. Null for a run from before this was stored. */
    async scriptOf(userId: string, id: string): Promise<{ scriptId: string | null; script: Script | null }> {
      const { scriptId = null, script = null } = found('Rehearsal', await row(userId, id))
      return { scriptId, script: fromJson<Script>(script) }
    },

    finish: (id: string, ended: Ended) => finish(db, id, ended),

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

async function storeProgress(db: Db, id: string, outcome: RehearsalOutcome): Promise<boolean> {
  const still = await db
    .updateTable('rehearsals')
    .set({ outcome: JSON.stringify(outcome) })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  return still !== undefined
}

/** The row may have been deleted or stopped meanwhile. */
async function finish(db: Db, id: string, { status, durationMs, outcome }: Ended): Promise<void> {
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
    .where('status', '=', 'running')
    .execute()
}

const isOrphaned = (row: RehearsalRow) => row.status === 'running' && nowMs() - Date.parse(row.createdAt) > ORPHANED_MS

export function toListedRehearsal(row: RehearsalRow): ListedRehearsal {
  const { userId, outcome, createdAt, status, scriptId, script, ...rest } = row
  return { ...rest, status: isOrphaned(row) ? 'error' : status, startedAt: createdAt }
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

function toRehearsal(row: RehearsalRow): Rehearsal {
  const outcome = fromJson<RehearsalOutcome>(row.outcome) ?? emptyOutcome
  const error = isOrphaned(row) ? 'The process that rehearsed it has ended' : outcome.error
  return { ...toListedRehearsal(row), ...outcome, error }
}
