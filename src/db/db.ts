// The query builder of this database: Kysely with transactions that have after-commit hooks.
import { type Dialect, Kysely, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

export type Trx = Transaction<Tables> & {
  /** Runs once after the commit, however often the same function is passed; never after a rollback. It must not throw. */
  afterCommit(hook: () => void): void
}

/** Runs a compiled SELECT without Kysely's executor; undefined: the connection is busy, use the executor. */
export type DirectRead = (text: string, parameters: readonly unknown[]) => unknown[] | Promise<unknown[]> | undefined

export class Db extends Kysely<Tables> {
  readonly directRead: DirectRead
  /** Called after each commit of this process that wrote events. */
  readonly eventListeners = new Set<() => void>()

  constructor(dialect: Dialect, directRead: DirectRead) {
    super({ dialect })
    this.directRead = directRead
  }

  async inTransaction<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    const hooks = new Set<() => void>()
    const afterCommit = (hook: () => void) => void hooks.add(hook)
    const result = await this.transaction().execute((trx) => work(Object.assign(trx, { afterCommit })))
    for (const hook of hooks) hook()
    return result
  }
}
