// How devices are just now: the only writer of their status. Who listens is told of each change, in order.
import { sql } from 'kysely'
import { now, nowAfter, toIso } from '../../base/clock.ts'
import type { KeyRing } from '../../base/secrets.ts'
import { type Db, isUniqueViolation } from '../../db/database.ts'
import { leasedQueue } from '../../db/leased-queue.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { DeviceRow } from '../../db/tables.ts'
import { dbTime, readDbClock } from '../../db/time.ts'
import { eventWriter, type NewEvent } from '../events/store.ts'

export type StateChange = {
  status?: Exclude<DeviceRow['status'], 'disabled'>
  externalId?: string | null
  /** Taken where its owner has set none. */
  phone?: string
  error?: string | null
  /** JSON of how calls reach it. */
  trunk?: string | null
  isSeen?: boolean
}
type Told = (device: DeviceRow) => void
export type DeviceStates = ReturnType<typeof deviceStates>

const MAX_ERROR = 500
/** An UPDATE names no more ids than this. */
const BATCH = 200

export function deviceStates(db: Db, secrets: KeyRing) {
  const listeners = new Set<Told>()
  const queue = leasedQueue(db, { table: 'devices', dueAt: 'dueAt', leaseMs: 0 })
  const place = ({ id, userId }: DeviceRow) => ({ table: 'devices', row: id, column: 'trunkSealed', userId })
  const write = eventWriter(db)
  const tell = (device: DeviceRow) => {
    for (const told of listeners) told(device)
  }
  const trunkOf = (device: DeviceRow) =>
    device.trunkSealed === null ? null : secrets.open(device.trunkSealed, place(device))

  /** Of a device that is in one of these states, or as it is asked for; undefined when there is none such. */
  async function change(
    id: string,
    to: StateChange,
    from?: readonly DeviceRow['status'][] | ((device: DeviceRow) => boolean),
  ): Promise<DeviceRow | undefined> {
    const done = await db.inTransaction(async (trx) => {
      const own = trx.updateTable('devices').where('id', '=', id).returningAll()
      const before = await lockRow(trx, 'devices', { id })
      const isFrom = (device: DeviceRow) => (typeof from === 'function' ? from(device) : from?.includes(device.status))
      if (!before || (from && !isFrom(before))) return undefined
      const set = changesOf(before, to)
      const isNews = set.status !== undefined || set.lastError !== undefined || set.phone !== undefined
      const after = Object.keys(set).length === 0 ? before : await own.set(set).executeTakeFirstOrThrow()
      if (after.status !== before.status) await write(trx, deviceEvent(after, before.status))
      return { after, isNews }
    })
    if (done?.isNews) tell(done.after)
    return done?.after
  }

  function changesOf(before: DeviceRow, { status, externalId, phone, error, trunk, isSeen }: StateChange) {
    const set: Partial<DeviceRow> = {}
    if (status !== undefined && before.status !== 'disabled' && status !== before.status) set.status = status
    const lastError = error?.slice(0, MAX_ERROR) ?? null
    if (error !== undefined && lastError !== before.lastError) set.lastError = lastError
    if (externalId !== undefined && externalId !== before.externalId) set.externalId = externalId
    if (phone !== undefined && before.phone === null) set.phone = phone
    if (trunk !== undefined && trunk !== trunkOf(before))
      set.trunkSealed = trunk === null ? null : secrets.seal(trunk, place(before))
    if (Object.keys(set).length > 0) set.statusAt = nowAfter(before.statusAt)
    // The phone reads a device anew when its record changes; of one that registers with us it sees the rest by itself.
    const isPhonesBusiness = set.status !== undefined && before.driver !== 'embedded'
    if (isPhonesBusiness || set.trunkSealed !== undefined || set.phone) set.updatedAt = nowAfter(before.updatedAt)
    if (isSeen) set.lastSeenAt = now()
    return set
  }

  const ofDriver = (id: string) => db.selectFrom('devices').selectAll().where('id', '=', id)

  return {
    change,
    trunkOf,
    row: (id: string): Promise<DeviceRow | undefined> => ofDriver(id).executeTakeFirst(),
    rows: (ids: readonly string[]): Promise<DeviceRow[]> =>
      db.selectFrom('devices').selectAll().where('id', 'in', ids).execute(),
    byExternalId: (driver: DeviceRow['driver'], externalId: string): Promise<DeviceRow | undefined> =>
      db
        .selectFrom('devices')
        .selectAll()
        .where('driver', '=', driver)
        .where('externalId', '=', externalId)
        .orderBy('createdAt')
        .executeTakeFirst(),

    /** False where another device of the same network has it. */
    async claim(id: string, externalId: string): Promise<boolean> {
      const claimed = db
        .updateTable('devices')
        .set({ externalId })
        .where('id', '=', id)
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('devices as other')
                .select('other.id')
                .where('other.externalId', '=', externalId)
                .whereRef('other.driver', '=', 'devices.driver')
                .where('other.id', '!=', id),
            ),
          ),
        )
        .returning('id')
      const rows = await claimed.execute().catch((error) => {
        if (isUniqueViolation(error)) return [] // the other one was written between our look and our write
        throw error
      })
      return rows.length > 0
    },

    /** It keeps its row alone, and its far side is not asked again by itself. */
    async release(id: string, error: string): Promise<void> {
      await change(id, { status: 'error', error, externalId: null, trunk: null })
      await db.updateTable('devices').set({ dueAt: null }).where('id', '=', id).execute()
    },

    /** What the registrar sees: that nothing is registered matters only to a device that was connected. */
    async seen(id: string, isRegistered: boolean): Promise<void> {
      if (isRegistered) await change(id, { status: 'connected', error: null, isSeen: true })
      else await change(id, { status: 'disconnected' }, ['connected'])
    },

    /** Those that are registered with this process, told again and again: who is not named for a while is gone, as after a crash. */
    async stillThere(ids: readonly string[], lostAfterMs: number): Promise<void> {
      for (let i = 0; i < ids.length; i += BATCH) {
        const named = ids.slice(i, i + BATCH)
        const kept = await db
          .updateTable('devices')
          .set({ lastSeenAt: dbTime(db) })
          .where('id', 'in', named)
          .returning(['id', 'status'])
          .execute()
        for (const { id, status } of kept)
          if (status !== 'connected' && status !== 'disabled') await change(id, { status: 'connected', error: null })
      }
      const before = toIso((await readDbClock(db)) - lostAfterMs)
      const unseen = db
        .selectFrom('devices')
        .select('id')
        .where('driver', '=', 'embedded')
        .where('status', '=', 'connected')
        .where((where) => where.or([where('lastSeenAt', 'is', null), where('lastSeenAt', '<', before)]))
      for (const { id } of await unseen.execute())
        await change(
          id,
          { status: 'disconnected' },
          (device) => device.status === 'connected' && !isSeenSince(device, before),
        )
    },

    /** The next device to poll, leased for `leaseMs`. */
    due: (leaseMs: number): Promise<DeviceRow | undefined> =>
      queue.claim({ leaseMs, where: sql<boolean>`candidate.status != 'disabled'` }),

    /** Ends the lease. By id alone: whoever creates a device polls it without a claim. Null: not polled again. */
    async askAgain(id: string, inMs: number | null, tries: number): Promise<void> {
      const dueAt = inMs === null ? null : dbTime(db, inMs)
      await db.updateTable('devices').set({ dueAt, tries }).where('id', '=', id).execute()
    },

    /** Returns how to stop it. */
    onChange(told: Told): () => void {
      listeners.add(told)
      return () => listeners.delete(told)
    },
    tell,
  }
}

const isSeenSince = ({ lastSeenAt }: DeviceRow, at: string) => lastSeenAt !== null && lastSeenAt >= at

export const deviceEvent = (device: DeviceRow, previousStatus: DeviceRow['status']): NewEvent => {
  const { id, userId, agentId, deviceId, name, status, phone, lastError } = device
  const shown = { id, deviceId, name, status, connected: status === 'connected', phone, lastError }
  return { userId, type: 'device.status_changed', agentId, data: { deviceId: id, previousStatus, device: shown } }
}
