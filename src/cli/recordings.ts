// `ramal recordings upload`: moves the recordings of this disk to object storage, without waiting for the platform.

import { recordingUploads } from '../api/calls/recording-uploads.ts'
import { recordingPath } from '../api/calls/recordings.ts'
import { diskIdOf } from '../base/disk-id.ts'
import { createLog } from '../base/log.ts'
import { openObjectStore } from '../services/calls/stored-recordings.ts'
import { type Command, UsageError } from './command.ts'

export const recordingCommands: Record<string, Command> = {
  'recordings upload': {
    usage: 'recordings upload',
    summary:
      'Move the recordings on this disk to object storage (S3_ENDPOINT …); may be repeated, and run beside the platform',
    async run({ config, database, print }) {
      const store = await openObjectStore(config)
      if (!store) throw new UsageError('set S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY first')
      const never = new AbortController().signal
      await store.check(never)
      const uploads = recordingUploads({
        ...{ db: database.db, store, disk: diskIdOf(config.dataDir), log: createLog('silent') },
        pathOf: recordingPath(config.dataDir),
      })
      const before = (await uploads.state()).pending
      await uploads.work(never)
      const { pending, problem } = await uploads.state()
      print(`${before - pending} recordings moved to object storage`)
      if (pending > 0)
        throw new Error(`${pending} recordings are still on this disk (${problem ?? 'not due yet'}): run it again`)
    },
  },
}
