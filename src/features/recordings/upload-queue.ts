// Uploads finished recordings from this disk to the object store. A file is deleted only once the store has proved that
// it holds it and the row says so; until then it stays, whatever happens to the store or this process. Not a
// `leasedQueue`, because only this node has the files.
import { rm } from 'node:fs/promises'
import { CANCELLED } from '../../base/concurrency/abort.ts'
import { backoffMs } from '../../base/concurrency/backoff.ts'
import type { Log } from '../../base/process/log.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { type ObjectStore, StoreError, type StoreProblem } from '../../object-storage/object-store.ts'
import type { StoreHealth } from '../../object-storage/store-health.ts'
import { type WaitingRecording, waitingRecordings } from './backlog-store.ts'
import { OBJECT_STORE } from './recording-store.ts'
import { queueObjectRemoval } from './removal-queue.ts'

const AT_ONCE = 2
const pauses = { firstMs: 2000, maxMs: 300_000 }

export type UploadParts = {
  db: Db
  store: ObjectStore
  health: StoreHealth
  disk: string
  pathOf(file: string): string
  log: Log
}
/** `unreadable`: the file cannot be read from the disk. */
export type FileProblem = StoreProblem | 'unreadable'

export function recordingUploads({ db, store, health, disk, pathOf, log }: UploadParts) {
  const { pages } = waitingRecordings(db, disk)
  /** Files that failed while the store was working, and when they are due again. */
  const paused = new Map<string, { tries: number; dueMs: number; reason: FileProblem }>()
  /** Files that are neither on the disk nor in the store; each is reported once. */
  const missing = new Set<string>()
  const running = new Map<string, { stop: AbortController; done: Promise<unknown> }>()

  const isDue = ({ recording }: WaitingRecording) =>
    !missing.has(recording) && (paused.get(recording)?.dueMs ?? 0) <= monotonicMs()

  /** True if the row now refers to the uploaded object. */
  async function moved(id: string): Promise<boolean> {
    const changed = await db
      .updateTable('calls')
      .set({ recordingNode: OBJECT_STORE })
      .where('id', '=', id)
      .where('recordingNode', 'in', [disk, OBJECT_STORE])
      .returning('id')
      .executeTakeFirst()
    return changed !== undefined
  }

  /** The row says that the file is on this disk, but it is not: moved or removed meanwhile, or lost. */
  async function withoutFile({ id, recording }: WaitingRecording, signal: AbortSignal): Promise<boolean> {
    const row = await db.selectFrom('calls').select('recordingNode').where('id', '=', id).executeTakeFirst()
    if (row?.recordingNode !== disk) return false
    // Happens after restoring a backup from before the upload.
    if ((await store.sizeOf(recording, signal)) !== null) return moved(id)
    missing.add(recording)
    log.error({ callId: id }, 'the file of a recording is missing; it was neither on the disk nor in object storage')
    return false
  }

  async function move(one: WaitingRecording, signal: AbortSignal): Promise<boolean> {
    const path = pathOf(one.recording)
    const error = await store.putFile(one.recording, path, signal).then(
      () => null,
      (reason) => reason,
    )
    if (error?.code === 'ENOENT') return withoutFile(one, signal)
    if (error) throw error
    health.succeeded()
    const isMoved = await moved(one.id)
    if (!isMoved) await queueObjectRemoval(db, one.recording)
    await rm(path, { force: true })
    return isMoved
  }

  function pause({ id, recording }: WaitingRecording, error: unknown): void {
    const tries = (paused.get(recording)?.tries ?? 0) + 1
    const pauseMs = backoffMs(tries, pauses)
    const { reason, detail } = error instanceof StoreError ? error : diskError(error)
    paused.set(recording, { tries, reason, dueMs: monotonicMs() + pauseMs })
    if (tries === 1)
      log.error({ callId: id, reason, detail }, 'failed to upload a recording; it stays on the disk and is retried')
  }

  /** Returns whether it was moved. */
  async function upload(one: WaitingRecording, stopped: AbortSignal): Promise<boolean> {
    const stop = new AbortController()
    const signal = AbortSignal.any([stopped, stop.signal])
    const attempt = move(one, signal)
    running.set(one.recording, { stop, done: attempt.catch(() => {}) })
    try {
      const isMoved = await attempt
      paused.delete(one.recording)
      return isMoved
    } catch (error) {
      if (!signal.aborted && !(await health.isToBlame(error, signal))) pause(one, error)
      return false
    } finally {
      running.delete(one.recording)
    }
  }

  function forget(file: string): void {
    paused.delete(file)
    missing.delete(file)
  }

  return {
    missing: () => missing.size,
    /** A problem of the store, or otherwise of a file waiting for its next attempt. */
    problem: (): FileProblem | null => health.problem() ?? paused.values().next().value?.reason ?? null,
    /** Cancels an upload in progress. */
    async cancel(file: string): Promise<void> {
      running.get(file)?.stop.abort(CANCELLED)
      await running.get(file)?.done
      forget(file)
    },
    /** Uploads the due recordings until the store fails. Returns how many were moved. */
    async work(signal: AbortSignal): Promise<number> {
      if (!(await health.mayWork(signal))) return 0
      /** Files that are no longer waiting, because another process moved or removed them. */
      const gone = new Set([...paused.keys(), ...missing])
      let [tried, count] = [0, 0]
      for await (const page of pages()) {
        for (const { recording } of page) gone.delete(recording)
        const due = page.filter(isDue)
        while (due.length > 0) {
          // During an outage, one file is enough to find out whether it is over.
          const some = due.splice(0, health.problem() === null ? AT_ONCE : 1)
          tried += some.length
          const results = await Promise.all(some.map((one) => upload(one, signal)))
          count += results.filter(Boolean).length
          if (signal.aborted || health.problem() !== null) return count
        }
      }
      for (const file of gone) forget(file)
      if (tried === 0 && health.problem() !== null) await health.test(signal)
      return count
    },
  }
}

/** An error without a system call comes from the database. */
function diskError(error: unknown): { reason: FileProblem; detail: string | undefined } {
  const { code, syscall } = error as NodeJS.ErrnoException
  return { reason: syscall ? 'unreadable' : 'failed', detail: code }
}
