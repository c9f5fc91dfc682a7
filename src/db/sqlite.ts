// SQLite through node:sqlite, as a Kysely dialect: one connection, one writer, cached prepared statements. A
// transaction awaits between its statements, so every query takes the connection's mutex and none runs inside another's
// transaction. Writes share transactions (group-commit.ts).
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type Driver,
  type Kysely,
  type KyselyProps,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  Transaction,
  type TransactionSettings,
} from 'kysely'
import { Mutex } from '../base/concurrency/mutex.ts'
import { LruCache } from '../base/lru-cache.ts'
import { Db } from './db.ts'
import { GroupCommit } from './group-commit.ts'
import type { Tables } from './tables.ts'

export function openSqlite(path: string): Db {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600)) // SQLite gives its WAL files the mode of the main file
  const file = new DatabaseSync(path)
  // FULL: commits survive a power failure, not only a crash of this process.
  file.exec(
    'pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = memory',
  )
  // SQLite's own lower() handles only ASCII: NÃO would not match não.
  file.function('lower', { deterministic: true }, (text) => (typeof text === 'string' ? text.toLowerCase() : text))
  const driver = new SqliteDriver(file)
  const dialect = {
    createAdapter: () => adapter,
    createDriver: () => driver,
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => compiler,
  }
  const executor = new SqliteExecutor((query) => driver.run(query), new DefaultConnectionProvider(driver))
  const props = { config: { dialect }, dialect, driver, executor }
  return new Db(props, {
    runNow: (text, parameters) => driver.readNow(text, parameters),
    transact: (work) =>
      driver.group.transaction(async (hooks) => {
        const trx = new GroupedTransaction(props, driver, hooks)
        try {
          return await work(trx)
        } finally {
          trx.end()
        }
      }),
  })
}

const adapter = new SqliteAdapter()
const compiler = new SqliteQueryCompiler()

/** Runs queries without the connection pool that Kysely expects. */
class SqliteExecutor extends DefaultQueryExecutor {
  readonly #run: (query: CompiledQuery) => Promise<QueryResult<unknown>>

  constructor(run: (query: CompiledQuery) => Promise<QueryResult<unknown>>, connections: ConnectionProvider) {
    super(compiler, adapter, connections)
    this.#run = run
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#run(query) as Promise<QueryResult<R>>
  }
}

/** A transaction within a group. */
class GroupedTransaction extends Transaction<Tables> {
  readonly #state: { isOver: boolean }
  readonly #hooks: (() => void)[]

  constructor(props: KyselyProps, driver: SqliteDriver, hooks: (() => void)[]) {
    const state = { isOver: false }
    // A statement that was not awaited would run in a neighbor's transaction.
    const run = async (query: CompiledQuery) => {
      if (state.isOver) throw new Error('The transaction has ended')
      return driver.connection.run<unknown>(query)
    }
    super({ ...props, executor: new SqliteExecutor(run, noConnections) })
    this.#state = state
    this.#hooks = hooks
  }

  afterCommit(hook: () => void): void {
    this.#hooks.push(hook)
  }

  end(): void {
    this.#state.isOver = true
  }
}

const noConnections: ConnectionProvider = {
  provideConnection: () => Promise.reject(new Error('A transaction has its connection')),
}

class SqliteDriver implements Driver {
  readonly #file: DatabaseSync
  readonly connection: SqliteConnection
  readonly group: GroupCommit
  readonly #mutex = new Mutex()

  constructor(file: DatabaseSync) {
    this.#file = file
    this.connection = new SqliteConnection(file)
    this.group = new GroupCommit(file, this.#mutex)
  }

  async init(): Promise<void> {}

  /** Undefined while a transaction holds the connection. */
  readNow(text: string, parameters: readonly unknown[]): unknown[] | undefined {
    return this.#mutex.held ? undefined : this.connection.read(text, parameters)
  }

  /** Runs a query outside transactions. */
  async run(query: CompiledQuery): Promise<QueryResult<unknown>> {
    if (this.connection.isWrite(query.sql)) return this.group.statement(() => this.connection.run(query))
    await this.#mutex.lock()
    try {
      return this.connection.run(query)
    } finally {
      this.#mutex.unlock()
    }
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#mutex.lock()
    return this.connection
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
    if (this.#file.isTransaction) this.#file.exec('rollback') // some errors have already rolled it back
  }

  async destroy(): Promise<void> {
    await this.group.drain()
    if (this.#file.isOpen) this.#file.close()
  }
}

type ToRow = (values: object) => unknown
type Prepared = { statement: StatementSync; hasRows: boolean; toRow: ToRow; isWrite: boolean }

class SqliteConnection implements DatabaseConnection {
  readonly #file: DatabaseSync
  readonly #statements = new LruCache<string, Prepared>(500)

  constructor(file: DatabaseSync) {
    this.#file = file
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.run(query)
  }

  run<R>(query: CompiledQuery): QueryResult<R> {
    const { statement, hasRows } = this.#prepare(query.sql)
    if (hasRows) return { rows: this.read<R>(query.sql, query.parameters) }
    return { rows: [], numAffectedRows: BigInt(statement.run(...(query.parameters as SQLInputValue[])).changes) }
  }

  /** Whether the text may be part of a write transaction; a pragma, for example, may not. */
  isWrite(text: string): boolean {
    return this.#prepare(text).isWrite
  }

  /**
   * Builds rows here from plain arrays: node:sqlite's own rows have no prototype, and copying one takes twice as long.
   */
  read<R>(text: string, parameters: readonly unknown[]): R[] {
    const { statement, toRow } = this.#prepare(text)
    return statement.all(...(parameters as SQLInputValue[])).map(toRow) as R[]
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
      const columns = statement.columns().map((column) => column.name) // read once: it costs 13 µs
      prepared = {
        statement,
        hasRows: columns.length > 0,
        toRow: rowBuilder(columns),
        isWrite: /^\s*(insert|update|delete|replace|with)\b/i.test(text),
      }
      this.#statements.set(text, prepared)
    }
    return prepared
  }
}

/**
 * Generates a function with literal names: setting them in a loop takes ten times as long. The names come from our own
 * queries.
 */
function rowBuilder(columns: readonly string[]): ToRow {
  const fields = columns.map((name, i) => `${JSON.stringify(name)}: values[${i}]`)
  return new Function('values', `return { ${fields.join(', ')} }`) as ToRow
}
