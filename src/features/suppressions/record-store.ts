// The entries behind /api/suppressions: paged and searched, added to the user's own list and removed from it.
import { setImmediate as breathe } from 'node:timers/promises'
import { appError, found } from '../../base/errors/errors.ts'
import { searchOf } from '../../base/text/search-text.ts'
import { audit } from '../../db/audit.ts'
import type { SuppressionRow } from '../../db/campaign-rows.ts'
import type { Db } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { HashNumber } from '../../db/number-hash.ts'
import { eventWriter } from '../../db/outbox.ts'
import { type Cursor, olderThan, type PageRequest } from '../../db/owned.ts'
import { markWritten } from '../../db/write-once.ts'
import type { NewSuppression, Suppression, SuppressionQuery, SuppressionResult } from './schema.ts'
import { type SuppressionStore, toSuppression } from './store.ts'

/** Parses a number as people write it; without a country code it belongs to this country. */
export type ParseNumber = (text: string, country: string) => { number: string } | { problem: string }
/** The user's own list, or the current entries of an imported one. */
type Source = { listId: string; version: number } | 'own'
type Match = (row: SuppressionRow) => boolean

const DEFAULT_COUNTRY = 'BR'
/** Rows searched at a time: SQLite runs in this thread, and a long search must not block other requests. */
const SLICE = 500

export function suppressionRecords(
  db: Db,
  { store, hashNumber, parseNumber }: { store: SuppressionStore; hashNumber: HashNumber; parseNumber: ParseNumber },
) {
  const writeEvent = eventWriter(db)

  return {
    toRecord: toSuppression,

    async page(
      userId: string,
      { q = '', listId, reason }: SuppressionQuery,
      { limit, after }: PageRequest,
    ): Promise<SuppressionRow[]> {
      const text = q.trim()
      const whole = parseNumber(text, DEFAULT_COUNTRY)
      const hasReason: Match = (row) => reason === undefined || row.reason === reason
      if ('number' in whole) {
        const rows = await ofNumber(db, userId, hashNumber(whole.number), await sourcesOf(db, userId, listId))
        return rows.filter((row) => hasReason(row) && isAfter(row, after)).slice(0, limit)
      }
      const contains = text === '' ? null : searchOf(text)
      const match: Match | null =
        contains || reason
          ? (row) => hasReason(row) && (contains === null || contains([row.phoneNumber, row.note]))
          : null
      // Imported lists are long, so their numbers are searched one list at a time.
      const isOwn = reason !== undefined && reason !== 'imported'
      const sources = await sourcesOf(db, userId, listId ?? (contains || isOwn ? 'own' : undefined))
      const rows: SuppressionRow[] = []
      for (const source of sources) rows.push(...(await take(db, userId, source, { limit, after, match })))
      return rows.sort(newestFirst).slice(0, limit)
    },

    get: async (userId: string, id: string): Promise<Suppression> => toSuppression(await visible(db, userId, id)),

    /** Idempotent: adding a number again returns the first entry. */
    async add(userId: string, input: NewSuppression): Promise<Suppression> {
      const number = numberOf(parseNumber, input.phoneNumber, input.defaultCountry ?? DEFAULT_COUNTRY)
      const { reason, note } = input
      return db.inTransaction(async (trx) => {
        await markWritten(trx)
        const entry = { userId, number, reason: reason ?? 'manual', note: note?.trim() || null } as const
        const stored = await store.suppress(trx, { ...entry, campaignId: null, callId: null })
        await audit(trx, { kind: 'suppression', after: stored })
        return toSuppression(stored)
      })
    },

    /** Contacts that were suppressed stay suppressed, because they were promised no further calls. */
    remove: (userId: string, id: string): Promise<Suppression> =>
      db.inTransaction(async (trx) => {
        const row = found('Suppression', await lockRow(trx, 'suppressions', { userId, id }))
        if (row.listId !== null) throw appError('suppression_of_list')
        await trx.deleteFrom('suppressions').where('userId', '=', userId).where('id', '=', id).execute()
        await audit(trx, { kind: 'suppression', before: row })
        const suppression = toSuppression(row)
        await writeEvent(trx, { userId, type: 'suppression.removed', data: { suppression } })
        return suppression
      }),

    async check(userId: string, phoneNumber: string, defaultCountry: string): Promise<SuppressionResult> {
      const number = numberOf(parseNumber, phoneNumber, defaultCountry)
      const numberHash = hashNumber(number)
      const holding = await store.find(userId, [numberHash])
      const { lists } = await store.versions(userId)
      const sources: Source[] = ['own', ...lists.map(({ id, version }) => ({ listId: id, version }))]
      const rows = holding.size > 0 ? await ofNumber(db, userId, numberHash, sources) : []
      return { phoneNumber: number, isSuppressed: holding.size > 0, suppressions: rows.map(toSuppression) }
    },
  }
}

