// Finished recordings that are still on a disk: paged, counted and measured.
import { stat } from 'node:fs/promises'
import { liveStatuses } from '../../base/domain/call-statuses.ts'
import type { Db } from '../../db/database.ts'

const PAGE = 500

export type WaitingRecording = { id: string; recording: string; endedAt: string | null }
export type Backlog = { files: number; bytes: number; oldestAt: string | null }

export function waitingRecordings(db: Db, disk: string) {
  /** Oldest first. */
  async function* pages(): AsyncGenerator<WaitingRecording[]> {
    for (let after = ''; ; ) {
      const rows = await db
        .selectFrom('calls')
        .select(['id', 'recording', 'endedAt'])
        .where('recordingNode', '=', disk)
        .where('id', '>', after)
        .where('recording', 'is not', null)
        .where((where) =>
          where.or([where('recordingStatus', 'is', null), where('recordingStatus', 'in', ['complete', 'partial'])]),
        )
        .where('status', 'not in', liveStatuses)
        .orderBy('id')
        .limit(PAGE)
        .execute()
      yield rows as WaitingRecording[]
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) return
      after = last.id
    }
  }

  return {
    pages,
    /** Missing files are not counted. */
    async backlog(pathOf: (file: string) => string): Promise<Backlog> {
      const found: Backlog = { files: 0, bytes: 0, oldestAt: null }
      for await (const page of pages())
        for (const { recording, endedAt } of page) {
          const file = await stat(pathOf(recording)).catch(() => null)
          if (!file) continue
          found.files++
          found.bytes += file.size
          if (endedAt !== null && (found.oldestAt === null || endedAt < found.oldestAt)) found.oldestAt = endedAt
        }
      return found
    },
  }
}

/** Assigns this disk's id to rows from before disks had ids, if their file is on it. */
export async function adoptRecordings(db: Db, disk: string, pathOf: (file: string) => string): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('calls')
      .select(['id', 'recording'])
      .where('recordingNode', 'is', null)
      .where('recording', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (const { id, recording } of rows) {
      if (!(await stat(pathOf(recording ?? '')).catch(() => null))) continue
      const row = db.updateTable('calls').set({ recordingNode: disk }).where('id', '=', id)
      await row.where('recordingNode', 'is', null).execute()
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.id
  }
}
