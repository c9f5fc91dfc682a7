// Recordings in the object store: uploads, removals, and what is told of them.

import { recordingRemovals } from '../../api/calls/recording-removals.ts'
import { recordingUploads, type UploadParts } from '../../api/calls/recording-uploads.ts'
import { OBJECT_STORE } from '../../api/calls/recordings.ts'
import type { Gauge } from '../../http/metrics.ts'
import type { ObjectStore, StoreSettings } from '../../storage/object-store.ts'

/** Its library is loaded only where it is used. */
export async function openObjectStore({
  objectStore,
}: {
  objectStore: StoreSettings | null
}): Promise<ObjectStore | null> {
  return objectStore && (await import('../../storage/s3-store.ts')).s3Store(objectStore)
}

export function storedRecordings(parts: UploadParts) {
  const { db, store, log } = parts
  const uploads = recordingUploads(parts)
  const stopped = new AbortController()
  const remove = (file: string) => store.remove(file, stopped.signal)
  const removals = recordingRemovals({ db, node: OBJECT_STORE, remove, log })
  let isChecked = false

  /** Wrong keys or an unreachable store stop nothing: recordings stay on the disk, and whoever runs this is told. */
  async function check(signal: AbortSignal): Promise<void> {
    isChecked = true
    await store.check(signal).then(
      () => log.info('recordings are moved to object storage'),
      ({ reason }) => {
        uploads.failed(reason)
        log.error({ reason }, 'object storage cannot be used; recordings stay on the disk until it can')
      },
    )
  }

  const gauges: Gauge[] = [
    {
      name: 'ramal_recording_uploads_pending',
      help: 'Recordings on this disk that wait to be moved to object storage',
      read: async () => (await uploads.state()).pending,
    },
    {
      name: 'ramal_object_storage_up',
      help: 'Whether the last request to object storage succeeded',
      read: () => (uploads.problem() === null ? 1 : 0),
    },
  ]

  return {
    removals,
    gauges,
    /** Added to the response of /readyz: calls go on without it. */
    state: () => (uploads.problem() === null ? {} : { objectStorage: uploads.problem() }),
    async work(signal: AbortSignal): Promise<void> {
      if (!isChecked) await check(signal)
      await uploads.work(signal)
    },
  }
}
