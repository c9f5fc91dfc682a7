// Deletes the files of removed recordings. Each node processes the entries of its own disk, any node those of the
// object store, and retries until the file is gone.
import { backoffMs } from '../../base/concurrency/backoff.ts'
import type { Log } from '../../base/process/log.ts'
import { now, nowMs, toIso } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import type { RecordingRemovalRow } from '../../db/recording-rows.ts'
import { StoreError } from '../../object-storage/object-store.ts'
import { OBJECT_STORE } from './recording-store.ts'

const BATCH = 200
const pauses = { firstMs: 1000, maxMs: 3_600_000 }
/** A claimed entry becomes due again after this long, in case its process died. */
const LEASE_MS = 60_000
/** Older entries are logged. */
const OVERDUE_MS = 3_600_000

export type RemovalParts = {
  db: Db
  /** A disk id, or the object store. */
  node: string
  /** No error if it is already gone. */
  remove(file: string): Promise<void>
  log: Log
}

/** For a removed call: also deletes what was uploaded of its recording. */
export async function queueObjectRemoval(db: Db, file: string): Promise<void> {
  const at = now()
  await db
    .insertInto('recordingRemovals')
    .values({ node: OBJECT_STORE, file, tries: 0, dueAt: at, error: null, createdAt: at })
    .onConflict((conflict) => conflict.columns(['node', 'file']).doNothing())
    .execute()
}

export function recordingRemovals({ db, node, remove, log }: RemovalParts) {
  const own = (row: Pick<RecordingRemovalRow, 'file'>) => ({ node, file: row.file })

  /**
   * All nodes see the entries of the object store: the one that moves the due time deletes the file. Not a
   * `leasedQueue`, because entries have no id and losing a lease does no harm: a file can be deleted twice.
   */
  async function isTaken({ file, dueAt }: RecordingRemovalRow): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('recordingRemovals')
      .set({ dueAt: toIso(nowMs() + LEASE_MS) })
      .where('node', '=', node)
      .where('file', '=', file)
      .where('dueAt', '=', dueAt)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  async function removed(row: RecordingRemovalRow): Promise<boolean> {
    try {
      await remove(row.file)
      return true
    } catch (error) {
      const reason = error instanceof StoreError ? error.reason : ((error as NodeJS.ErrnoException).code ?? 'unknown')
      const pauseMs = backoffMs(row.tries + 1, pauses)
      await db
        .updateTable('recordingRemovals')
        .set({ tries: row.tries + 1, error: reason, dueAt: toIso(nowMs() + pauseMs) })
        .where('node', '=', node)
        .where('file', '=', row.file)
        .execute()
      if (row.tries === 0) log.error({ ...own(row), reason }, 'failed to delete a recording; retrying')
      return false
    }
  }

  return {
    /** Deletes the files due on this disk and returns their number. */
    async work(signal?: AbortSignal): Promise<number> {
      let count = 0
      while (!signal?.aborted) {
        const due = await db
          .selectFrom('recordingRemovals')
          .selectAll()
          .where('node', '=', node)
          .where('dueAt', '<=', now())
          .orderBy('dueAt')
          .limit(BATCH)
          .execute()
        const gone: string[] = []
        for (const row of due) {
          if (signal?.aborted) break
          if ((await isTaken(row)) && (await removed(row))) gone.push(row.file)
        }
        if (gone.length > 0)
          await db.deleteFrom('recordingRemovals').where('node', '=', node).where('file', 'in', gone).execute()
        count += gone.length
        if (due.length < BATCH) break
      }
      return count
    },

    pending: () => pendingRemovals(db, node),
    warnOfOverdue: () => warnOfOverdue(db, log),
  }
}

/** Files waiting to be deleted: on this disk, on others, and in the object store. */
async function pendingRemovals(db: Db, node: string): Promise<{ here: number; elsewhere: number; inStore: number }> {
  const rows = await db
    .selectFrom('recordingRemovals')
    .select(['node', (count) => count.fn.countAll().as('files')])
    .groupBy('node')
    .execute()
  const sum = (isMeant: (name: string) => boolean) =>
    rows.filter((row) => isMeant(row.node)).reduce((total, { files }) => total + Number(files), 0)
  return {
    here: sum((name) => name === node),
    elsewhere: sum((name) => name !== node && name !== OBJECT_STORE),
    inStore: sum((name) => name === OBJECT_STORE),
  }
}

/** Logs old entries that no node has processed. */
async function warnOfOverdue(db: Db, log: Log): Promise<void> {
  const rows = await db
    .selectFrom('recordingRemovals')
    .select(['node', (count) => count.fn.countAll().as('files'), (least) => least.fn.min('createdAt').as('since')])
    .where('createdAt', '<', toIso(nowMs() - OVERDUE_MS))
    .groupBy('node')
    .execute()
  for (const row of rows)
    log.warn(
      { node: row.node, files: Number(row.files), since: row.since },
      'recordings wait to be deleted by their node',
    )
}
