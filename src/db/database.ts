// Opens the configured database and holds the few things in which the two kinds differ.
import { sql } from 'kysely'
import { withTimeout } from '../base/abort.ts'
import { monotonicMs } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { DatabaseConfig } from '../config/config.ts'
import type { Db } from './db.ts'
import { migrate } from './migrate.ts'
import { isPostgresAway, openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export type { Db, Trx } from './db.ts'

export type Database = {
  db: Db
  /** Other processes may serve the same data. */
  shared: boolean
  /** What an error of the database means to a caller, where it means anything. */
  translate(error: unknown): AppError | undefined
  ping(): Promise<void>
  close(): Promise<void>
}

/** A database that hangs is away. */
const PING_MS = 2000
const RETRY_AWAY = { 'retry-after': '5' }
const RETRY_FULL = { 'retry-after': '60' }
/** A disk that is full lets reads pass: it is fine again when no write has failed for so long. */
const FULL_MS = 60_000

/** `onOutage` hears once of each outage: of its first error, and null when it is over. */
export async function openDatabase(
  config: DatabaseConfig,
  onOutage: (error: unknown | null) => void,
): Promise<Database> {
  const shared = config.kind === 'postgres'
  let outage: { untilMs: number } | undefined
  function down(error: unknown, forMs: number): void {
    if (!outage) onOutage(error)
    outage = { untilMs: monotonicMs() + forMs }
  }
  async function ping(): Promise<void> {
    try {
      await within(PING_MS, sql`select 1`.execute(db))
    } catch (error) {
      down(error, 0)
      throw error
    }
    if (!outage || monotonicMs() < outage.untilMs) return
    outage = undefined
    onOutage(null)
  }
  // An idle connection that breaks is an outage only if no other can be had.
  const db = shared ? openPostgres(config.url, () => void ping().catch(() => {})) : openSqlite(config.path)
  await migrate(db, shared)
  return {
    db,
    shared,
    translate(error) {
      const told = translate(error)
      if (isAway(error)) down(error, 0)
      if (isFull(error)) down(error, FULL_MS)
      return told
    },
    ping,
    close: () => db.destroy(),
  }
}

class Hanging extends Error {}

const within = <T>(ms: number, task: Promise<T>): Promise<T> =>
  withTimeout(ms, task, () => new Hanging('The database does not answer'))

function translate(error: unknown): AppError | undefined {
  const unavailable = (message: string, headers: Record<string, string>) =>
    new AppError('unavailable', message, { cause: error, headers })
  if (isAway(error)) return unavailable('The database cannot be reached', RETRY_AWAY)
  if (isFull(error)) return unavailable('The database cannot store anything: its disk is full or fails', RETRY_FULL)
  if (isContention(error)) return unavailable('The database is busy; try again', { 'retry-after': '1' })
  if (isForeignKeyViolation(error))
    return new AppError('not_found', 'What this refers to was not found', { cause: error })
  return undefined
}

const isAway = (error: unknown) => error instanceof Hanging || isPostgresAway(error)

/** The disk is full, fails, or may not be written to: SQLITE_READONLY, _IOERR, _FULL, _CANTOPEN; disk_full, read_only_sql_transaction. */
function isFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  if (typeof errcode === 'number') return [8, 10, 13, 14].includes(errcode & 0xff)
  return code === '53100' || code === '25006'
}

/** A row that was named a moment ago is gone: it was deleted between our look and our write. */
function isForeignKeyViolation(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return code === '23503' || errcode === 787 // SQLITE_CONSTRAINT_FOREIGNKEY
}

export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return code === '23505' || errcode === 2067 // SQLITE_CONSTRAINT_UNIQUE
}

/** Two transactions were in each other's way, and the database gave one of them up: nothing of it was done. */
function isContention(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return code === '40P01' || code === '40001' || errcode === 5 // deadlock, serialisation failure, SQLITE_BUSY
}