async function sourcesOf(db: Db, userId: string, listId: string | undefined): Promise<Source[]> {
  if (listId === 'own') return ['own']
  let query = db.selectFrom('suppressionLists').select(['id', 'version']).where('userId', '=', userId)
  if (listId !== undefined) query = query.where('id', '=', listId)
  const lists = (await query.where('version', '>', 0).execute()).map(({ id, version }) => ({ listId: id, version }))
  return listId === undefined ? ['own', ...lists] : lists
}

const slice = (db: Db, userId: string, source: Source, { after, limit }: PageRequest): Promise<SuppressionRow[]> => {
  let query = db.selectFrom('suppressions').selectAll().where('userId', '=', userId)
  if (source === 'own') query = query.where('listId', 'is', null)
  else query = query.where('listId', '=', source.listId).where('listVersion', '=', source.version)
  if (after) query = query.where(olderThan('createdAt', after.at, after.id))
  return query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** The first `limit` matching rows of a source, newest first. */
async function take(
  db: Db,
  userId: string,
  source: Source,
  { after, limit, match }: PageRequest & { match: Match | null },
): Promise<SuppressionRow[]> {
  const taken: SuppressionRow[] = []
  const size = match ? SLICE : limit
  for (let from = after; ; ) {
    const rows = await slice(db, userId, source, { after: from, limit: size })
    taken.push(...(match ? rows.filter(match) : rows))
    const last = rows[size - 1]
    if (!last || taken.length >= limit) return taken.slice(0, limit)
    from = { at: last.createdAt, id: last.id }
    await breathe()
  }
}

/** Current and future entries of a number: those of the own list, and of the current version of each imported list. */
async function ofNumber(
  db: Db,
  userId: string,
  numberHash: string,
  sources: readonly Source[],
): Promise<SuppressionRow[]> {
  const rows = await db
    .selectFrom('suppressions')
    .selectAll()
    .where('userId', '=', userId)
    .where('numberHash', '=', numberHash)
    .execute()
  const isIn = ({ listId, listVersion }: SuppressionRow) =>
    sources.some((source) =>
      source === 'own' ? listId === null : source.listId === listId && source.version === listVersion,
    )
  return rows.filter(isIn).sort(newestFirst)
}

async function visible(db: Db, userId: string, id: string): Promise<SuppressionRow> {
  const row = await db
    .selectFrom('suppressions')
    .leftJoin('suppressionLists', 'suppressionLists.id', 'suppressions.listId')
    .selectAll('suppressions')
    .where('suppressions.userId', '=', userId)
    .where('suppressions.id', '=', id)
    .where((e) =>
      e.or([
        e('suppressions.listId', 'is', null),
        e('suppressionLists.version', '=', e.ref('suppressions.listVersion')),
      ]),
    )
    .executeTakeFirst()
  return found('Suppression', row)
}

function numberOf(parseNumber: ParseNumber, text: string, country: string): string {
  const parsed = parseNumber(text, country)
  if ('number' in parsed) return parsed.number
  throw appError('suppression_number', { number: text, country })
}

const newestFirst = (a: SuppressionRow, b: SuppressionRow): number => {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1
  return a.id < b.id ? 1 : -1
}

const isAfter = ({ createdAt, id }: SuppressionRow, after: Cursor | undefined): boolean =>
  !after || createdAt < after.at || (createdAt === after.at && id < after.id)
