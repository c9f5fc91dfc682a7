// Recordings: the folder that calls write to and its free space, downloads, removal, retention and repair after a
// crash.
import { mkdirSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { repairWav } from '../../audio/recorder.ts'
import { oneChannel } from '../../audio/wav-channel.ts'
import type { Log } from '../../base/process/log.ts'
import { nowMs } from '../../base/time/clock.ts'
import { purger } from '../../db/purge.ts'
import { retention } from '../../db/retention.ts'
import type { Gauge } from '../../http/metrics.ts'
import type { ObjectStore } from '../../object-storage/object-store.ts'
import { type RecordingFolder, sizeOf } from '../../rtp/call-recording.ts'
import type { CallStore } from '../calls/store.ts'
import type { ServiceContext } from '../service.ts'
import { fileRemover, recordingFiles } from './recording-store.ts'
import { recordingRemovals } from './removal-queue.ts'
import { storedRecordings } from './stored-recordings.ts'
import { recordingSweep } from './sweep-store.ts'

const FREE_SPACE_TTL_MS = 5000
const HOUR_MS = 3_600_000
/** A live process writes every second, so a file untouched for longer than a call's lease is abandoned. */
const ABANDONED_MS = 12_000

export type RecordingService = ReturnType<typeof recordingService>

type Parts = { calls: Pick<CallStore, 'unfinishedRecordings' | 'settleRecording'>; store: ObjectStore | null }

export function recordingService({ config, db, diskId, nodeName, log }: ServiceContext, { calls, store }: Parts) {
  const { dataDir, minFreeBytes, retentionDays } = config
  const dir = join(dataDir, 'recordings')
  mkdirSync(dir, { recursive: true })
  const files = recordingFiles(dataDir, { disk: diskId, nodeId: nodeName, store }, oneChannel)
  const stopped = new AbortController()
  const { signal } = stopped
  const stored = store && storedRecordings({ db, store, disk: diskId, pathOf: files.pathOf, log, signal })
  const remove = fileRemover(dataDir)
  const removals = recordingRemovals({ db, node: diskId, remove: stored?.withUploads(remove) ?? remove, log })
  const sweep = recordingSweep({ db, dataDir, log })
  const purge = purger(db, diskId, signal)
  const applyRetention = retention(db, retentionDays, diskId, signal)

  let failures = 0
  const freeBytes = freeSpace(dir, minFreeBytes, log)

  const folder: RecordingFolder = {
    dir,
    node: diskId,
    hasRoom: async () => (await freeBytes()) >= minFreeBytes,
    onFailed: () => void failures++,
  }

  const workOffRemovals = async () => {
    await purge.work()
    await removals.work(signal)
  }
  const gauges: Gauge[] = [
    {
      name: 'ramal_recordings_failed',
      help: 'Recordings since the start that are partial or failed',
      read: () => failures,
    },
    { name: 'ramal_recordings_disk_free_bytes', help: 'Free space where recordings are written', read: freeBytes },
    {
      name: 'ramal_recording_removals_pending',
      help: 'Files of removed recordings that wait to be deleted from this disk',
      read: async () => (await removals.pending()).here,
    },
    {
      name: 'ramal_recording_removals_pending_elsewhere',
      help: 'Files of removed recordings that wait for another node to delete them',
      read: async () => (await removals.pending()).elsewhere,
    },
    ...(stored?.gauges ?? []),
  ]

  return {
    files,
    folder,
    gauges,
    /** Added to the response of /readyz. */
    state: async () => ({
      ...((await freeBytes()) < minFreeBytes ? { recordings: 'disk_full' } : {}),
      ...stored?.state(),
    }),
    jobs: [
      { name: 'removals of recordings', everyMs: 1000, task: workOffRemovals },
      { name: 'repair of recordings', everyMs: 2000, task: () => repairAbandoned({ calls, diskId, files, log }) },
      { name: 'free disk space', everyMs: 10_000, task: async () => void (await freeBytes()) },
      { name: 'retention', everyMs: HOUR_MS, task: applyRetention },
      { name: 'sweep of recordings', everyMs: HOUR_MS, task: () => sweep(signal) },
      { name: 'overdue removals', everyMs: HOUR_MS, task: removals.warnOfOverdue },
      ...(stored?.jobs ?? []),
    ],
    /** Aborts long work, which continues after the next start. */
    [Symbol.asyncDispose]: async () => stopped.abort(),
  }
}

type RepairParts = {
  calls: Parts['calls']
  diskId: string
  files: ReturnType<typeof recordingFiles>
  log: Log
}

/** Repairs the recordings on this disk whose process died, and finalizes their rows. */
async function repairAbandoned({ calls, diskId, files, log }: RepairParts): Promise<void> {
  for (const { id, recording } of await calls.unfinishedRecordings(diskId)) {
    const path = files.pathOf(recording)
    const touched = await stat(path).catch(() => null)
    if (touched && nowMs() - touched.mtimeMs < ABANDONED_MS) continue
    if (touched) await repairWav(path).catch((err) => log.warn({ err, callId: id }, 'failed to repair a recording'))
    const status = (await sizeOf(path)) > 0 ? 'partial' : 'failed'
    await calls.settleRecording(id, { file: recording, node: diskId, status, error: 'process_ended' })
  }
}

/** The disk's free bytes, cached briefly; logs when they cross the minimum. */
function freeSpace(dir: string, minFreeBytes: number, log: Log) {
  let free = { bytes: Number.POSITIVE_INFINITY, atMs: Number.NEGATIVE_INFINITY }
  let isLow = false
  return async (): Promise<number> => {
    if (nowMs() - free.atMs < FREE_SPACE_TTL_MS) return free.bytes
    const disk = await statfs(dir).catch(() => null)
    free = { bytes: disk ? disk.bavail * disk.bsize : Number.POSITIVE_INFINITY, atMs: nowMs() }
    if (free.bytes < minFreeBytes !== isLow) {
      isLow = !isLow
      const fields = { freeBytes: free.bytes, minFreeBytes }
      if (isLow) log.error(fields, 'disk nearly full; new calls are not recorded')
      else log.info(fields, 'disk space available again; calls are recorded')
    }
    return free.bytes
  }
}
