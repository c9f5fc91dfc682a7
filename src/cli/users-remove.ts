// `ramal users remove`: hides the user, purges their data in batches, and deletes their recordings on this disk.
import { recordingRemovals } from '../api/calls/recording-removals.ts'
import { fileRemover } from '../api/calls/recordings.ts'
import { userStore } from '../api/users/store.ts'
import { diskIdOf } from '../base/disk-id.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import { purger } from '../db/purge.ts'

export type RemoveParts = { database: Pick<Database, 'db'>; dataDir: string; log: Log; print: (line: string) => void }

/** Deletes removed recordings from this disk, and prints how many wait for another node. */
export async function deleteRecordingsHere({ database: { db }, dataDir, log, print }: RemoveParts): Promise<void> {
  const diskId = diskIdOf(dataDir)
  const removals = recordingRemovals({ db, node: diskId, remove: fileRemover(dataDir), log })
  await removals.work()
  const { here, elsewhere } = await removals.pending()
  if (here > 0) print(`${here} recordings could not be deleted yet; the platform retries`)
  if (elsewhere > 0) print(`${elsewhere} recordings are on other nodes, which delete them when they run`)
}

export async function removeUser(parts: RemoveParts, id: string): Promise<void> {
  const { db } = parts.database
  await userStore(db).remove(id)
  await purger(db, diskIdOf(parts.dataDir)).user(id)
  await deleteRecordingsHere(parts)
  parts.print(`removed ${id}`)
}
