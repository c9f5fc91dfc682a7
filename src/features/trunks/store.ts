// SIP trunks. The phone's observations are in status-store.ts, links to agents in link-store.ts.

import type { KeyRing } from '../../base/crypto/secrets.ts'
import { found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import type { AddressProofs } from '../../base/network/address-proofs.ts'
import { rangeProblem } from '../../base/network/cidr.ts'
import { copyName } from '../../base/text/copy-name.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import { requireVersion, type Target, withVersion } from '../../base/versions.ts'
import { audit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { ownedRow } from '../../db/owned.ts'
import { ownedList } from '../../db/owned-list.ts'
import { byColumn, byName } from '../../db/sorting.ts'
import { bit, type TrunkRow } from '../../db/tables.ts'
import { markWritten } from '../../db/write-once.ts'
import { checkRoomForAddresses, checkRoomForTrunk } from './limits.ts'
import { defaults, type NewTrunk, type Trunk, type TrunkPatch, type TrunkSettings } from './schema.ts'
import { boundTo, isPasswordBound } from './secret-origin.ts'
import { trunkStatus, trunkStatuses } from './status-store.ts'

export type TrunkStore = ReturnType<typeof trunkStore>

export type TrunkStoreOptions = {
  /** Wide ranges that the operator has allowed. */
  networks?: readonly string[]
  /** Called in the transaction that removes a trunk. */
  onRemoved?: (trx: Trx, removed: { userId: string; id: string }) => Promise<void>
}

export type TrunkAccess = { hasFullAccess?: boolean }

export function trunkStore(db: Db, secrets: KeyRing, { networks = [], onRemoved }: TrunkStoreOptions = {}) {
  const row = ownedRow(db, 'trunks')
  const place = (userId: string, id: string) => ({ table: 'trunks', row: id, column: 'passwordSealed', userId })
  const seal = (userId: string, id: string, password: string | null | undefined) =>
    password === null || password === undefined ? null : secrets.seal(password, place(userId, id))
  const checkRanges = (entries: readonly string[] | null | undefined) => {
    const problem = entries?.map((entry) => rangeProblem(entry, networks)).find((each) => each !== null)
    if (problem) throw problem
  }
  const insert = (stored: TrunkRow) =>
    db.inTransaction(async (trx) => {
      await checkRoomForTrunk(trx, stored.userId, stored.settings)
      await markWritten(trx)
      await trx.insertInto('trunks').values(stored).execute()
      await audit(trx, { kind: 'trunk', after: stored })
    })
  return {
    ...trunkStatuses(db),

    list: ownedList(db, 'trunks', {
      sorts: { name: byName('name'), createdAt: byColumn('createdAt') },
      searched: ['name', 'host'],
    }),

    async get(userId: string, id: string): Promise<Trunk> {
      return toTrunk(found('Trunk', await row(userId, id)))
    },

    /** For the phone only; no route returns it. */
    async password(userId: string, id: string): Promise<string | null> {
      const { passwordSealed } = found('Trunk', await row(userId, id))
      return passwordSealed === null ? null : secrets.open(passwordSealed, place(userId, id))
    },

    /** Trunks of all users, oldest first, for the phone only. */
    async all() {
      const rows = await db.selectFrom('trunks').selectAll().orderBy('createdAt').orderBy('id').execute()
      return rows.map((each) => ({
        ...toTrunk(each),
        userId: each.userId,
        password: each.passwordSealed && secrets.open(each.passwordSealed, place(each.userId, each.id)),
        isPasswordBound: each.passwordSealed === null || isPasswordBound(each),
        claims: JSON.parse(each.addressClaims) as Record<string, Record<string, string>>,
        proofs: JSON.parse(each.addressProofs) as AddressProofs,
        mayReachPrivate: each.mayReachPrivate === 1,
      }))
    },

    /** `hasFullAccess`: an administrator's trunk may then lead into private networks. */
    async create(
      userId: string,
      { name, host, password, isActive, ...given }: NewTrunk,
      { hasFullAccess = true }: TrunkAccess = {},
    ): Promise<Trunk> {
      checkRanges(given.allowedAddresses)
      const id = newId('trk')
      const place = { host: host ?? null, settings: JSON.stringify(chosen({}, given)) }
      const stored: TrunkRow = {
        ...unconfigured(userId, id, name),
        ...place,
        passwordSealed: seal(userId, id, password),
        passwordOrigin: password ? boundTo(place) : null,
        mayReachPrivate: bit(hasFullAccess),
        status: host ? 'unknown' : 'unconfigured',
        isActive: bit(isActive ?? true),
      }
      await insert(stored)
      return toTrunk(stored)
    },

    /**
     * The password stays bound to the original's server. The copy is disabled, because two trunks must not register
     * with the same account or claim the same addresses.
     */
    async duplicate(userId: string, id: string, name?: string): Promise<Trunk> {
      const original = found('Trunk', await row(userId, id))
      const copyId = newId('trk')
      const { passwordSealed, passwordOrigin, host, mayReachPrivate } = original
      const { numbers, ...settings } = JSON.parse(original.settings) as Partial<TrunkSettings>
      const password = passwordSealed && secrets.open(passwordSealed, place(userId, id))
      const copy: TrunkRow = {
        ...unconfigured(userId, copyId, copyName(original.name, name)),
        host,
        passwordOrigin,
        mayReachPrivate,
        settings: JSON.stringify(settings),
        passwordSealed: seal(userId, copyId, password),
        status: host ? 'unknown' : 'unconfigured',
        isActive: bit(false),
      }
      await insert(copy)
      return toTrunk(copy)
    },

    async update(
      userId: string,
      { id, ifMatch }: Target,
      patch: TrunkPatch,
      { hasFullAccess = true }: TrunkAccess = {},
    ): Promise<Trunk> {
      checkRanges(patch.allowedAddresses)
      return db.inTransaction(async (trx) => {
        const before = found('Trunk', await lockRow(trx, 'trunks', { userId, id }))
        requireVersion(before.rowVersion, ifMatch)
        if (Object.keys(patch).length === 0) return toTrunk(before)
        const { password } = patch
        const after = changed(before, patch)
        await checkRoomForAddresses(trx, userId, before.settings, after.settings)
        if (targetOf(after) !== targetOf(before)) after.mayReachPrivate = bit(hasFullAccess)
        if (password !== undefined)
          Object.assign(after, {
            passwordSealed: seal(userId, id, password),
            passwordOrigin: password === null ? null : boundTo(after),
          })
        await trx.updateTable('trunks').set(after).where('userId', '=', userId).where('id', '=', id).execute()
        await audit(trx, { kind: 'trunk', before, after })
        return toTrunk(after)
      })
    },

    remove(userId: string, { id, ifMatch }: Target): Promise<Trunk> {
      return db.inTransaction(async (trx) => {
        const trunk = found('Trunk', await lockRow(trx, 'trunks', { userId, id }))
        requireVersion(trunk.rowVersion, ifMatch)
        await trx.deleteFrom('trunks').where('userId', '=', userId).where('id', '=', id).execute()
        await audit(trx, { kind: 'trunk', before: trunk })
        await onRemoved?.(trx, { userId, id })
        return toTrunk(trunk)
      })
    },
  }
}

/** Everything except the password. */
function changed(before: TrunkRow, { name, host, password, isActive, ...given }: TrunkPatch): TrunkRow {
  const after: TrunkRow = {
    ...before,
    name: name ?? before.name,
    host: host === undefined ? before.host : host,
    settings: JSON.stringify(chosen(JSON.parse(before.settings), given)),
    isActive: isActive === undefined ? before.isActive : bit(isActive),
    updatedAt: nowAfter(before.updatedAt),
    rowVersion: (before.rowVersion ?? 1) + 1,
  }
  if (after.host === before.host) return after
  // The old host's status does not apply to the new one.
  return { ...after, status: after.host ? 'unknown' : 'unconfigured', statusDetail: null, lastSeenAt: null }
}

/** Creates a trunk that a link names before it is configured. An existing one is locked until the link is created. */
export async function ensureTrunk(trx: Trx, userId: string, id: string): Promise<void> {
  const known = trx.selectFrom('trunks').select('id').where('userId', '=', userId).where('id', '=', id)
  if (!(await known.executeTakeFirst())) await checkRoomForTrunk(trx, userId, '{}')
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
    addressProofs: '{}',
    mayReachPrivate: bit(true),
    settings: '{}',
    status: 'unconfigured',
    statusDetail: null,
    lastSeenAt: null,
    isActive: bit(true),
    createdAt,
    updatedAt: createdAt,
  }
}

/** Where the trunk's requests are sent. */
function targetOf({ host, settings }: Pick<TrunkRow, 'host' | 'settings'>): string {
  const { port, transport, outboundProxy, allowedAddresses } = JSON.parse(settings) as Partial<TrunkSettings>
  return JSON.stringify([host, port, transport, outboundProxy, allowedAddresses])
}

/** Stores only settings that were set; null clears one. */
const chosen = (before: Partial<TrunkSettings>, given: object): Partial<TrunkSettings> =>
  withoutNulls({ ...before, ...given })

const withoutNulls = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))

export function toTrunk(stored: TrunkRow): Trunk {
  const { userId, passwordSealed, passwordOrigin, addressClaims, addressProofs, mayReachPrivate, ...shown } = stored
  const { settings, rowVersion, ...row } = shown
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
