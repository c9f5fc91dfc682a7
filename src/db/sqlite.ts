// SQLite by node:sqlite, as a Kysely dialect: one connection, one writer, cached prepared statements.
// A transaction awaits between its statements, so every query takes the connection's mutex: none runs inside another's transaction.
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import { LruCache } from '../base/lru-cache.ts'
import { Mutex } from '../base/mutex.ts'
import { Db } from './db.ts'

export function openSqlite(path: string): Db {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600)) // SQLite gives its WAL files the mode of the main file
  const file = new DatabaseSync(path)
  // FULL: commits survive a power cut, not only a crash of this process.
  file.exec(
    'pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = memory',
  )
  // SQLite's own lower() is ASCII only: NÃO would not match não.
  file.function('lower', { deterministic: true }, (text) => (typeof text === 'string' ? text.toLowerCase() : text))
  const driver = new SqliteDriver(file)
  const dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  return new Db(dialect, (text, parameters) => driver.readNow(text, parameters))
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

  /** Undefined while a transaction holds the connection. */
  readNow(text: string, parameters: readonly unknown[]): unknown[] | undefined {
    return this.#mutex.held ? undefined : this.#connection.read(text, parameters)
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#mutex.lock()
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    this.#mutex.unlock()
  }

  async beginTransaction(_connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    // A writer takes the write lock at once, so that no lock upgrade can fail later; a reader never blocks a writer.
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

type Prepared = { statement: StatementSync; columns: string[] }

class SqliteConnection implements DatabaseConnection {
  readonly #file: DatabaseSync
  readonly #statements = new LruCache<string, Prepared>(500)

  constructor(file: DatabaseSync) {
    this.#file = file
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { statement, columns } = this.#prepare(query.sql)
    if (columns.length > 0) return { rows: this.read<R>(query.sql, query.parameters) }
    return { rows: [], numAffectedRows: BigInt(statement.run(...(query.parameters as SQLInputValue[])).changes) }
  }

  /** Rows are built here from plain arrays: node:sqlite's own have no prototype, and copying one takes twice as long. */
  read<R>(text: string, parameters: readonly unknown[]): R[] {
    const { statement, columns } = this.#prepare(text)
    const found = statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][]
    return found.map((values) => {
      const row: Record<string, unknown> = {}
      for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i]
      return row as R
    })
  }

  // biome-ignore lint/correctness/useYield: long lists are read in pages (db/owned.ts), so there is nothing to stream
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streamQuery is not offered: read in pages')
  }

  #prepare(text: string): Prepared {
    let prepared = this.#statements.get(text)
    if (!prepared) {
      const statement = this.#file.prepare(text)
      statement.setReturnArrays(true)
      prepared = { statement, columns: statement.columns().map((column) => column.name) } // read once: it costs 13 µs
      this.#statements.set(text, prepared)
    }
    return prepared
  }
}
