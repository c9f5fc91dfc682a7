// Provider accounts: the only file that writes their table. A key is encrypted and bound to its row and to the origin
// it was given for.

import type { KeyRing } from '../../base/crypto/secrets.ts'
import type { ProviderKind } from '../../base/domain/provider-kinds.ts'
import type { Role } from '../../base/domain/role.ts'
import { type ProviderVendor, vendorFor, vendorNamesFor } from '../../base/domain/speech-vendors.ts'
import { appError, found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import { audit, audited } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { ownedRow } from '../../db/owned.ts'
import type { ProviderAccountRow } from '../../db/provider-rows.ts'
import { bit, toJson } from '../../db/tables.ts'
import { markWritten } from '../../db/write-once.ts'
import type { NewProvider, ProviderPatch } from './schema.ts'

/** An account with its owner's role: only administrators may reach private addresses and share accounts. */
export type Account = ProviderAccountRow & { role: Role }

export type ProviderStore = ReturnType<typeof providerStore>

/** Per kind. */
const MAX_PER_USER = 20

export function providerStore(db: Db, secrets: KeyRing) {
  const row = ownedRow(db, 'providerAccounts')
  const place = ({ id, userId }: Pick<ProviderAccountRow, 'id' | 'userId'>) => ({
    table: 'providerAccounts',
    row: id,
    column: 'keySealed',
    userId,
  })

  /** Writes the key and the origin it is bound to. */
  function withKey(account: ProviderAccountRow, apiKey: string | null): ProviderAccountRow {
    if (apiKey === null) return { ...account, keySealed: null, keyFor: null }
    return { ...account, keySealed: secrets.seal(apiKey, place(account)), keyFor: originOf(account.baseUrl) }
  }

  return {
    shared: () => sharedAccounts(db),
    own: (userId: string) => ownAccounts(db, userId),
    row: async (userId: string, id: string): Promise<ProviderAccountRow> => found('Provider', await row(userId, id)),

    inUse: (userId: string, kind: ProviderKind) => accountInUse(db, userId, kind),
    revision: (kind: ProviderKind) => accountsRevision(db, kind),

    async hasAny(kind: ProviderKind): Promise<boolean> {
      const any = db.selectFrom('providerAccounts').select('id').where('kind', '=', kind).limit(1)
      return (await any.executeTakeFirst()) !== undefined
    },

    /** For requests to the vendor only; no route returns it. Null if it was given for another origin. */
    keyOf(account: ProviderAccountRow): string | null {
      if (account.keySealed === null || account.keyFor !== originOf(account.baseUrl)) return null
      return secrets.open(account.keySealed, place(account))
    },

    async create(userId: string, input: NewProvider): Promise<ProviderAccountRow> {
      const { kind = 'llm', vendor } = input
      const { title } = requireVendor(kind, vendor)
      const account = withKey(newAccount(userId, input, title), input.apiKey ?? null)
      requireKey(account)
      return db.inTransaction(async (trx) => {
        const own = trx.selectFrom('providerAccounts').select('isDefault').where('userId', '=', userId)
        const same = await own.where('kind', '=', kind).execute()
        if (same.length >= MAX_PER_USER) throw appError('provider_limit', { limit: MAX_PER_USER })
        const hasDefault = same.some((other) => other.isDefault === 1)
        account.isDefault = bit(kind !== 'tts' && (input.isDefault ?? !hasDefault))
        if (account.isDefault) await clearDefault(trx, account)
        await markWritten(trx)
        await trx.insertInto('providerAccounts').values(account).execute()
        await audit(trx, { kind: 'provider', after: account })
        return account
      })
    },

    async update(userId: string, id: string, patch: ProviderPatch): Promise<ProviderAccountRow> {
      return db.inTransaction(async (trx) => {
        const before = found('Provider', await lockRow(trx, 'providerAccounts', { userId, id }))
        if (Object.keys(patch).length === 0) return before
        const after = changed(before, patch)
        const isElsewhere = originOf(after.baseUrl) !== originOf(before.baseUrl)
        // A key is sent only to the origin it was given for: a new origin requires a new key.
        const keyed =
          patch.apiKey !== undefined ? withKey(after, patch.apiKey) : isElsewhere ? withKey(after, null) : after
        requireKey(keyed, isElsewhere)
        if (keyed.isDefault && !before.isDefault) await clearDefault(trx, keyed)
        await trx.updateTable('providerAccounts').set(keyed).where('userId', '=', userId).where('id', '=', id).execute()
        await audit(trx, { kind: 'provider', before, after: keyed })
        return keyed
      })
    },

    remove: (userId: string, id: string) => removeAccount(db, userId, id),
  }
}

const withRole = (db: Db) =>
  db
    .selectFrom('providerAccounts')
    .innerJoin('users', 'users.id', 'providerAccounts.userId')
    .selectAll('providerAccounts')
    .select('users.role as role')
    .where('users.removedAt', 'is', null)

const ownAccounts = (db: Db, userId: string): Promise<Account[]> =>
  withRole(db)
    .where('providerAccounts.userId', '=', userId)
    .orderBy('providerAccounts.createdAt', 'desc')
    .orderBy('providerAccounts.id', 'desc')
    .execute()

/** The platform's accounts, which administrators share; most recently shared first. */
const sharedAccounts = (db: Db): Promise<Account[]> =>
  withRole(db)
    .where('providerAccounts.sharedAt', 'is not', null)
    .where('users.role', '=', 'admin')
    .where('users.disabledAt', 'is', null)
    .orderBy('providerAccounts.sharedAt', 'desc')
    .orderBy('providerAccounts.id', 'desc')
    .limit(100)
    .execute()

/** The account that serves a user's agents: their default, otherwise the platform's. */
async function accountInUse(db: Db, userId: string, kind: ProviderKind): Promise<Account | undefined> {
  const own = await withRole(db)
    .where('providerAccounts.userId', '=', userId)
    .where('providerAccounts.kind', '=', kind)
    .where('providerAccounts.isDefault', '=', 1)
    .executeTakeFirst()
  return own ?? (await sharedAccounts(db)).find((account) => account.kind === kind)
}

/** Changes whenever an account of this kind is added, changed or removed. */
async function accountsRevision(db: Db, kind: ProviderKind): Promise<string> {
  const all = db
    .selectFrom('providerAccounts')
    .select(({ fn }) => [fn.countAll<number | string>().as('count'), fn.max('updatedAt').as('latest')])
    .where('kind', '=', kind)
  const { count, latest } = await all.executeTakeFirstOrThrow()
  return `${count} ${latest ?? ''}`
}

async function removeAccount(db: Db, userId: string, id: string): Promise<ProviderAccountRow> {
  const write = (on: Db | Trx) =>
    on
      .deleteFrom('providerAccounts')
      .where('userId', '=', userId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
  const removed = await audited(db, write, (before) => before && { kind: 'provider', before })
  return found('Provider', removed)
}

async function clearDefault(trx: Trx, { userId, kind }: Pick<ProviderAccountRow, 'userId' | 'kind'>): Promise<void> {
  await trx
    .updateTable('providerAccounts')
    .set({ isDefault: 0 })
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('isDefault', '=', 1)
    .execute()
}

function newAccount(userId: string, input: NewProvider, title: string): ProviderAccountRow {
  const createdAt = now()
  return {
    id: newId('prv'),
    userId,
    kind: input.kind ?? 'llm',
    vendor: input.vendor,
    keySealed: null,
    keyFor: null,
    name: input.name ?? title,
    baseUrl: baseUrlOf(input, input.baseUrl),
    model: modelOf(input, input.model),
    models: toJson(input.models),
    prices: toJson(input.prices),
    isDefault: 0,
    sharedAt: input.isShared ? createdAt : null,
    createdAt,
    updatedAt: createdAt,
  }
}

function changed(before: ProviderAccountRow, patch: ProviderPatch): ProviderAccountRow {
  const after = { ...before, updatedAt: nowAfter(before.updatedAt) }
  if (patch.name !== undefined) after.name = patch.name
  if (patch.baseUrl !== undefined) after.baseUrl = baseUrlOf(before, patch.baseUrl)
  if (patch.model !== undefined) after.model = modelOf(before, patch.model)
  if (patch.models !== undefined) after.models = toJson(patch.models)
  if (patch.prices !== undefined) after.prices = toJson(patch.prices)
  if (patch.isDefault !== undefined) after.isDefault = bit(patch.isDefault && before.kind !== 'tts')
  if (patch.isShared !== undefined) after.sharedAt = patch.isShared ? (before.sharedAt ?? after.updatedAt) : null
  return after
}

type VendorOfKind = { kind?: ProviderKind; vendor: string }

export function requireVendor(kind: ProviderKind, name: string): ProviderVendor {
  const vendor = vendorFor(kind, name)
  if (vendor) return vendor
  throw appError('provider_vendor_unknown', { vendor: name, kind, vendors: vendorNamesFor(kind).join(', ') })
}

/** Defaults to the vendor's default model. */
export function modelOf({ kind = 'llm', vendor }: VendorOfKind, given: string | null | undefined): string {
  const model = given?.trim() || requireVendor(kind, vendor).model
  if (model === null) throw appError('provider_model_missing', { vendor })
  return model
}

/** Defaults to the vendor's own URL. */
export function baseUrlOf({ kind = 'llm', vendor }: VendorOfKind, given: string | null | undefined): string {
  const baseUrl = given ?? requireVendor(kind, vendor).baseUrl
  if (baseUrl === null) throw appError('provider_url_missing', { vendor })
  if (!URL.canParse(baseUrl)) throw appError('provider_url_invalid')
  const url = new URL(baseUrl)
  if (url.search !== '' || url.hash !== '') throw appError('provider_url_query')
  return baseUrl.replace(/\/{1,9}$/, '')
}

export const originOf = (url: string): string => new URL(url).origin

function requireKey({ kind, vendor, keySealed, baseUrl }: ProviderAccountRow, isElsewhere = false): void {
  if (keySealed !== null || !vendorFor(kind, vendor)?.needsKey) return
  if (isElsewhere) throw appError('provider_key_again', { origin: originOf(baseUrl) })
  throw appError('provider_key_missing', { vendor })
}
