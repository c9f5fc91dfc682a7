// A backup is one gzipped file of JSON lines: a header, every row of every table at one point in time, and a footer
// that proves it is complete. The format is the same for both databases, so a SQLite backup can be restored into
// PostgreSQL. Secrets stay encrypted as stored. An older version's backup is loaded into the schema of its time, which
// is then migrated.
import { createReadStream, createWriteStream, renameSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import { now } from '../base/time/clock.ts'
import type { Db, Trx } from './database.ts'
import { dropTables, isKnownSchema, migrateWithin, schemaVersion } from './migrate.ts'
import { isProcessEntry } from './nodes.ts'
import { notBackedUp, tableKeys } from './table-keys.ts'
import type { Tables } from './tables.ts'

const FORMAT = 'ramal backup 1'
const PAGE = 500
/** The first schema with organizations. */
const ORGANIZATIONS_SINCE = '0044-organizations'

type Row = Record<string, string | number | null>
type Line = { format: string; schema: string; createdAt: string } | { table: keyof Tables; row: Row } | { rows: number }

const tables = Object.keys(tableKeys) as (keyof Tables)[]

/** Takes a snapshot of the running platform without blocking writers. Returns the number of rows. */
export async function writeBackup(db: Db, path: string): Promise<number> {
  const counted = { rows: 0 }
  const partial = `${path}.partial`
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const text = Readable.from(lines(trx, counted), { objectMode: false, highWaterMark: 65_536 })
      await pipeline(text, createGzip(), createWriteStream(partial, { mode: 0o600, flush: true }))
    })
  renameSync(partial, path)
  return counted.rows
}

async function* lines(trx: Kysely<Tables>, counted: { rows: number }): AsyncGenerator<string> {
  yield `${JSON.stringify({ format: FORMAT, schema: schemaVersion, createdAt: now() })}\n`
  for (const table of tables.filter((name) => !notBackedUp.includes(name))) {
    for await (const rows of pages(trx, table)) {
      counted.rows += rows.length
      yield rows.map((row) => `${JSON.stringify({ table, row })}\n`).join('')
    }
  }
  yield `${JSON.stringify({ rows: counted.rows })}\n`
}

async function* pages(trx: Kysely<Tables>, table: keyof Tables): AsyncGenerator<Row[]> {
  const key: readonly string[] = tableKeys[table]
  const columns = sql.join(key.map((column) => sql.ref(column)))
  let last: Row | undefined
  while (true) {
    const after = last ? sql`where (${columns}) > (${sql.join(key.map((column) => last?.[column]))})` : sql``
    const { rows } =
      await sql<Row>`select * from ${sql.table(table)} ${after} order by ${columns} limit ${PAGE}`.execute(trx)
    if (rows.length > 0) yield rows
    if (rows.length < PAGE) return
    last = rows.at(-1)
  }
}

/** Replaces the whole database or changes nothing. `check` runs inside the same transaction. */
export async function restoreBackup(db: Db, path: string, check: (trx: Trx) => Promise<void>): Promise<number> {
  return db.inTransaction(async (trx) => {
    const restored = trx.withTables<Record<keyof Tables, Row>>()
    const ownId = await databaseIdOf(trx)
    let rows = 0
    let footerRows: number | undefined
    let schema = ''
    let batch: { table: keyof Tables; rows: Row[] } | undefined
    const flush = async () => {
      if (batch) await restored.insertInto(batch.table).values(batch.rows).execute()
      // A trigger has made an organization for each person; the backup has its own.
      if (batch?.table === 'users' && schema >= ORGANIZATIONS_SINCE) await trx.deleteFrom('organizations').execute()
      batch = undefined
    }
    for await (const line of readLines(path)) {
      if ('format' in line) {
        if (line.format !== FORMAT) throw new Error('This is not a backup of Ramal')
        if (!isKnownSchema(line.schema))
          throw new Error(`This backup was made by a newer version of Ramal (${line.schema}); update Ramal first`)
        await dropTables(trx, tables.toReversed())
        await migrateWithin(trx, line.schema)
        schema = line.schema
      } else if ('table' in line) {
        if (schema === '' || !Object.hasOwn(tableKeys, line.table)) throw new Error('This is not a backup of Ramal')
        if (batch?.table !== line.table || batch.rows.length === PAGE) {
          await flush()
          batch = { table: line.table, rows: [] }
        }
        batch.rows.push(line.row)
        rows++
      } else footerRows = line.rows
    }
    await flush()
    if (footerRows !== rows) throw new Error('This backup is incomplete: its end is missing')
    await migrateWithin(trx)
    await check(trx)
    await afterRestore(trx, ownId)
    return rows
  })
}

const databaseIdOf = (trx: Trx) =>
  trx.selectFrom('meta').select(['name', 'value']).where('name', '=', 'database-id').executeTakeFirst()

/**
 * The database keeps its own id and stores the time of the restore, because older recordings may belong to calls made
 * after the backup.
 */
async function afterRestore(trx: Trx, ownId: { name: string; value: string } | undefined): Promise<void> {
  await trx.deleteFrom('meta').where(isProcessEntry).execute()
  await trx.deleteFrom('meta').where('name', 'in', ['database-id', 'restored-at']).execute()
  const restored = { name: 'restored-at', value: now() }
  await trx
    .insertInto('meta')
    .values(ownId ? [ownId, restored] : [restored])
    .execute()
}

async function* readLines(path: string): AsyncGenerator<Line> {
  const file = createReadStream(path).on('error', (error) => unzipped.destroy(error))
  const unzipped = file.pipe(createGunzip())
  try {
    for await (const line of createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY }))
      yield JSON.parse(line)
  } finally {
    // Nothing keeps reading in the background if the consumer stops midway.
    unzipped.on('error', () => {})
    file.destroy()
    unzipped.destroy()
  }
}
