// DIDs, written only here and in rows.ts. A number is unique across all users.
import { sql } from 'kysely'
import { appError, found } from '../../base/errors/errors.ts'
import { requireVersion, type Target, withVersion } from '../../base/versions.ts'
import { audit, audited } from '../../db/audit.ts'
import type { Db } from '../../db/database.ts'
import { increment } from '../../db/increment.ts'
import { lockRow } from '../../db/lock-row.ts'
import { ownedRow, requireOwned } from '../../db/owned.ts'
import { ownedList } from '../../db/owned-list.ts'
import { byColumn } from '../../db/sorting.ts'
import type { DidRow } from '../../db/tables.ts'
import { insertNumber, leaveOtherAgentsLinks, numberTaken } from './rows.ts'
import type { Did, DidPatch, NewDid } from './schema.ts'

export type DidStore = ReturnType<typeof didStore>

export function didStore(db: Db) {
  const row = ownedRow(db, 'dids')
  return {
    list: ownedList(db, 'dids', {
      sorts: {
        phoneNumber: byColumn('phoneNumber'),
        status: byColumn('status'),
        createdAt: byColumn('createdAt'),
      },
      searched: ['phoneNumber', 'provider'],
    }),

    async get(userId: string, id: string): Promise<Did> {
      return toDid(found('DID', await row(userId, id)))
    },

    /** The DID that a carrier dialed, in E.164 or national format. */
    async dialed(userId: string, dialed: string, trunkIds: readonly string[] = []): Promise<DidRow | undefined> {
      const digits = dialed.replace(/\D/g, '')
      const own = db.selectFrom('dids').selectAll().where('userId', '=', userId).orderBy('createdAt').orderBy('id')
      const full = await own.where('phoneNumber', '=', `+${digits}`).executeTakeFirst()
      if (dialed.startsWith('+')) return full
      const national = digits.replace(/^0+/, '')
      const inItsCountry = sql<boolean>`${sql.ref('phoneNumber')} = '+' || ${sql.ref('countryCode')} || ${national}`
      const inACountry = await own.where(inItsCountry).limit(2).execute()
      if (!full) return inACountry.length === 1 ? inACountry[0] : undefined // the same national number in two countries is ambiguous
      if (inACountry.length === 0) return full
      // It matches one number in full and another in national format: decide by the countries of the trunks' own
      // numbers.
      const countries = await countriesOf(db, userId, trunkIds)
      const fitting = [full, ...inACountry].filter(({ countryCode }) => countries.includes(countryCode))
      return fitting.length === 1 ? fitting[0] : undefined
    },

    /** Takes a number away from its owner; for operators only. */
    async release(phoneNumber: string): Promise<Did & { userId: string }> {
      const released = db.deleteFrom('dids').where('phoneNumber', '=', phoneNumber).returningAll()
      return found('DID', await released.executeTakeFirst())
    },

    async create(userId: string, did: NewDid): Promise<Did> {
      if (!did.phoneNumber.startsWith(`+${did.countryCode}`)) throw appError('number_country_code')
      await requireOwned(db, 'agents', userId, did.agentId, 'Agent')
      const stored = await audited(
        db,
        (on) => insertNumber(on, userId, did),
        (after) => after && { kind: 'number', after },
      )
      if (!stored) throw numberTaken(did.phoneNumber)
      return toDid(stored)
    },

    update(userId: string, { id, ifMatch }: Target, patch: DidPatch): Promise<Did> {
      return db.inTransaction(async (trx) => {
        const before = found('DID', await lockRow(trx, 'dids', { userId, id }))
        requireVersion(before.rowVersion, ifMatch)
        if (Object.keys(patch).length === 0) return toDid(before)
        await requireOwned(trx, 'agents', userId, patch.agentId, 'Agent')
        const stored = await trx
          .updateTable('dids')
          .set({ ...patch, rowVersion: increment('rowVersion') })
          .where('userId', '=', userId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
        const did = found('DID', stored)
        await leaveOtherAgentsLinks(trx, did)
        await audit(trx, { kind: 'number', before, after: did })
        return toDid(did)
      })
    },

    /** The foreign key removes the number from its trunk links; the links stay. */
    remove(userId: string, { id, ifMatch }: Target): Promise<Did> {
      return db.inTransaction(async (trx) => {
        const did = found('DID', await lockRow(trx, 'dids', { userId, id }))
        requireVersion(did.rowVersion, ifMatch)
        await trx.deleteFrom('dids').where('userId', '=', userId).where('id', '=', id).execute()
        await audit(trx, { kind: 'number', before: did })
        return toDid(did)
      })
    },
  }
}

/** The country codes of the numbers linked to these trunks. */
async function countriesOf(db: Db, userId: string, trunkIds: readonly string[]): Promise<string[]> {
  if (trunkIds.length === 0) return []
  const linked = db
    .selectFrom('trunkLinks')
    .innerJoin('linkNumbers', 'linkNumbers.linkId', 'trunkLinks.id')
    .innerJoin('dids', 'dids.id', 'linkNumbers.didId')
    .select('dids.countryCode')
    .distinct()
    .where('trunkLinks.userId', '=', userId)
    .where('trunkLinks.trunkId', 'in', trunkIds)
  return (await linked.execute()).map(({ countryCode }) => countryCode)
}

export const toDid = ({ userId, rowVersion, ...did }: DidRow): Did => withVersion(did, rowVersion)
