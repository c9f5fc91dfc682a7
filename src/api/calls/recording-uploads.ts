// Uploads finished recordings of this disk to the object store. A file is deleted only once the store has proved that it holds it and the
// row says so; until then it stays, whatever happens to the store or to this process.
import { rm } from 'node:fs/promises'
import { liveStatuses } from '../../base/call-statuses.ts'
import { now, nowMs } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Db } from '../../db/database.ts'
import { type ObjectStore, StoreError, type StoreProblem } from '../../storage/object-store.ts'
import { OBJECT_STORE } from './recordings.ts'

const BATCH = 50
const AT_ONCE = 2
const FIRST_PAUSE_MS = 2000
const LONGEST_PAUSE_MS = 300_000

export type UploadParts = {
  db: Db
  store: ObjectStore
  disk: string
  pathOf(file: string): string
  log: Log
}
/** Of this disk: what waits, and why the last attempt failed. */
export type UploadState = { pending: number; oldestAt: string | null; problem: StoreProblem | 'no_file' | null }

type Waiting = { id: string; recording: string }

export function recordingUploads({ db, store, disk, pathOf, log }: UploadParts) {
  /** Files that failed, and when they are due again. */
  const paused = new Map<string, { tries: number; dueMs: number }>()
  let problem: UploadState['problem'] = null

  const waiting = () =>
    db
      .selectFrom('calls')
      .where('recordingNode', '=', disk)
      .where('recording', 'is not', null)
      .where((where) =>
        where.or([where('recordingStatus', 'is', null), where('recordingStatus', 'in', ['complete', 'partial'])]),
      )
      .where('status', 'not in', liveStatuses)

  async function next(): Promise<Waiting[]> {
    const held = [...paused].flatMap(([file, { dueMs }]) => (dueMs > nowMs() ? [file] : []))
    const rows = await waiting()
      .select(['id', 'recording'])
      .$if(held.length > 0, (query) => query.where('recording', 'not in', held.slice(0, 500)))
      .orderBy('endedAt')
      .limit(BATCH)
      .execute()
    return rows.flatMap(({ id, recording }) => (recording === null ? [] : [{ id, recording }]))
  }

  /** True when the row says that the object is the recording now. */
  const moved = async (id: string): Promise<boolean> =>
    db.inTransaction(async (trx) => {
      const done = await trx
        .updateTable('calls')
        .set({ recordingNode: OBJECT_STORE })
        .where('id', '=', id)
        .where('recordingNode', 'in', [disk, OBJECT_STORE])
        .returning('recording')
        .executeTakeFirst()
      return done !== undefined
    })

  /** A call that was removed during the upload: its object goes too. */
  async function discard(file: string): Promise<void> {
    const at = now()
    await db
      .insertInto('recordingRemovals')
      .values({ node: OBJECT_STORE, file, tries: 0, dueAt: at, error: null, createdAt: at })
      .onConflict((conflict) => conflict.columns(['node', 'file']).doNothing())
      .execute()
  }

  async function upload({ id, recording }: Waiting, signal: AbortSignal): Promise<void> {
    const path = pathOf(recording)
    try {
      await store.putFile(recording, path, signal)
      if (!(await moved(id))) await discard(recording)
      await rm(path, { force: true })
      paused.delete(recording)
      if (problem !== null) log.info('recordings are uploaded again')
      problem = null
    } catch (error) {
      if (signal.aborted) return
      const tries = (paused.get(recording)?.tries ?? 0) + 1
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries - 1, 20))
      paused.set(recording, { tries, dueMs: nowMs() + pauseMs })
      const reason = error instanceof StoreError ? error.reason : 'failed'
      if (reason !== problem)
        log.error({ callId: id, reason }, 'failed to upload a recording; it stays on disk and is retried')
      problem = reason
    }
  }

  return {
    problem: () => problem,
    failed(reason: StoreProblem): void {
      problem = reason
    },
    /** Uploads what is due. Returns how many were tried. */
    async work(signal: AbortSignal): Promise<number> {
      let tried = 0
      for (;;) {
        const due = await next()
        for (let i = 0; i < due.length && !signal.aborted; i += AT_ONCE)
          await Promise.all(due.slice(i, i + AT_ONCE).map((one) => upload(one, signal)))
        tried += due.length
        // A store that is away is not asked for every file.
        if (due.length < BATCH || problem !== null || signal.aborted) return tried
      }
    },
    async state(): Promise<UploadState> {
      const found = await waiting()
        .select([(count) => count.fn.countAll().as('pending'), (least) => least.fn.min('endedAt').as('oldestAt')])
        .executeTakeFirstOrThrow()
      return { pending: Number(found.pending), oldestAt: found.oldestAt, problem }
    },
  }
}
