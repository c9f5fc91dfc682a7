// Reads one contact of a campaign, or lists them with filters and search.
import { setImmediate as breathe } from 'node:timers/promises'
import { found } from '../../base/errors/errors.ts'
import { searchOf } from '../../base/text/search-text.ts'
import { nowMs } from '../../base/time/clock.ts'
import type { CampaignContactRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { olderThan, type PageRequest } from '../../db/owned.ts'
import type { Contact, ContactQuery } from './contact-schema.ts'

/** Rows searched at a time: SQLite runs in this thread. */
const SLICE = 500
/** A status with at most this many contacts is read through its own index. */
const MAX_SORTED = 500

type Filter = Pick<ContactQuery, 'q' | 'status' | 'outcome'>
const seen = ['id', 'createdAt', 'status', 'outcome', 'phoneNumber', 'variables'] as const
type Seen = Pick<CampaignContactRow, (typeof seen)[number]>

export function contactStore(db: Db) {
  async function pageOf(userId: string, campaignId: string, query: ContactQuery, page: PageRequest) {
    const filter: Filter = { q: query.q?.trim() || undefined, status: query.status, outcome: query.outcome } as Filter
    if (filter.q || filter.status || filter.outcome) return filtered(db, userId, campaignId, filter, page)
    return newest(db, userId, campaignId, page.after).selectAll().limit(page.limit).execute()
  }

  return {
    async page(
      userId: string,
      campaignId: string,
      query: ContactQuery,
      page: PageRequest,
    ): Promise<CampaignContactRow[]> {
      const rows = await pageOf(userId, campaignId, query, page)
      return (await isDraft(db, userId, campaignId)) ? rows.map(notDueYet) : rows
    },

    async get(userId: string, campaignId: string, contactId: string, on: Db | Trx = db): Promise<Contact> {
      const row = await on
        .selectFrom('campaignContacts')
        .selectAll()
        .where('userId', '=', userId)
        .where('campaignId', '=', campaignId)
        .where('id', '=', contactId)
        .executeTakeFirst()
      const contact = found('Campaign contact', row)
      return toContact((await isDraft(on, userId, campaignId)) ? notDueYet(contact) : contact)
    },

    toRecord: toContact,
  }
}

/** All contacts of a rare status, newest first; undefined if there are too many to sort. */
async function few(db: Db, userId: string, campaignId: string, { status }: Filter): Promise<Seen[] | undefined> {
  if (status === undefined) return undefined
  const query = of(db, userId, campaignId).where('status', '=', status)
  const rows = await query
    .select(seen)
    .limit(MAX_SORTED + 1)
    .execute()
  if (rows.length > MAX_SORTED) return undefined
  return rows.sort((a, b) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id))
}

async function filtered(db: Db, userId: string, campaignId: string, filter: Filter, page: PageRequest) {
  const matches = matcher(filter)
  const { after, limit } = page
  const ids: string[] = []
  const all = await few(db, userId, campaignId, filter)
  const isLater = (row: Seen) => !after || row.createdAt < after.at || (row.createdAt === after.at && row.id < after.id)
  if (all) ids.push(...all.filter((row) => isLater(row) && matches(row)).map(({ id }) => id))
  for (let from = after; !all && ids.length < limit; await breathe()) {
    const rows = await newest(db, userId, campaignId, from).select(seen).limit(SLICE).execute()
    ids.push(...rows.filter(matches).map(({ id }) => id))
    const last = rows[SLICE - 1]
    if (!last) break
    from = { at: last.createdAt, id: last.id }
  }
  if (ids.length === 0) return []
  const query = newest(db, userId, campaignId, undefined).selectAll().where('id', 'in', ids.slice(0, limit))
  return query.execute()
}

const newest = (db: Db, userId: string, campaignId: string, after: PageRequest['after']) => {
  const query = of(db, userId, campaignId).orderBy('createdAt', 'desc').orderBy('id', 'desc')
  return after ? query.where(olderThan('createdAt', after.at, after.id)) : query
}

const of = (db: Db, userId: string, campaignId: string) =>
  db.selectFrom('campaignContacts').where('userId', '=', userId).where('campaignId', '=', campaignId)

/** Nobody is due in a draft: a due time in the past is just the time of the import. */
async function isDraft(on: Db | Trx, userId: string, campaignId: string): Promise<boolean> {
  const draft = on.selectFrom('campaigns').select('id').where('userId', '=', userId).where('id', '=', campaignId)
  return (await draft.where('status', '=', 'draft').executeTakeFirst()) !== undefined
}

const notDueYet = (row: CampaignContactRow): CampaignContactRow =>
  row.dueAt !== null && Date.parse(row.dueAt) > nowMs() ? row : { ...row, dueAt: null, dueReason: null }

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function matcher({ q, status, outcome }: Filter): (row: Seen) => boolean {
  const holds = q === undefined ? null : searchOf(q)
  return (row) => {
    if (status !== undefined && row.status !== status) return false
    if (outcome !== undefined && row.outcome !== outcome) return false
    return holds === null || holds([row.phoneNumber, ...Object.values(JSON.parse(row.variables))])
  }
}

function toContact(row: CampaignContactRow): Contact {
  const { userId, numberHash, hasVoicemail, variables, dueReason, ...rest } = row
  return { ...rest, variables: JSON.parse(variables), dueReason: dueReason === null ? null : JSON.parse(dueReason) }
}
