// `ramal users remove USER`: hides the user, purges everything of theirs in batches, and deletes the recordings that lie on this disk.
import { recordingRemovals } from '../api/calls/recording-removals.ts'
import { recordingPath } from '../api/calls/recordings.ts'
import { userStore } from '../api/users/store.ts'
import { diskIdOf } from '../base/disk-id.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import { purger } from '../db/purge.ts'

export type RemoveParts = { database: Pick<Database, 'db'>; dataDir: string; log: Log; say: (text: string) => void }

/** Deletes the files of removed recordings that lie on this disk, and says how many wait for another node. */
export async function deleteRecordingsHere({ database: { db }, dataDir, log, say }: RemoveParts): Promise<void> {
  const node = diskIdOf(dataDir)
  const removals = recordingRemovals({ db, node, pathOf: recordingPath(dataDir), log })
  await removals.work()
  const { here, elsewhere } = await removals.pending()
  if (here > 0) say(`${here} recordings could not be deleted yet; the platform tries again`)
  if (elsewhere > 0) say(`${elsewhere} recordings lie on other nodes, which delete them when they run`)
}

export async function removeUserFromCommand(parts: RemoveParts, id: string): Promise<void> {
  const { db } = parts.database
  await userStore(db).remove(id)
  await purger(db, diskIdOf(parts.dataDir)).user(id)
  await deleteRecordingsHere(parts)
  parts.say(`removed ${id}`)
}
