// Opens the configured database, and translates its errors.
import { sql } from 'kysely'
import { withTimeout } from '../base/concurrency/abort.ts'
import { coalesced } from '../base/concurrency/coalesced.ts'
import { AppError, appError } from '../base/errors/errors.ts'
import { monotonicMs } from '../base/time/clock.ts'
import type { DatabaseConfig } from '../config/config.ts'
import type { Db } from './db.ts'
import { migrate } from './migrate.ts'
import { outageReports } from './outage-reports.ts'
import { isPostgresAway, isPostgresLate, openPostgres, UNLIMITED } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export type { Db, Trx } from './db.ts'

export type Database = {
  db: Db
  /** Whether other processes may serve the same data. */
  shared: boolean
  /** Migrations already applied by a node of the next release. */
  newerMigrations: readonly string[]
  /** The API error for a database error; undefined if it means nothing to the client. */
  translate(error: unknown): AppError | undefined
  /** Detects outages; call it every few seconds. */
  ping(): Promise<void>
  /** Fails like a statement on an unreachable database if the task takes longer. */
  within<T>(ms: number, task: Promise<T>): Promise<T>
  /** True if it did not answer the last ping. Known without a query. */
  isAway(): boolean
  /** True if the error belongs to an outage that has been reported, before or by this call. */
  isOfOutage(error: unknown): boolean
  /** When an outage was last noticed, on the monotonic clock. */
  lastOutageMs(): number
  close(): Promise<void>
}

/** A database that takes longer counts as unreachable. */
const PING_MS = 2000
const RETRY_AWAY = { 'retry-after': '5' }
const RETRY_FULL = { 'retry-after': '60' }
/** A server that is stopping closes its connections one by one, and still answers on the last ones. */
const SETTLE_MS = 1000
/** With a full disk, reads still succeed, so the outage is over only when no write has failed for this long. */
const FULL_MS = 60_000

/** `onOutage` is called once per outage with its first error, and with null when it is over. */
export async function openDatabase(
  config: DatabaseConfig,
  onOutage: (error: unknown | null) => void,
): Promise<Database> {
  const shared = config.kind === 'postgres'
  const outages = outageReports(onOutage, ping)
  let last = { ping: 0, hasAnswered: true }
  let pings = 0
  let isClosed = false
  /** Keeps the answer to the later ping, which is more recent. */
  const note = (ping: number, hasAnswered: boolean) => {
    if (ping > last.ping) last = { ping, hasAnswered }
  }
  async function ping(): Promise<void> {
    const askedMs = monotonicMs()
    const number = ++pings
    try {
      await within(PING_MS, sql`select 1`.execute(db))
      note(number, true)
    } catch (error) {
      // Our own timers ran late too, so it was this process that was suspended.
      if (error instanceof DatabaseTimeout && monotonicMs() - askedMs > 2 * PING_MS) return ping()
      note(number, false)
      if (!isClosed) outages.failed(error, SETTLE_MS)
      throw error
    }
    outages.answered()
  }
  /** A single slow statement counts as an outage only if a ping times out as well. */
  function report(error: unknown): void {
    if (isFull(error)) outages.failed(error, FULL_MS)
    if (!isAway(error)) return
    if (!isLate(error)) outages.failed(error, SETTLE_MS)
    check().catch(() => {})
  }
  /** Many statements fail at the same time. */
  const check = coalesced(ping).run
  // A lost idle connection is an outage only if no new one can be opened.
  const db = shared ? openPostgres(config.url, () => void ping().catch(() => {})) : openSqlite(config.path)
  const newerMigrations = shared ? await migratePostgres(config.url) : await migrate(db, false)
  return {
    db,
    shared,
    newerMigrations,
    translate(error) {
      report(error)
      return translate(error)
    },
    ping,
    within,
    isAway: () => !last.hasAnswered,
    isOfOutage(error) {
      const cause = error instanceof AppError ? error.cause : error
      report(cause)
      return outages.isOut() && (isAway(cause) || isFull(cause))
    },
    lastOutageMs: outages.lastMs,
    close: () => {
      isClosed = true
      outages.stop()
      return db.destroy()
    },
  }
}

async function migratePostgres(url: string): Promise<string[]> {
  const db = openPostgres(url, () => {}, UNLIMITED)
  try {
    return await migrate(db, true)
  } finally {
    await db.destroy()
  }
}

class DatabaseTimeout extends Error {}

const within = <T>(ms: number, task: Promise<T>): Promise<T> =>
  withTimeout(ms, task, () => new DatabaseTimeout('The database did not respond in time'))

function translate(error: unknown): AppError | undefined {
  const more = (headers: Record<string, string>) => ({ cause: error, headers })
  if (isAway(error)) return appError('database_unreachable', {}, more(RETRY_AWAY))
  if (isFull(error)) return appError('database_full', {}, more(RETRY_FULL))
  if (isContention(error)) return appError('database_busy', {}, more({ 'retry-after': '1' }))
  if (isForeignKeyViolation(error)) return appError('reference_not_found', {}, { cause: error })
  return undefined
}

const isLate = (error: unknown) => error instanceof DatabaseTimeout || isPostgresLate(error)
const isAway = (error: unknown) => error instanceof DatabaseTimeout || isPostgresAway(error)

/**
 * The disk is full, failing or read-only: SQLITE_READONLY, _IOERR, _FULL, _CANTOPEN; disk_full,
 * read_only_sql_transaction.
 */
function isFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  if (typeof errcode === 'number') return [8, 10, 13, 14].includes(errcode & 0xff)
  return code === '53100' || code === '25006'
}

/** The referenced row was deleted between our read and our write. */
function isForeignKeyViolation(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return code === '23503' || errcode === 787 // SQLITE_CONSTRAINT_FOREIGNKEY
}

export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return code === '23505' || errcode === 2067 // SQLITE_CONSTRAINT_UNIQUE
}

/** The database rolled back this transaction because of another one. */
function isContention(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return code === '40P01' || code === '40001' || errcode === 5 // deadlock, serialization failure, SQLITE_BUSY
}
