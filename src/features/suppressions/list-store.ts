// Imported suppression lists: their records. The entries are in list-content-store.ts.

import { appError, found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now, nowAfter, toIso } from '../../base/time/clock.ts'
import { requireVersion, type Target, withVersion } from '../../base/versions.ts'
import { audit } from '../../db/audit.ts'
import type { SuppressionListRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { olderThan, type PageRequest } from '../../db/owned.ts'
import { dbTime } from '../../db/time.ts'
import { markWritten } from '../../db/write-once.ts'
import type { NewSuppressionList, SuppressionList, SuppressionListPatch } from './schema.ts'

const MAX_PER_USER = 20
/** The version of a removed list, which no entry has. The sweep deletes the entries, then the list. */
export const REMOVED = -1

export function suppressionLists(db: Db) {
  const own = (userId: string, on: Db | Trx = db) =>
    on.selectFrom('suppressionLists').where('userId', '=', userId).where('version', '>', REMOVED)

  return {
    toRecord: toSuppressionList,

    page(userId: string, { limit, after }: PageRequest): Promise<SuppressionListRow[]> {
      const query = after ? own(userId).where(olderThan('createdAt', after.at, after.id)) : own(userId)
      return query.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute()
    },

    async get(userId: string, id: string): Promise<SuppressionList> {
      const row = await own(userId).selectAll().where('id', '=', id).executeTakeFirst()
      return toSuppressionList(found('Suppression list', row))
    },

    async create(userId: string, { name, sector, effectiveAt }: NewSuppressionList): Promise<SuppressionList> {
      const createdAt = now()
      const list: SuppressionListRow = {
        id: newId('sul'),
        userId,
        name,
        sector: sector?.trim() || null,
        effectiveAt: effectiveAt ? momentOf(effectiveAt) : createdAt,
        version: 0,
        lastVersion: 0,
        importUntil: null,
        entryCount: 0,
        importedAt: null,
        createdAt,
        updatedAt: createdAt,
        rowVersion: 1,
      }
      await db.inTransaction(async (trx) => {
        await markWritten(trx)
        await lockRow(trx, 'users', { id: userId })
        const { count } = await own(userId, trx)
          .select(({ fn }) => fn.countAll<number | string>().as('count'))
          .executeTakeFirstOrThrow()
        if (Number(count) >= MAX_PER_USER) throw appError('suppression_list_limit', { limit: MAX_PER_USER })
        await trx.insertInto('suppressionLists').values(list).execute()
        await audit(trx, { kind: 'suppressionList', after: list })
      })
      return toSuppressionList(list)
    },

    update: (userId: string, { id, ifMatch }: Target, patch: SuppressionListPatch): Promise<SuppressionList> =>
      db.inTransaction(async (trx) => {
        const before = await lockedList(trx, userId, id)
        requireVersion(before.rowVersion, ifMatch)
        const { name = before.name, sector = before.sector, effectiveAt } = patch
        const set = {
          name,
          sector: sector?.trim() || null,
          effectiveAt: effectiveAt === undefined ? before.effectiveAt : momentOf(effectiveAt),
          updatedAt: nowAfter(before.updatedAt),
          rowVersion: (before.rowVersion ?? 1) + 1,
        }
        await trx.updateTable('suppressionLists').set(set).where('userId', '=', userId).where('id', '=', id).execute()
        await audit(trx, { kind: 'suppressionList', before, after: { ...before, ...set } })
        return toSuppressionList({ ...before, ...set })
      }),

    /** From now on its entries do not apply; the sweep deletes them in batches. */
    remove: (userId: string, { id, ifMatch }: Target): Promise<SuppressionList> =>
      db.inTransaction(async (trx) => {
        const before = await lockedList(trx, userId, id)
        requireVersion(before.rowVersion, ifMatch)
        await trx
          .updateTable('suppressionLists')
          .set({ version: REMOVED, importUntil: dbTime(trx) })
          .where('userId', '=', userId)
          .where('id', '=', id)
          .execute()
        await audit(trx, { kind: 'suppressionList', before })
        return toSuppressionList(before)
      }),
  }
}

export async function lockedList(trx: Trx, userId: string, id: string): Promise<SuppressionListRow> {
  const list = await lockRow(trx, 'suppressionLists', { userId, id })
  return found('Suppression list', list?.version === REMOVED ? undefined : list)
}

/** Always UTC with milliseconds, because it is compared as text with the database clock. */
const momentOf = (text: string): string => toIso(Date.parse(text))

export function toSuppressionList(row: SuppressionListRow): SuppressionList {
  const { id, name, sector, effectiveAt, version, entryCount, importedAt, createdAt, updatedAt } = row
  const record = { id, name, sector, effectiveAt, version, entryCount, importedAt, createdAt, updatedAt }
  return withVersion(record, row.rowVersion)
}
