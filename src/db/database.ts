// Opens the configured database and holds the few things in which the two kinds differ.
import { type Kysely, sql, type Transaction } from 'kysely'
import { AppError } from '../base/errors.ts'
import type { DatabaseConfig } from '../config.ts'
import { migrate } from './migrate.ts'
import { isPostgresAway, openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>

export type Database = {
  db: Db
  /** Other processes may serve the same data. */
  shared: boolean
  /** What an error of the database means to a caller, where it means anything. */
  translate(error: unknown): AppError | undefined
  ping(): Promise<void>
  close(): Promise<void>
}

export async function openDatabase(config: DatabaseConfig, onLost: (error: Error) => void): Promise<Database> {
  const shared = config.kind === 'postgres'
  const db = shared ? openPostgres(config.url, onLost) : openSqlite(config.path)
  await migrate(db, shared)
  return {
    db,
    shared,
    translate,
    ping: async () => void (await sql`select 1`.execute(db)),
    close: () => db.destroy(),
  }
}

function translate(error: unknown): AppError | undefined {
  if (isPostgresAway(error)) return new AppError('unavailable', 'The database cannot be reached', { cause: error })
  if (isContention(error)) {
    const headers = { 'retry-after': '1' }
    return new AppError('unavailable', 'The database is busy; try again', { cause: error, headers })
  }
  if (isForeignKeyViolation(error))
    return new AppError('not_found', 'What this refers to was not found', { cause: error })
  return undefined
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
