// Group commit on SQLite: writes that arrive together share one transaction and one fsync. Each runs in its own
// savepoint, one after another, so a failed write does not affect its neighbors; a caller gets its result only after
// the commit.
import { AsyncResource } from 'node:async_hooks'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Mutex } from '../base/concurrency/mutex.ts'
import { runUnowned } from '../base/errors/error-containment.ts'
import { monotonicMs } from '../base/time/clock.ts'

/** Limits of one group, so that a burst cannot block the event loop or the file for long. */
const MAX_WRITES = 256
const MAX_GROUP_MS = 10

/** Functions to call after the commit. */
type Hooks = (() => void)[]
type Write = {
  run: (hooks: Hooks) => unknown
  /** A single statement, which SQLite itself undoes on failure. */
  isStatement: boolean
  hooks: Hooks
  result: unknown
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

export class GroupCommit {
  readonly #file: DatabaseSync
  /** Held from `begin` to `commit`: nothing else runs inside the transaction. */
  readonly #mutex: Mutex
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  readonly #savepoint: StatementSync
  readonly #release: StatementSync
  readonly #maxMs: number
  #queue: Write[] = []
  #isScheduled = false

  constructor(file: DatabaseSync, mutex: Mutex, maxMs = MAX_GROUP_MS) {
    this.#file = file
    this.#maxMs = maxMs
    this.#mutex = mutex
    this.#begin = file.prepare('begin immediate') // takes the write lock at once, so that no lock upgrade can fail later
    this.#commit = file.prepare('commit')
    this.#savepoint = file.prepare('savepoint one')
    this.#release = file.prepare('release one')
  }

  /** Several statements, all or none. `hooks` run after the commit. */
  transaction<T>(work: (hooks: Hooks) => Promise<T>): Promise<T> {
    return this.#add(AsyncResource.bind(work), false) // it runs later, in its caller's async context
  }

  statement<T>(work: () => T): Promise<T> {
    return this.#add(work, true)
  }

  /** Resolves when all writes so far have their result. */
  async drain(): Promise<void> {
    while (this.#isScheduled) await new Promise((resolve) => setImmediate(resolve))
  }

  #add<T>(run: (hooks: Hooks) => T | Promise<T>, isStatement: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = resolve as (result: unknown) => void
      this.#queue.push({ run, isStatement, hooks: [], result: undefined, resolve: settle, reject })
      this.#schedule()
    })
  }

  /** Deferred until all currently readable sockets have been read, so that their writes form one group. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    runUnowned(() => setImmediate(() => void this.#next()))
  }

  async #next(): Promise<void> {
    await this.#mutex.lock()
    try {
      await this.#group()
    } finally {
      this.#mutex.unlock()
      this.#isScheduled = false
      if (this.#queue.length > 0) this.#schedule()
    }
  }

  async #group(): Promise<void> {
    const group: Write[] = []
    try {
      this.#begin.run()
    } catch (error) {
      return rejectAll(this.#queue.splice(0), error)
    }
    try {
      const untilMs = monotonicMs() + this.#maxMs
      // Writes that arrive while a write of the group waits for something else still join it.
      while (group.length < MAX_WRITES && monotonicMs() < untilMs) {
        const write = this.#queue.shift()
        if (!write) break
        if (await this.#execute(write)) group.push(write)
      }
      this.#commit.run()
    } catch (error) {
      if (this.#file.isTransaction) this.#file.exec('rollback')
      return rejectAll(group, error)
    }
    for (const hook of new Set(group.flatMap(({ hooks }) => hooks))) hook()
    for (const { resolve, result } of group) resolve(result)
  }

  /**
   * False if only this write failed. Throws if SQLite has rolled back the whole group, which can happen when the disk
   * is full.
   */
  async #execute(write: Write): Promise<boolean> {
    try {
      if (!write.isStatement) this.#savepoint.run()
      const result = write.run(write.hooks)
      write.result = result instanceof Promise ? await result : result
      if (!write.isStatement) this.#release.run()
      return true
    } catch (error) {
      write.reject(error)
      if (!this.#file.isTransaction) throw error
      if (!write.isStatement) this.#file.exec('rollback to one; release one')
      return false
    }
  }
}

function rejectAll(writes: readonly Write[], error: unknown): void {
  for (const { reject } of writes) reject(error)
}
