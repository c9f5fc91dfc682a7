// Which processes serve this database: each writes a heartbeat every few seconds, by the database's clock.
import { sql } from 'kysely'
import { newId } from '../base/ids.ts'
import type { Database } from './database.ts'

export const BEAT_MS = 5000
/** A process without a heartbeat for this long has crashed. */
const GONE_MS = 3 * BEAT_MS
const PREFIX = 'process:'

export const isProcessEntry = sql<boolean>`name like ${`${PREFIX}%`}`

const clock = ({ shared }: Pick<Database, 'shared'>) =>
  shared
    ? sql<string>`cast(floor(extract(epoch from clock_timestamp()) * 1000) as text)`
    : sql<string>`cast(cast((julianday('now') - 2440587.5) * 86400000 as integer) as text)`

export function presence(database: Pick<Database, 'db' | 'shared'>) {
  const { db } = database
  const name = newId(`${PREFIX}prc`)
  const value = clock(database)
  return {
    async beat(): Promise<void> {
      await db
        .insertInto('meta')
        .values({ name, value })
        .onConflict((c) => c.column('name').doUpdateSet({ value }))
        .execute()
      // Entries of crashed processes.
      const at = sql`cast(${value} as bigint) - cast(value as bigint)`
      await db
        .deleteFrom('meta')
        .where(isProcessEntry)
        .where(sql<boolean>`${at} > ${100 * GONE_MS}`)
        .execute()
    },
    async leave(): Promise<void> {
      await db.deleteFrom('meta').where('name', '=', name).execute()
    },
  }
}

/** Throws while a process serves the database. */
export async function requireStopped(database: Pick<Database, 'db' | 'shared'>): Promise<void> {
  const { db } = database
  const age = sql<number>`cast(${clock(database)} as bigint) - cast(value as bigint)`
  const entries = await db.selectFrom('meta').select(age.as('ms')).where(isProcessEntry).execute()
  const ages = entries.map(({ ms }) => Number(ms)).filter((ms) => ms < GONE_MS)
  if (ages.length === 0) return
  const seen = Math.max(0, Math.round(Math.min(...ages) / 1000))
  throw new Error(
    `Ramal is running on this database (seen ${seen} s ago): stop it first. After a crash, wait ${GONE_MS / 1000} seconds`,
  )
}
