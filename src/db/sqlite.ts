// SQLite by node:sqlite, as a Kysely dialect: one connection, one writer, prepared statements kept.
// A transaction awaits between its statements, so every query takes the connection's lock: none slips into another's transaction.
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import { Mutex } from '../base/mutex.ts'
import { Recent } from '../base/recent.ts'
import type { Tables } from './tables.ts'

export function openSqlite(path: string): Kysely<Tables> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600)) // SQLite gives its side files the rights of the main one
  const file = new DatabaseSync(path)
  // FULL: what was acknowledged survives a power cut, not only a crash of this process.
  file.exec(
    'pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = memory',
  )
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new SqliteDriver(file),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}

class SqliteDriver implements Driver {
  readonly #file: DatabaseSync
  readonly #connection: SqliteConnection
  readonly #mutex = new Mutex()

  constructor(file: DatabaseSync) {
    this.#file = file
    this.#connection = new SqliteConnection(file)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#mutex.lock()
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    this.#mutex.unlock()
  }

  async beginTransaction(_connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    // A writer asks for the write lock now, so that no upgrade can fail half-way; a reader never holds up a writer.
    this.#file.exec(settings.accessMode === 'read only' ? 'begin' : 'begin immediate')
  }

  async commitTransaction(): Promise<void> {
    this.#file.exec('commit')
  }

  async rollbackTransaction(): Promise<void> {
    if (this.#file.isTransaction) this.#file.exec('rollback') // some errors have rolled it back already
  }

  async destroy(): Promise<void> {
    this.#file.close()
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #file: DatabaseSync
  readonly #statements = new Recent<string, StatementSync>(500)

  constructor(file: DatabaseSync) {
    this.#file = file
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#prepare(query.sql)
    const parameters = query.parameters as SQLInputValue[]
    if (statement.columns().length > 0) return { rows: statement.all(...parameters) as R[] }
    return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) }
  }

  // biome-ignore lint/correctness/useYield: long lists are read in pages (db/owned.ts), so there is nothing to stream
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streamQuery is not offered: read in pages')
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#file.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}
