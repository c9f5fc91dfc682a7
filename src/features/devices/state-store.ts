// Device status: its only writer. Listeners are notified of each change, in order, after the commit.
import { sql } from 'kysely'
import type { KeyRing } from '../../base/crypto/secrets.ts'
import { now, nowAfter, toIso } from '../../base/time/clock.ts'
import { type Db, isUniqueViolation } from '../../db/database.ts'
import { leasedQueue } from '../../db/leased-queue.ts'
import { lockRow } from '../../db/lock-row.ts'
import { eventWriter, type NewEvent } from '../../db/outbox.ts'
import type { DeviceRow } from '../../db/tables.ts'
import { dbTime, readDbClock } from '../../db/time.ts'

export type StateChange = {
  status?: Exclude<DeviceRow['status'], 'disabled'>
  externalId?: string | null
  /** Stored only if the owner has not set one. */
  phone?: string
  error?: string | null
  /** JSON describing how calls reach the device. */
  trunk?: string | null
  isSeen?: boolean
}
type Listener = (device: DeviceRow) => void
export type DeviceStates = ReturnType<typeof deviceStates>

const MAX_ERROR = 500
/** Maximum number of ids in one UPDATE. */
const BATCH = 200

export function deviceStates(db: Db, secrets: KeyRing) {
  const listeners = new Set<Listener>()
  const queue = leasedQueue(db, { table: 'devices', dueAt: 'dueAt', leaseMs: 0 })
  const write = eventWriter(db)
  const tell = (device: DeviceRow) => {
    for (const listener of listeners) listener(device)
  }

  /** Changes the device only if it is in one of these states or the predicate holds; undefined otherwise. */
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
      const set = changesOf(secrets, before, to)
      const isNews = set.status !== undefined || set.lastError !== undefined || set.phone !== undefined
      const after = Object.keys(set).length === 0 ? before : await own.set(set).executeTakeFirstOrThrow()
      if (after.status !== before.status) await write(trx, deviceEvent(after, before.status))
      return { after, isNews }
    })
    if (done?.isNews) tell(done.after)
    return done?.after
  }

  return {
    change,
    trunkOf: (device: DeviceRow) => trunkOf(secrets, device),
    row: (id: string): Promise<DeviceRow | undefined> =>
      db.selectFrom('devices').selectAll().where('id', '=', id).executeTakeFirst(),
    rows: (ids: readonly string[]): Promise<DeviceRow[]> =>
      db.selectFrom('devices').selectAll().where('id', 'in', ids).execute(),
    byExternalId: (driver: DeviceRow['driver'], externalId: string) => byExternalId(db, driver, externalId),
    claim: (id: string, externalId: string): Promise<boolean> => claimExternalId(db, id, externalId),

    /** Gives up its external id and polling; the row stays. */
    async release(id: string, error: string): Promise<void> {
      await change(id, { status: 'error', error, externalId: null, trunk: null })
      await db.updateTable('devices').set({ dueAt: null }).where('id', '=', id).execute()
    },

    /** Reported by the registrar: an expired registration matters only for a connected device. */
    async seen(id: string, isRegistered: boolean): Promise<void> {
      if (isRegistered) await change(id, { status: 'connected', error: null, isSeen: true })
      else await change(id, { status: 'disconnected' }, ['connected'])
    },

    /**
     * Heartbeat of registered devices, from any node: a device without a heartbeat for `lostAfterMs` is disconnected.
     */
    async stillThere(ids: readonly string[], lostAfterMs: number): Promise<void> {
      for (const { id, status } of await renewHeartbeats(db, ids, lostAfterMs))
        if (status !== 'connected' && status !== 'disabled') await change(id, { status: 'connected', error: null })
      const before = toIso((await readDbClock(db)) - lostAfterMs)
      const isLost = ({ status, lastSeenAt }: DeviceRow) =>
        status === 'connected' && (lastSeenAt === null || lastSeenAt < before)
      for (const id of await unseenSince(db, before)) await change(id, { status: 'disconnected' }, isLost)
    },

    /** The next device to poll, leased for `leaseMs`. */
    due: (leaseMs: number): Promise<DeviceRow | undefined> =>
      queue.claim({ leaseMs, where: sql<boolean>`candidate.status != 'disabled'` }),

    /**
     * Ends the lease, by id only, because the process that creates a device polls it without a claim. Null: do not poll
     * again.
     */
    async askAgain(id: string, inMs: number | null, tries: number): Promise<void> {
      const dueAt = inMs === null ? null : dbTime(db, inMs)
      await db.updateTable('devices').set({ dueAt, tries }).where('id', '=', id).execute()
    },

    /** Returns the unsubscribe function. */
    onChange(listener: Listener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell,
  }
}

