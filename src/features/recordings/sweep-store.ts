// Deletes recordings that no row references: after a crash between file and row, or if a file was created after its
// call was removed. Skips the folder of another database, and files older than this database or its last restore.
import { opendir, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { writePrivate } from '../../base/crypto/master-key.ts'
import { newId } from '../../base/ids.ts'
import type { Log } from '../../base/process/log.ts'
import { nowMs } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { inChunks } from '../../db/removal.ts'
import { OBJECT_STORE } from './recording-store.ts'

/** A recording is written every second, so a file unchanged for this long belongs to no live call. */
const SAFE_AGE_MS = 3_600_000
/** Files checked and deleted per round. */
const MAX_SEEN = 100_000
const MAX_DELETED = 1000

export type SweepParts = { db: Db; dataDir: string; log: Log; safeAgeMs?: number; mostDeleted?: number }

/** Returns how many files were deleted. */
export function recordingSweep({ db, dataDir, log, safeAgeMs = SAFE_AGE_MS, mostDeleted = MAX_DELETED }: SweepParts) {
  const folder = join(dataDir, 'recordings')

  async function unnamed(names: readonly string[]): Promise<string[]> {
    const left: string[] = []
    for (const some of inChunks(names)) {
      const ids = some.map((name) => basename(name, '.wav'))
      const rows = await db
        .selectFrom('calls')
        .select(['id', 'recording', 'recordingNode'])
        .where((where) => where.or([where('id', 'in', ids), where('recording', 'in', some)]))
        .execute()
      // A copy left over after its upload is not needed: its row refers to the object store.
      const here = rows.filter(({ recordingNode }) => recordingNode !== OBJECT_STORE)
      const kept = new Set(here.flatMap(({ id, recording }) => [`${id}.wav`, recording ?? '']))
      left.push(...some.filter((name) => !kept.has(name)))
    }
    return left
  }

  return async (signal?: AbortSignal): Promise<number> => {
    const sinceMs = await sweepsSince(db, dataDir)
    if (sinceMs === null) {
      log.warn('DATA_DIR was used with another database: recordings without a call are not deleted')
      return 0
    }
    const names = await oldFiles(folder, sinceMs, nowMs() - safeAgeMs)
    let deleted = 0
    for (const name of await unnamed(names)) {
      if (deleted >= mostDeleted || signal?.aborted) break
      await rm(join(folder, name), { force: true })
      deleted++
    }
    if (deleted > 0) log.warn({ files: deleted }, 'deleted recordings that no call names')
    return deleted
  }
}

async function oldFiles(folder: string, fromMs: number, toMs: number): Promise<string[]> {
  const names: string[] = []
  const entries = await opendir(folder).catch(() => null)
  if (!entries) return names
  for await (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith('.wav')) continue
    const file = await stat(join(folder, entry.name)).catch(() => null)
    if (file && file.mtimeMs > fromMs && file.mtimeMs < toMs) names.push(entry.name)
    if (names.length >= MAX_SEEN) break
  }
  return names
}

/** Files from this time on belong to this database; null: the folder belongs to another. */
async function sweepsSince(db: Db, dataDir: string): Promise<number | null> {
  const path = join(dataDir, 'database-id')
  const id = await databaseId(db)
  const bound = await readFile(path, 'utf8').catch(() => '')
  if (bound === '') writePrivate(path, id)
  else if (bound.trim() !== id) return null
  const first = await db.selectFrom('users').select('createdAt').orderBy('createdAt').limit(1).executeTakeFirst()
  const restored = await db.selectFrom('meta').select('value').where('name', '=', 'restored-at').executeTakeFirst()
  return Math.max(Date.parse(first?.createdAt ?? new Date().toISOString()), Date.parse(restored?.value ?? '') || 0)
}

async function databaseId(db: Db): Promise<string> {
  const named = { name: 'database-id', value: newId('dba') }
  await db
    .insertInto('meta')
    .values(named)
    .onConflict((c) => c.column('name').doNothing())
    .execute()
  const { value } = await db
    .selectFrom('meta')
    .select('value')
    .where('name', '=', 'database-id')
    .executeTakeFirstOrThrow()
  return value
}
