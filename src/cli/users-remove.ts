// `ramal users remove`: hides the user, purges their data in batches, and deletes their recordings on this disk and in object storage.
import { leasesExpired } from '../base/concurrency/grant-lease.ts'
import { diskIdOf } from '../base/process/disk-id.ts'
import type { Log } from '../base/process/log.ts'
import type { Config } from '../config/config.ts'
import type { Database, Db } from '../db/database.ts'
import { purger } from '../db/purge.ts'
import { fileRemover, OBJECT_STORE } from '../features/recordings/recording-store.ts'
import { queueObjectRemoval, recordingRemovals } from '../features/recordings/removal-queue.ts'
import { openObjectStore } from '../features/recordings/stored-recordings.ts'
import { userStore } from '../features/users/store.ts'
import type { ObjectStore } from '../object-storage/object-store.ts'

type RemoveParts = {
  database: Pick<Database, 'db'>
  config: Pick<Config, 'dataDir' | 'objectStore'>
  log: Log
  print: (line: string) => void
}

/** Deletes removed recordings from this disk and from object storage, and prints how many wait for another node. */
export async function deleteRecordingsHere({ database: { db }, config, log, print }: RemoveParts): Promise<void> {
  const removeFile = fileRemover(config.dataDir)
  const store = await openObjectStore(config)
  const remove = async (file: string) => {
    await removeFile(file)
    if (store) await queueObjectRemoval(db, file) // its upload may have started
  }
  const removals = recordingRemovals({ db, node: diskIdOf(config.dataDir), remove, log })
  await removals.work()
  if (store) await deleteObjects({ db, log }, store)
  const { here, elsewhere, inStore } = await removals.pending()
  if (here > 0) print(`${here} recordings could not be deleted yet; the platform retries`)
  if (inStore > 0) print(`${inStore} recordings could not be deleted from object storage yet; the platform retries`)
  if (elsewhere > 0) print(`${elsewhere} recordings are on other nodes, which delete them when they run`)
}

/** Until the store fails. */
async function deleteObjects({ db, log }: { db: Db; log: Log }, store: ObjectStore): Promise<void> {
  const failed = new AbortController()
  const remove = (file: string) =>
    store.remove(file, failed.signal).catch((error) => {
      failed.abort()
      throw error
    })
  await recordingRemovals({ db, node: OBJECT_STORE, remove, log }).work(failed.signal)
}

export async function removeUser(parts: RemoveParts, id: string): Promise<void> {
  const { db } = parts.database
  const isWhole = await userStore(db).remove(id)
  await leasesExpired() // no process caches the keys or sessions any more
  if (!isWhole) return parts.print(`removed ${id}; their organization has other members, and stays`)
  await purger(db, diskIdOf(parts.config.dataDir)).user(id)
  await deleteRecordingsHere(parts)
  parts.print(`removed ${id}`)
}
