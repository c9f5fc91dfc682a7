// Sliding windows in PostgreSQL, for limits that must hold across all nodes without Redis: sign-in attempts, and
// anything that costs money. As exact as those in memory (http/rate-limit.ts) but slower, so API key requests are not
// counted here.
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { monotonicMs } from '../base/time/clock.ts'
import type { Db, Trx } from './db.ts'
import { dbTime } from './time.ts'

type Admission = { admitted: boolean; remaining: number; resetMs: number }
type Window = { name: string; purpose: string }
type Request = { limit: number; windowMs: number; result: PromiseWithResolvers<Admission> }
type LockedWindow = { times: number[]; atMs: number; isNew: boolean }

const WINDOW_MS = 60_000
/** Per purpose. When there is no room for another window, a new key is refused. */
const MAX_WINDOWS = 50_000
/** While there is no room, rows are recounted at most this often. */
const SWEEP_MS = 1000

class NoRoom extends Error {}

export function rateWindows(db: Db, maxWindows = MAX_WINDOWS) {
  /** The number of rows per purpose: counted at each sweep, plus what this node has added since. */
  let sizes = new Map<string, number>()
  let sweptAt = Number.NEGATIVE_INFINITY
  /**
   * Waiting requests by key. Those of one key share a transaction; otherwise a flood of them would take all
   * connections.
   */
  const asking = new Map<string, Request[]>()

  async function sweep(): Promise<void> {
    sweptAt = monotonicMs()
    await db.deleteFrom('rateWindows').where('expiresAt', '<', dbTime(db)).execute()
    const rows = await db
      .selectFrom('rateWindows')
      .select(['purpose', ({ fn }) => fn.countAll<number | string>().as('count')])
      .groupBy('purpose')
      .execute()
    sizes = new Map(rows.map(({ purpose, count }) => [purpose, Number(count)]))
  }

  async function hasRoom(purpose: string): Promise<boolean> {
    const isFull = () => (sizes.get(purpose) ?? 0) >= maxWindows
    if (isFull() && monotonicMs() - sweptAt >= SWEEP_MS) await sweep()
    return !isFull()
  }

  async function admitAll(window: Window, requests: readonly Request[]): Promise<Admission[]> {
    const mayAdd = await hasRoom(window.purpose)
    const { results, isNew } = await db.inTransaction((trx) => admitIn(trx, window, requests, mayAdd))
    if (isNew) sizes.set(window.purpose, (sizes.get(window.purpose) ?? 0) + 1)
    return results
  }

  /** Serves the requests of one key until none are left. */
  async function serve(window: Window, waiting: Request[]): Promise<void> {
    while (waiting.length > 0) {
      const requests = waiting.splice(0)
      try {
        const admissions = await admitAll(window, requests)
        for (const [i, { result }] of requests.entries()) result.resolve(admissions[i] as Admission)
      } catch (error) {
        for (const { result } of requests) result.reject(error)
      }
    }
    asking.delete(window.name)
  }

  function admit(window: Window, limit: number, windowMs: number): Promise<Admission> {
    const result = Promise.withResolvers<Admission>()
    const request = { limit, windowMs, result }
    const waiting = asking.get(window.name)
    if (waiting) waiting.push(request)
    else {
      const first = [request]
      asking.set(window.name, first)
      void serve(window, first)
    }
    return result.promise
  }

  return {
    /** Deletes windows that are over. Call it every minute. */
    sweep,

    /** Separate windows for one purpose. Keys, which may be addresses, are stored as hashes. */
    of(purpose: string) {
      const windowOf = (key: string) => ({ name: hash('sha256', JSON.stringify([purpose, key])), purpose })
      return {
        admit: (key: string, limit: number, windowMs = WINDOW_MS): Promise<Admission> =>
          admit(windowOf(key), limit, windowMs).catch((error) => {
            if (!(error instanceof NoRoom)) throw error
            return { admitted: false, remaining: 0, resetMs: SWEEP_MS }
          }),
        takeBack: (key: string): Promise<void> => db.inTransaction((trx) => takeBack(trx, windowOf(key).name)),
      }
    },
  }
}

/** Admits the requests that fit, in order. */
async function admitIn(trx: Trx, window: Window, requests: readonly Request[], mayAdd: boolean) {
  const { times, atMs, isNew } = await lockWindow(trx, window)
  if (isNew && !mayAdd) throw new NoRoom()
  const longestMs = requests.reduce((longest, { windowMs }) => Math.max(longest, windowMs), 0)
  const kept = times.filter((time) => time > atMs - longestMs)
  const before = kept.length
  const results = requests.map(({ limit, windowMs }) => {
    const recent = kept.filter((time) => time > atMs - windowMs)
    const admitted = recent.length < limit
    if (admitted) kept.push(atMs)
    const remaining = Math.max(0, limit - recent.length - Number(admitted))
    return { admitted, remaining, resetMs: (recent[0] ?? atMs) + windowMs - atMs }
  })
  if (kept.length > before) {
    const set = { times: JSON.stringify(kept), expiresAt: dbTime(trx, longestMs) }
    await trx.updateTable('rateWindows').set(set).where('name', '=', window.name).execute()
  }
  return { results, isNew }
}

async function takeBack(trx: Trx, name: string): Promise<void> {
  const query = trx.selectFrom('rateWindows').select('times').where('name', '=', name)
  const row = await query.forUpdate().executeTakeFirst()
  const times = JSON.stringify(timesOf(row?.times).slice(0, -1))
  if (row) await trx.updateTable('rateWindows').set({ times }).where('name', '=', name).execute()
}

const timesOf = (times: string | undefined): number[] => JSON.parse(times ?? '[]')

/** Inserts or locks the row; `atMs` is read from the database clock once the lock is held. */
async function lockWindow(trx: Trx, { name, purpose }: Window): Promise<LockedWindow> {
  const { times, atMs, isNew } = await trx
    .insertInto('rateWindows')
    .values({ name, purpose, times: '[]', expiresAt: dbTime(trx) })
    .onConflict((c) => c.column('name').doUpdateSet({ purpose }))
    .returning([
      'times',
      sql<number>`(extract(epoch from clock_timestamp()) * 1000)::double precision`.as('atMs'),
      sql<boolean>`xmax = 0`.as('isNew'), // true if the row was inserted
    ])
    .executeTakeFirstOrThrow()
  return { times: timesOf(times), atMs, isNew }
}
