// Slots of live calls, counted across all nodes that share a PostgreSQL. A slot counts while its process holds its
// node's lease: the slots of a dead node become free when that lease expires, so nothing has to be renewed here.
import { sql } from 'kysely'
import { waitAtMost } from '../base/concurrency/abort.ts'
import { newId } from '../base/ids.ts'
import { monotonicMs } from '../base/time/clock.ts'
import type { CallSlotRow } from './cluster-rows.ts'
import type { Db } from './db.ts'
import { leaseClock } from './lease-clock.ts'
import { NODE_LEASE_MS } from './nodes.ts'
import { dbTime, readDbClock } from './time.ts'

export type NewSlot = Pick<CallSlotRow, 'userId' | 'trunkId' | 'deviceId'>
export type SlotLimit = 'user' | 'trunk' | 'device'
/** Null means unlimited. */
export type SlotLimits = Readonly<Record<SlotLimit, number | null>>
type Acquired = { release(): Promise<void> } | { reached: SlotLimit }

/** How long the end of a call waits for the database; if it is down, `check` deletes the row later. */
const RELEASE_MS = 1000
export const CHECK_MS = 3000
const CHECKS_PER_SWEEP = 10
/** Dead slots do not count; their rows are deleted after this time. */
const SWEEP_AFTER_MS = 60_000

type Times = { lastOutageMs?: () => number; elapsedMs?: () => number }
const never = () => Number.NEGATIVE_INFINITY

/** `holder`: the processId of this node. */
export function callSlots(db: Db, holder: string, { lastOutageMs = never, elapsedMs = monotonicMs }: Times = {}) {
  /** Slots of this process, including those being acquired. */
  const held = new Set<string>()
  /** Rows to delete. */
  const released = new Set<string>()
  const trust = leaseTrust(db, lastOutageMs, elapsedMs)
  const startedMs = elapsedMs()
  const flush = deleterOf(db, released)
  let checks = 0

  async function release(id: string): Promise<void> {
    held.delete(id)
    released.add(id)
    await waitAtMost(
      RELEASE_MS,
      flush().catch(() => {}),
    )
  }

  /** Returns the limit that was reached, or null. */
  async function insert(id: string, { userId, trunkId, deviceId }: NewSlot, max: SlotLimits) {
    const { rows } = await sql<{ reached: SlotLimit | null }>`select "acquireCallSlot"(${id}, ${holder}, ${userId},
      ${trunkId}, ${deviceId}, ${max.user}::integer, ${max.trunk}::integer, ${max.device}::integer,
      ${!trust.isGiven()}::boolean) as reached`.execute(db)
    return rows[0]?.reached ?? null
  }

  /** Deletes rows of processes that died a while ago, and rows of this process that no call holds. */
  async function sweep(): Promise<void> {
    const others = db.deleteFrom('callSlots').where('holder', '!=', holder)
    // The database may have been down until this node started, so the other nodes get to renew their leases first.
    const isNew = elapsedMs() - startedMs < SWEEP_AFTER_MS
    if (trust.isGiven() && !isNew) await others.where('holder', 'not in', holdersSince(db, -SWEEP_AFTER_MS)).execute()
    const own = await db.selectFrom('callSlots').select('id').where('holder', '=', holder).execute()
    for (const { id } of own) if (!held.has(id)) released.add(id)
    await flush()
  }

  return {
    /** Throws while the database is down. */
    async acquire(slot: NewSlot, max: SlotLimits): Promise<Acquired> {
      if (released.size > 0) await flush()
      const id = newId('slt')
      held.add(id)
      try {
        const reached = await insert(id, slot, max)
        if (reached === null) return { release: () => release(id) }
        held.delete(id)
        return { reached }
      } catch (error) {
        void release(id) // it may have been inserted
        throw error
      }
    },

    async countOf(userId: string): Promise<number> {
      const query = db.selectFrom('callSlots').select(({ fn }) => fn.countAll<number | string>().as('count'))
      const { count } = await query
        .where('userId', '=', userId)
        .where('holder', 'in', holdersSince(db, 0))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** Call it every CHECK_MS. */
    async check(): Promise<void> {
      await trust.check()
      if (checks++ % CHECKS_PER_SWEEP === 0) await sweep()
      else await flush()
    },

    async close(): Promise<void> {
      await db.deleteFrom('callSlots').where('holder', '=', holder).execute()
    },
  }
}

/** Deletes the rows with these ids, one statement at a time: calls that end together share one. */
function deleterOf(db: Db, released: Set<string>): () => Promise<void> {
  let flushing: Promise<void> | undefined
  async function deleteReleased(): Promise<void> {
    while (released.size > 0) {
      const ids = [...released]
      await sql`delete from ${sql.table('callSlots')} where id = any(${ids}::text[])`.execute(db)
      for (const id of ids) released.delete(id)
    }
  }
  return () => {
    flushing ??= deleteReleased().finally(() => {
      flushing = undefined
    })
    return flushing
  }
}

/** Processes whose lease ends after this time. */
const holdersSince = (db: Db, offsetMs: number) =>
  db.selectFrom('nodes').select('processId').where('leaseUntil', '>', dbTime(db, offsetMs))

/**
 * After a database outage, all leases look expired until their nodes have renewed them; until then, all slots count.
 */
function leaseTrust(db: Db, lastOutageMs: () => number, elapsedMs: () => number) {
  const leases = leaseClock(NODE_LEASE_MS, { readClock: () => readDbClock(db), lastOutageMs, elapsedMs })
  let last: { atMs: number; mayJudge: boolean } | undefined
  return {
    async check(): Promise<void> {
      last = { mayJudge: await leases.mayJudge(), atMs: elapsedMs() }
    },
    isGiven: (): boolean => !last || (last.mayJudge && elapsedMs() - last.atMs < NODE_LEASE_MS / 2),
  }
}
