// The query builder of this database: Kysely with transactions that have after-commit hooks.
import { type Dialect, Kysely, type KyselyProps, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

export type Trx = Transaction<Tables> & {
  /** Runs once after the commit, however often the same function is passed; never after a rollback. It must not throw. */
  afterCommit(hook: () => void): void
}

/** What a database offers beside Kysely's executor. */
export type Shortcuts = {
  /** Runs a compiled statement without the executor; undefined: the connection is busy, or this is no SELECT on SQLite. */
  runNow: (text: string, parameters: readonly unknown[]) => unknown[] | Promise<unknown[]> | undefined
  /** Runs the work of a transaction; without it, Kysely does. */
  transact?: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>
}

export class Db extends Kysely<Tables> {
  readonly runNow: Shortcuts['runNow']
  readonly #transact: Shortcuts['transact']
  /** Called after each commit of this process that wrote events. */
  readonly eventListeners = new Set<() => void>()

  constructor(base: Dialect | KyselyProps, { runNow, transact }: Shortcuts) {
    super(('executor' in base ? base : { dialect: base }) as KyselyProps)
    this.runNow = runNow
    this.#transact = transact
  }

  inTransaction<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    return this.#transact ? this.#transact(work) : this.#alone(work)
  }

  async #alone<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    const hooks = new Set<() => void>()
    const afterCommit = (hook: () => void) => void hooks.add(hook)
    const result = await this.transaction().execute((trx) => work(Object.assign(trx, { afterCommit })))
    for (const hook of hooks) hook()
    return result
  }
}
