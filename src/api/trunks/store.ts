// SIP trunks: the only file that writes their table. Their links to agents are in links.ts.

import { rangeProblem } from '../../base/cidr.ts'
import { now, nowAfter } from '../../base/clock.ts'
import { copyName } from '../../base/copy-name.ts'
import { found } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { KeyRing } from '../../base/secrets.ts'
import { requireVersion, type Target, withVersion } from '../../base/versions.ts'
import { countPhoneChange } from '../../db/change-counter.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { ownedRow } from '../../db/owned.ts'
import { ownedList } from '../../db/owned-list.ts'
import { byColumn, byName } from '../../db/sorting.ts'
import { bit, type TrunkRow } from '../../db/tables.ts'
import { writeOnce } from '../../db/write-once.ts'
import { eventWriter } from '../events/store.ts'
import { defaults, type NewTrunk, type Trunk, type TrunkPatch, type TrunkSettings } from './schema.ts'
import { boundTo, isPasswordBound } from './secret-origin.ts'

export type TrunkStore = ReturnType<typeof trunkStore>

export type TrunkStoreOptions = {
  /** Wide ranges that the operator allows. */
  networks?: readonly string[]
  /** Called in the transaction that removes a trunk. */
  onRemoved?: (trx: Trx, removed: { userId: string; id: string }) => Promise<void>
}

export function trunkStore(db: Db, secrets: KeyRing, { networks = [], onRemoved }: TrunkStoreOptions = {}) {
  const row = ownedRow(db, 'trunks')
  const tell = eventWriter(db)
  const place = (userId: string, id: string) => ({ table: 'trunks', row: id, column: 'passwordSealed', userId })
  const seal = (userId: string, id: string, password: string | null | undefined) =>
    password === null || password === undefined ? null : secrets.seal(password, place(userId, id))
  const checkRanges = (entries: readonly string[] | null | undefined) => {
    const problem = entries?.map((entry) => rangeProblem(entry, networks)).find((each) => each !== null)
    if (problem) throw problem
  }
  return {
    list: ownedList(db, 'trunks', {
      sorts: { name: byName('name'), createdAt: byColumn('createdAt') },
      searched: ['name', 'host'],
    }),

    async get(userId: string, id: string): Promise<Trunk> {
      return toTrunk(found('Trunk', await row(userId, id)))
    },

    /** For the phone only: no route returns it. */
    async password(userId: string, id: string): Promise<string | null> {
      const { passwordSealed } = found('Trunk', await row(userId, id))
      return passwordSealed === null ? null : secrets.open(passwordSealed, place(userId, id))
    },

    /** All users' trunks, for the phone only; oldest first. */
    async all() {
      const rows = await db.selectFrom('trunks').selectAll().orderBy('createdAt').orderBy('id').execute()
      return rows.map((each) => ({
        ...toTrunk(each),
        userId: each.userId,
        password: each.passwordSealed && secrets.open(each.passwordSealed, place(each.userId, each.id)),
        isPasswordBound: each.passwordSealed === null || isPasswordBound(each),
        claims: JSON.parse(each.addressClaims) as Record<string, Record<string, string>>,
      }))
    },

    /** When the trunk claimed which addresses; the record itself is unchanged. */
    async claimed(userId: string, id: string, claims: object): Promise<void> {
      const own = db.updateTable('trunks').where('userId', '=', userId).where('id', '=', id)
      await own.set({ addressClaims: JSON.stringify(claims) }).execute()
    },

    /** The peer's status as the phone observed it; the record itself is unchanged. */
    async found(
      userId: string,
      id: string,
      state: { status: TrunkRow['status']; detail: string | null; isSeen: boolean },
    ): Promise<void> {
      const set = { status: state.status, statusDetail: state.detail, ...(state.isSeen ? { lastSeenAt: now() } : {}) }
      await db.inTransaction(async (trx) => {
        const before = await lockRow(trx, 'trunks', { userId, id })
        if (!before || before.host === null) return
        const own = trx.updateTable('trunks').set(set).where('userId', '=', userId).where('id', '=', id)
        const after = await own.returningAll().executeTakeFirstOrThrow()
        if (trunkStatus(before) === trunkStatus(after)) return
        // Other nodes trust the carrier's calls only while we are registered there.
        if (isRegistered(before) !== isRegistered(after)) await countPhoneChange(trx)
        const { name, status, statusDetail, lastSeenAt } = toTrunk(after)
        const trunk = { id, name, status, statusDetail, lastSeenAt }
        const data = { trunkId: id, previousStatus: before.status, trunk }
        await tell(trx, { userId, type: 'trunk.status_changed', data })
      })
    },

    async create(userId: string, { name, host, password, isActive, ...given }: NewTrunk): Promise<Trunk> {
      checkRanges(given.allowedAddresses)
      const id = newId('trk')
      const place = { host: host ?? null, settings: JSON.stringify(chosen({}, given)) }
      const stored: TrunkRow = {
        ...unconfigured(userId, id, name),
        ...place,
        passwordSealed: seal(userId, id, password),
        passwordOrigin: password ? boundTo(place) : null,
        status: host ? 'unknown' : 'unconfigured',
        isActive: bit(isActive ?? true),
      }
      await writeOnce(db, (on) => on.insertInto('trunks').values(stored).execute())
      return toTrunk(stored)
    },

    /**
     * The password stays with the server that it was set for, as in the original. The copy is disabled: two trunks must not register
     * with one account, nor claim the same addresses.
     */
    async duplicate(userId: string, id: string, name?: string): Promise<Trunk> {
      const original = found('Trunk', await row(userId, id))
      const copyId = newId('trk')
      const { passwordSealed, passwordOrigin, host } = original
      const { numbers, ...settings } = JSON.parse(original.settings) as Partial<TrunkSettings>
      const password = passwordSealed && secrets.open(passwordSealed, place(userId, id))
      const copy: TrunkRow = {
        ...unconfigured(userId, copyId, copyName(original.name, name)),
        ...{ host, passwordOrigin, settings: JSON.stringify(settings) },
        passwordSealed: seal(userId, copyId, password),
        status: host ? 'unknown' : 'unconfigured',
        isActive: bit(false),
      }
      await writeOnce(db, (on) => on.insertInto('trunks').values(copy).execute())
      return toTrunk(copy)
    },

    async update(userId: string, { id, ifMatch }: Target, patch: TrunkPatch): Promise<Trunk> {
      checkRanges(patch.allowedAddresses)
      return db.inTransaction(async (trx) => {
        const before = found('Trunk', await lockRow(trx, 'trunks', { userId, id }))
        requireVersion(before.rowVersion, ifMatch)
        if (Object.keys(patch).length === 0) return toTrunk(before)
        const { name, host, password, isActive, ...given } = patch
        const after: TrunkRow = {
          ...before,
          name: name ?? before.name,
          host: host === undefined ? before.host : host,
          passwordSealed: password === undefined ? before.passwordSealed : seal(userId, id, password),
          settings: JSON.stringify(chosen(JSON.parse(before.settings), given)),
          isActive: isActive === undefined ? before.isActive : bit(isActive),
          updatedAt: nowAfter(before.updatedAt),
          rowVersion: (before.rowVersion ?? 1) + 1,
        }
        if (password !== undefined) after.passwordOrigin = password === null ? null : boundTo(after)
        if (after.host !== before.host)
          // The status of the old host does not apply to the new one.
          Object.assign(after, {
            status: after.host ? 'unknown' : 'unconfigured',
            statusDetail: null,
            lastSeenAt: null,
          })
        await trx.updateTable('trunks').set(after).where('userId', '=', userId).where('id', '=', id).execute()
        return toTrunk(after)
      })
    },

    remove(userId: string, { id, ifMatch }: Target): Promise<Trunk> {
      return db.inTransaction(async (trx) => {
        const trunk = found('Trunk', await lockRow(trx, 'trunks', { userId, id }))
        requireVersion(trunk.rowVersion, ifMatch)
        await trx.deleteFrom('trunks').where('userId', '=', userId).where('id', '=', id).execute()
        await onRemoved?.(trx, { userId, id })
        return toTrunk(trunk)
      })
    },
  }
}

