// Paces shared by all nodes: two permits of one name are never closer together than its gap. Anything that starts at a
// pace takes a permit first.
import { toIso } from '../base/time/clock.ts'
import type { Db, Trx } from './db.ts'
import { dbTime } from './time.ts'

export type Pace = { name: string; gapMs: number }

/** `isTaken`: the permit is for a start after `waitMs`. Otherwise, a permit may be available after `waitMs`. */
export type Permit = { isTaken: boolean; waitMs: number }

/**
 * How far ahead a permit may be taken (one gap at most), so that the round trip to the database does not slow the pace.
 */
export const PERMIT_LEAD_MS = 50
/**
 * No permit is this far ahead of the next one: the database clock was set back. Statements are canceled after 9
 * seconds.
 */
const IMPOSSIBLE_MS = 10_000

/** `stored`: the row's time, or null if there is no row. `waitMs`: until the permit for `startMs` may be taken. */
type Next = Pace & { stored: string | null; startMs: number; waitMs: number }

function nextPermit(pace: Pace, stored: string | null, atMs: number): Next {
  const nextMs = stored === null ? atMs : Date.parse(stored)
  const isImpossible = nextMs > atMs + pace.gapMs + PERMIT_LEAD_MS + IMPOSSIBLE_MS
  const startMs = isImpossible ? atMs : Math.max(nextMs, atMs)
  return { ...pace, stored, startMs, waitMs: startMs - Math.min(PERMIT_LEAD_MS, pace.gapMs) - atMs }
}

/** False if another node has taken the permit since the row was read. */
async function take(on: Db | Trx, { name, gapMs, stored, startMs }: Next): Promise<boolean> {
  const nextAt = toIso(startMs + gapMs)
  const unchanged = stored ?? ''
  const taken = await on
    .insertInto('paces')
    .values({ name, nextAt })
    .onConflict((c) => c.column('name').doUpdateSet({ nextAt }).where('paces.nextAt', '=', unchanged))
    .returning('name')
    .executeTakeFirst()
  return taken !== undefined
}

/** Takes a permit if one is available now. */
export async function takePermit(db: Db, pace: Pace): Promise<Permit> {
  for (;;) {
    const { at, nextAt } = await db
      .selectNoFrom(({ selectFrom }) => [
        dbTime(db).as('at'),
        selectFrom('paces').select('nextAt').where('name', '=', pace.name).as('nextAt'),
      ])
      .executeTakeFirstOrThrow()
    const atMs = Date.parse(at)
    const next = nextPermit(pace, nextAt, atMs)
    if (next.waitMs > 0) return { isTaken: false, waitMs: Math.max(1, next.waitMs) }
    if (await take(db, next)) return { isTaken: true, waitMs: next.startMs - atMs }
  }
}

async function nextPermits(trx: Trx, paces: readonly Pace[], atMs: number): Promise<Next[]> {
  const names = paces.map(({ name }) => name)
  const rows = await trx.selectFrom('paces').selectAll().where('name', 'in', names).execute()
  const stored = new Map(rows.map(({ name, nextAt }) => [name, nextAt]))
  return paces.map((pace) => nextPermit(pace, stored.get(pace.name) ?? null, atMs))
}

/** Time until a permit of every pace is available; 0 means now. */
export async function permitWaitMs(trx: Trx, paces: readonly Pace[], atMs: number): Promise<number> {
  return Math.max(0, ...(await nextPermits(trx, paces, atMs)).map(({ waitMs }) => waitMs))
}

/** Takes a permit of every pace. The caller holds the lock that guards these paces. */
export async function takePermits(trx: Trx, paces: readonly Pace[], atMs: number): Promise<void> {
  for (const next of await nextPermits(trx, paces, atMs)) await take(trx, next)
}
