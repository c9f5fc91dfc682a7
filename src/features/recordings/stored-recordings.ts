// Recordings in the object store: uploads and removals in the background, and their metrics, readiness and log
// messages.
import { monotonicMs, nowMs } from '../../base/time/clock.ts'
import type { Config } from '../../config/config.ts'
import type { Gauge } from '../../http/metrics.ts'
import type { ObjectStore } from '../../object-storage/object-store.ts'
import { storeHealth } from '../../object-storage/store-health.ts'
import type { Job } from '../service.ts'
import { type Backlog, waitingRecordings } from './backlog-store.ts'
import { OBJECT_STORE } from './recording-store.ts'
import { queueObjectRemoval, recordingRemovals } from './removal-queue.ts'
import { recordingUploads, type UploadParts } from './upload-queue.ts'

const WORK_EVERY_MS = 2000
const REMIND_EVERY_MS = 3_600_000
/** Cached this long, because every file has to be measured. */
const BACKLOG_TTL_MS = 5000

type Parts = Omit<UploadParts, 'health'> & { signal: AbortSignal }
type Remove = (file: string) => Promise<void>

/** Loads the library only if an object store is configured. */
export async function openObjectStore(config: Pick<Config, 'objectStore'>): Promise<ObjectStore | null> {
  return config.objectStore && (await import('../../object-storage/s3-store.ts')).s3Store(config.objectStore)
}

export function storedRecordings({ signal, ...parts }: Parts) {
  const { db, store, disk, pathOf, log } = parts
  const health = storeHealth(store, log)
  const uploads = recordingUploads({ ...parts, health })
  const { backlog } = waitingRecordings(db, disk)

  let measured: { atMs: number; backlog: Promise<Backlog> } | undefined
  function waiting(): Promise<Backlog> {
    if (!measured || monotonicMs() - measured.atMs > BACKLOG_TTL_MS)
      measured = { atMs: monotonicMs(), backlog: backlog(pathOf) }
    return measured.backlog
  }

  /** Stops when the store fails; the rest waits until the outage ends. */
  async function removeObjects(): Promise<void> {
    if (health.problem() !== null) return
    const over = new AbortController()
    await objectRemovals(async (file) => {
      try {
        await store.remove(file, signal)
      } catch (error) {
        if (await health.isToBlame(error, signal)) over.abort()
        throw error
      }
    }).work(AbortSignal.any([signal, over.signal]))
  }
  const pendingRemovals = async () => (await objectRemovals(async () => {}).pending()).inStore
  const objectRemovals = (remove: Remove) => recordingRemovals({ db, node: OBJECT_STORE, remove, log })

  async function remind(): Promise<void> {
    const problem = uploads.problem()
    if (problem === null) return
    const { files, bytes, oldestAt } = await waiting()
    log.warn({ problem, files, bytes, oldestAt }, 'recordings wait on the disk for object storage')
  }

  const jobs: Job[] = [
    { name: 'uploads of recordings', everyMs: WORK_EVERY_MS, task: () => uploads.work(signal) },
    { name: 'removals from the object store', everyMs: WORK_EVERY_MS, task: removeObjects },
    { name: 'overdue uploads', everyMs: REMIND_EVERY_MS, task: remind },
  ]

  return {
    gauges: storeGauges({ waiting, missing: uploads.missing, problem: health.problem, pendingRemovals }),
    jobs,
    /** Added to the response of /readyz: the node is ready without the store. */
    state: () => (uploads.problem() === null ? {} : { objectStorage: uploads.problem() }),
    /** Removing a file also removes what was, or is being, uploaded of it. */
    withUploads:
      (remove: Remove): Remove =>
      async (file) => {
        await uploads.cancel(file)
        await remove(file)
        await queueObjectRemoval(db, file)
      },
  }
}

type GaugeParts = {
  waiting: () => Promise<Backlog>
  missing: () => number
  problem: () => string | null
  pendingRemovals: () => Promise<number>
}

const storeGauges = ({ waiting, missing, problem, pendingRemovals }: GaugeParts): Gauge[] => [
  {
    name: 'ramal_recording_uploads_pending',
    help: 'Recordings on this disk that wait to be moved to object storage',
    read: async () => (await waiting()).files,
  },
  {
    name: 'ramal_recording_uploads_pending_bytes',
    help: 'Size of the recordings on this disk that wait to be moved to object storage',
    read: async () => (await waiting()).bytes,
  },
  {
    name: 'ramal_recording_uploads_oldest_seconds',
    help: 'Time since the end of the oldest call whose recording waits to be moved to object storage',
    read: async () => ageSeconds((await waiting()).oldestAt),
  },
  {
    name: 'ramal_recordings_missing',
    help: 'Recordings of this disk whose file is neither there nor in object storage',
    read: missing,
  },
  {
    name: 'ramal_recording_removals_pending_object_storage',
    help: 'Removed recordings that wait to be deleted from object storage',
    read: pendingRemovals,
  },
  {
    name: 'ramal_object_storage_up',
    help: 'Whether object storage can be used, as far as this node knows',
    read: () => (problem() === null ? 1 : 0),
  },
]

const ageSeconds = (at: string | null) => (at === null ? 0 : Math.max(0, Math.round((nowMs() - Date.parse(at)) / 1000)))