/** Creates a trunk that a link names before it is configured. An existing one is locked until the link is created. */
export async function ensureTrunk(trx: Trx, userId: string, id: string): Promise<void> {
  await trx
    .insertInto('trunks')
    .values(unconfigured(userId, id, id))
    .onConflict((c) => c.columns(['userId', 'id']).doUpdateSet({ userId }))
    .execute()
}

function unconfigured(userId: string, id: string, name: string): TrunkRow {
  const createdAt = now()
  return {
    id,
    userId,
    name,
    host: null,
    passwordSealed: null,
    passwordOrigin: null,
    addressClaims: '{}',
    settings: '{}',
    status: 'unconfigured',
    statusDetail: null,
    lastSeenAt: null,
    isActive: bit(true),
    createdAt,
    updatedAt: createdAt,
  }
}

/** Only settings that were set are stored; null clears. */
const chosen = (before: Partial<TrunkSettings>, given: object): Partial<TrunkSettings> =>
  withoutNulls({ ...before, ...given })

const withoutNulls = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))

/** A refresh in progress does not end the registration. */
export const isRegistered = ({ status, lastSeenAt }: { status: string; lastSeenAt: string | null }): boolean =>
  status === 'registered' || (status === 'registering' && lastSeenAt !== null)

export const trunkStatus = (row: Pick<TrunkRow, 'status' | 'isActive'>): string =>
  row.isActive ? row.status : 'disabled'

export function toTrunk(stored: TrunkRow): Trunk {
  const { userId, passwordSealed, passwordOrigin, addressClaims, settings, rowVersion, ...row } = stored
  const given = JSON.parse(settings) as Partial<TrunkSettings>
  const trunk: Trunk = {
    ...row,
    ...defaults,
    ...given,
    numberFormat: { ...defaults.numberFormat, ...withoutNulls(given.numberFormat ?? {}) },
    hasPassword: passwordSealed !== null,
    isActive: row.isActive === 1,
    status: trunkStatus(row),
  }
  return withVersion(trunk, rowVersion)
}
