// `ramal recordings upload`: moves the recordings of this disk to object storage, without waiting for the platform.
import { diskIdOf } from '../base/process/disk-id.ts'
import { createLog } from '../base/process/log.ts'
import { adoptRecordings, waitingRecordings } from '../features/recordings/backlog-store.ts'
import { recordingPath } from '../features/recordings/recording-store.ts'
import { openObjectStore } from '../features/recordings/stored-recordings.ts'
import { recordingUploads } from '../features/recordings/upload-queue.ts'
import { storeHealth } from '../object-storage/store-health.ts'
import { type Command, UsageError } from './command.ts'

export const recordingCommands: Record<string, Command> = {
  'recordings upload': {
    usage: 'recordings upload',
    summary:
      'Move the recordings on this disk to object storage (S3_ENDPOINT …); may be repeated, and run beside the platform',
    async run({ config, database: { db }, print }) {
      const store = await openObjectStore(config)
      if (!store) throw new UsageError('set S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY first')
      const disk = diskIdOf(config.dataDir)
      const pathOf = recordingPath(config.dataDir)
      const log = createLog('error', process.stderr)
      const health = storeHealth(store, log)
      const uploads = recordingUploads({ db, store, health, disk, pathOf, log })
      await adoptRecordings(db, disk, pathOf)
      const count = await uploads.work(new AbortController().signal)
      print(`${count} recordings moved to object storage`)
      const { files } = await waitingRecordings(db, disk).backlog(pathOf)
      if (uploads.missing() > 0) print(`${uploads.missing()} recordings have no file on this disk`)
      if (files > 0) throw new Error(`${files} recordings are still on this disk (${uploads.problem() ?? 'new'})`)
    },
  },
}
