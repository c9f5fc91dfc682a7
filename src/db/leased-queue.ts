// Background work as table rows: a worker claims a row under a lease, and only the holder of the lease may finish it.
// Work survives a restart, two processes never hold the same row, and rows of a crashed process are claimed again when
// the lease expires. Not for work that is claimed in other ways: campaign attempts (by the rules, under the locks of
// campaign and user), imports (never taken over, only closed), idempotency keys (by an insert) and live calls (by their
// node).
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from './db.ts'
import type { Tables } from './tables.ts'
import { dbTime } from './time.ts'

type QueueTable = 'conversations' | 'knowledgeDocuments' | 'webhookDeliveries' | 'deviceTexts' | 'devices' | 'toolCalls'
type Column<T extends QueueTable> = keyof Tables[T] & string
type Changes<T extends QueueTable> = { [C in keyof Tables[T]]?: Tables[T][C] | RawBuilder<unknown> }

export type QueueOptions<T extends QueueTable> = {
  table: T
  /**
   * If waiting: not before this time. If claimed: the end of the lease, by the database clock, which also identifies
   * the lease.
   */
  dueAt: Column<T>
  /** The column with a row's state in the queue; without it, `dueAt` alone decides. */
  status?: { column: Column<T>; waiting: string; claimed: string; claimable: readonly string[] }
  /** Incremented when a row is claimed, so that a crashed process has used up its attempt. */
  attempts?: Column<T>
  leaseMs: number
}

/** Identifies a claimed row: once another process holds the lease, writes with this one change nothing. */
export type Lease = { id: string; leaseUntil: string }
export type Claimed<T extends QueueTable> = Tables[T] & Lease

export type ClaimOptions<T extends QueueTable> = {
  /** Which rows may be claimed; the row is called `candidate`. */
  where?: RawBuilder<boolean>
  orderBy?: Column<T>
  set?: Changes<T>
  leaseMs?: number
}

export function leasedQueue<T extends QueueTable>(
  db: Db,
  { table, dueAt, status, attempts, leaseMs }: QueueOptions<T>,
) {
  const column = (name: string) => sql.ref(name)
  const changes = (values: Record<string, unknown>) =>
    sql.join(Object.entries(values).map(([name, value]) => sql`${column(name)} = ${value}`))
  const counted = (difference: 1 | -1) =>
    attempts ? { [attempts]: sql`${column(attempts)} + ${sql.lit(difference)}` } : {}

  const update = async (on: Db | Trx, set: object, where: RawBuilder<boolean>): Promise<Claimed<T>[]> => {
    const statement = sql<Tables[T]>`update ${sql.table(table)} set ${changes({ ...set })} where ${where} returning *`
    const { rows } = await statement.execute(on)
    return rows.map((row) => ({ ...row, leaseUntil: row[dueAt] as string }) as Claimed<T>)
  }

  const isClaimed = status ? sql<boolean>`${column(status.column)} = ${status.claimed}` : sql<boolean>`1 = 1`
  const isHeld = ({ id, leaseUntil }: Lease) =>
    sql<boolean>`id = ${id} and ${isClaimed} and ${column(dueAt)} = ${leaseUntil}`

  /** Writes only while the lease is held; undefined if it was lost. */
  const finish = async (job: Lease, set: Changes<T>, on: Db | Trx = db): Promise<Claimed<T> | undefined> =>
    (await update(on, set, isHeld(job)))[0]

  return {
    /** Leases and returns the row that is due first; undefined if none is due, or if another process was faster. */
    async claim({
      where,
      orderBy = dueAt,
      set = {},
      ...options
    }: ClaimOptions<T> = {}): Promise<Claimed<T> | undefined> {
      const at = dbTime(db)
      const isDue = (row: string) => {
        const due = sql<boolean>`${column(`${row}.${dueAt}`)} <= ${at}`
        return status
          ? sql<boolean>`${column(`${row}.${status.column}`)} in (${sql.join(status.claimable)}) and ${due}`
          : due
      }
      const next = sql`select candidate.id from ${sql.table(table)} as candidate
        where ${isDue('candidate')} and ${where ?? sql`1 = 1`} order by ${column(`candidate.${orderBy}`)} limit 1`
      const claimed = {
        ...counted(1),
        ...(status ? { [status.column]: status.claimed } : {}),
        ...set,
        [dueAt]: dbTime(db, options.leaseMs ?? leaseMs),
      }
      // Checks the row again, because another process may have claimed it since the subquery ran.
      return (await update(db, claimed, sql<boolean>`id = (${next}) and ${isDue(table)}`))[0]
    },

    /** Extends the lease; returns the new one, or undefined if it was lost. */
    renew: (job: Lease, on: Db | Trx = db): Promise<Claimed<T> | undefined> =>
      finish(job, { [dueAt]: dbTime(on, leaseMs) } as Changes<T>, on),

    finish,

    /** Call it after a failure: due again after `afterMs`. */
    retry: (job: Lease, afterMs: number, set: Changes<T> = {}, on: Db | Trx = db): Promise<Claimed<T> | undefined> => {
      const waiting = status ? { [status.column]: status.waiting } : {}
      return finish(job, { ...waiting, ...set, [dueAt]: dbTime(on, afterMs) } as Changes<T>, on)
    },

    /** Call it at shutdown: due at once, and the attempt does not count. */
    release: (job: Lease, set: Changes<T> = {}, on: Db | Trx = db): Promise<Claimed<T> | undefined> => {
      const waiting = status ? { [status.column]: status.waiting } : {}
      return finish(job, { ...counted(-1), ...waiting, ...set, [dueAt]: dbTime(on) } as Changes<T>, on)
    },

    /** For work that must not run twice: changes and returns the rows whose lease expired while they were claimed. */
    expire: (set: Changes<T>, where: RawBuilder<boolean> = sql`1 = 1`, on: Db | Trx = db): Promise<Claimed<T>[]> =>
      update(on, set, sql<boolean>`${isClaimed} and ${column(dueAt)} < ${dbTime(on)} and ${where}`),
  }
}
