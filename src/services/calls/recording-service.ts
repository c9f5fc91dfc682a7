// Recordings as a whole: the folder that calls write to and how much room is left there, sending, removal, and what a crash left behind.
import { mkdirSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { LEASE_MS } from '../../api/calls/leases.ts'
import { recordingRemovals } from '../../api/calls/recording-removals.ts'
import { recordingSweep } from '../../api/calls/recording-sweep.ts'
import { recordingFiles } from '../../api/calls/recordings.ts'
import type { CallStore } from '../../api/calls/store.ts'
import { oneChannel } from '../../audio/wav-channel.ts'
import { nowMs } from '../../base/clock.ts'
import { nodeIdOf } from '../../base/disk-id.ts'
import type { Log } from '../../base/log.ts'
import type { Database } from '../../db/database.ts'
import { purger } from '../../db/purge.ts'
import { retention } from '../../db/retention.ts'
import type { Gauge } from '../../http/metrics.ts'
import { type RecordingFolder, sizeOf } from '../../rtp/call-recording.ts'
import { repairWav } from '../../rtp/recorder.ts'

const ROOM_MS = 5000
const HOUR_MS = 3_600_000
/** Its process would have written to it since. */
const ABANDONED_MS = LEASE_MS + 2000

export type RecordingService = ReturnType<typeof openRecordings>

export function openRecordings(parts: {
  database: Pick<Database, 'db'>
  dataDir: string
  minFreeBytes: number
  retentionDays: number | null
  nodeId: string
  calls: Pick<CallStore, 'unfinishedRecordings' | 'settleRecording'>
  log: Log
}) {
  const { database, dataDir, minFreeBytes, calls, log } = parts
  const { db } = database
  const node = nodeIdOf(dataDir)
  const dir = join(dataDir, 'recordings')
  mkdirSync(dir, { recursive: true })
  const files = recordingFiles(dataDir, { disk: node, nodeId: parts.nodeId }, oneChannel)
  const removals = recordingRemovals({ db, node, pathOf: files.pathOf, log })
  const sweep = recordingSweep({ db, dataDir, log })
  const stopped = new AbortController()
  const purge = purger(db, node, stopped.signal)
  const keep = retention(db, parts.retentionDays, node, stopped.signal)

  let failures = 0
  let free = { bytes: Number.POSITIVE_INFINITY, atMs: Number.NEGATIVE_INFINITY }
  let isLow = false
  async function freeBytes(): Promise<number> {
    if (nowMs() - free.atMs < ROOM_MS) return free.bytes
    const disk = await statfs(dir).catch(() => null)
    free = { bytes: disk ? disk.bavail * disk.bsize : Number.POSITIVE_INFINITY, atMs: nowMs() }
    if (free.bytes < minFreeBytes !== isLow) {
      isLow = !isLow
      const facts = { freeBytes: free.bytes, minFreeBytes }
      if (isLow) log.error(facts, 'disk nearly full: new calls are not recorded')
      else log.info(facts, 'disk has room again: calls are recorded')
    }
    return free.bytes
  }

  const folder: RecordingFolder = {
    dir,
    node,
    hasRoom: async () => (await freeBytes()) >= minFreeBytes,
    onFailed: () => void failures++,
  }

  /** Recordings of this disk whose process died: made playable, then announced. */
  async function finishLeft(): Promise<void> {
    for (const { id, recording } of await calls.unfinishedRecordings(node)) {
      const path = files.pathOf(recording)
      const touched = await stat(path).catch(() => null)
      if (touched && nowMs() - touched.mtimeMs < ABANDONED_MS) continue
      if (touched) await repairWav(path).catch((err) => log.warn({ err, callId: id }, 'failed to repair a recording'))
      const status = (await sizeOf(path)) > 0 ? 'partial' : 'failed'
      await calls.settleRecording(id, { file: recording, node, status, error: 'process_ended' })
    }
  }

  const removed = async () => {
    await purge.work()
    await removals.work(stopped.signal)
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
  ]

  return {
    node,
    files,
    folder,
    gauges,
    removals,
    /** What /readyz tells beside that it is ready. */
    state: async () => ((await freeBytes()) < minFreeBytes ? { recordings: 'disk_full' } : {}),
    rounds: [
      { everyMs: 1000, task: removed },
      { everyMs: 2000, task: finishLeft },
      { everyMs: 10_000, task: async () => void (await freeBytes()) },
      { everyMs: HOUR_MS, task: keep },
      { everyMs: HOUR_MS, task: () => sweep(stopped.signal) },
      { everyMs: HOUR_MS, task: removals.warnOfOverdue },
    ],
    /** Ends what takes long: it goes on after the next start. */
    stop: () => stopped.abort(),
  }
}