const place = ({ id, userId }: DeviceRow) => ({ table: 'devices', row: id, column: 'trunkSealed', userId })

const trunkOf = (secrets: KeyRing, device: DeviceRow) =>
  device.trunkSealed === null ? null : secrets.open(device.trunkSealed, place(device))

function changesOf(secrets: KeyRing, before: DeviceRow, to: StateChange): Partial<DeviceRow> {
  const { status, externalId, phone, error, trunk, isSeen } = to
  const set: Partial<DeviceRow> = {}
  if (status !== undefined && before.status !== 'disabled' && status !== before.status) set.status = status
  const lastError = error?.slice(0, MAX_ERROR) ?? null
  if (error !== undefined && lastError !== before.lastError) set.lastError = lastError
  if (externalId !== undefined && externalId !== before.externalId) set.externalId = externalId
  if (phone !== undefined && before.phone === null) set.phone = phone
  if (trunk !== undefined && trunk !== trunkOf(secrets, before))
    set.trunkSealed = trunk === null ? null : secrets.seal(trunk, place(before))
  if (Object.keys(set).length > 0) set.statusAt = nowAfter(before.statusAt)
  // A new updatedAt makes the phone reload the device. For a device that registers here, the status comes from the
  // phone itself.
  const concernsPhone = set.status !== undefined && before.driver !== 'embedded'
  if (concernsPhone || set.trunkSealed !== undefined || set.phone) set.updatedAt = nowAfter(before.updatedAt)
  if (isSeen) set.lastSeenAt = now()
  return set
}

const byExternalId = (db: Db, driver: DeviceRow['driver'], externalId: string): Promise<DeviceRow | undefined> =>
  db
    .selectFrom('devices')
    .selectAll()
    .where('driver', '=', driver)
    .where('externalId', '=', externalId)
    .orderBy('createdAt')
    .executeTakeFirst()

/** False if another device of the same driver has this id. */
async function claimExternalId(db: Db, id: string, externalId: string): Promise<boolean> {
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
    if (isUniqueViolation(error)) return [] // another device was written between our read and our write
    throw error
  })
  return rows.length > 0
}

/** The devices that were renewed; another node may have just renewed the rest. */
async function renewHeartbeats(db: Db, ids: readonly string[], lostAfterMs: number) {
  const renewed: Pick<DeviceRow, 'id' | 'status'>[] = []
  for (let i = 0; i < ids.length; i += BATCH) {
    const batch = await db
      .updateTable('devices')
      .set({ lastSeenAt: dbTime(db) })
      .where('id', 'in', ids.slice(i, i + BATCH))
      .where((where) =>
        where.or([
          where('lastSeenAt', 'is', null),
          where('lastSeenAt', '<', dbTime(db, -lostAfterMs / 6)),
          where('status', '!=', 'connected'),
        ]),
      )
      .returning(['id', 'status'])
      .execute()
    renewed.push(...batch)
  }
  return renewed
}

async function unseenSince(db: Db, at: string): Promise<string[]> {
  const unseen = await db
    .selectFrom('devices')
    .select('id')
    .where('driver', '=', 'embedded')
    .where('status', '=', 'connected')
    .where((where) => where.or([where('lastSeenAt', 'is', null), where('lastSeenAt', '<', at)]))
    .execute()
  return unseen.map(({ id }) => id)
}

export const deviceEvent = (device: DeviceRow, previousStatus: DeviceRow['status']): NewEvent => {
  const { id, userId, agentId, deviceId, name, status, phone, lastError } = device
  const shown = { id, deviceId, name, status, connected: status === 'connected', phone, lastError }
  return { userId, type: 'device.status_changed', agentId, data: { deviceId: id, previousStatus, device: shown } }
}
