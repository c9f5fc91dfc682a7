// The query builder of this database: Kysely with transactions that have after-commit hooks.
import { type Dialect, Kysely, type KyselyProps, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

export type Trx = Transaction<Tables> & {
  /**
   * Runs once after the commit, even if the same function is passed several times; never after a rollback. It must not
   * throw.
   */
  afterCommit(hook: () => void): void
}

/** Extensions of a database beyond Kysely's executor. */
export type Shortcuts = {
  /**
   * Runs a compiled statement without the executor. Undefined if the connection is busy, or if it is not a SELECT on
   * SQLite.
   */
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
