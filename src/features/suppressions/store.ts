// Looks up suppressed numbers, and is the only way to add to the user's own list. Campaigns ask here before they dial;
// opt-outs in calls and the API write here.
import type { SuppressionReason } from '../../base/domain/campaigns.ts'
import { newId } from '../../base/ids.ts'
import { now } from '../../base/time/clock.ts'
import type { SuppressionRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { HashNumber } from '../../db/number-hash.ts'
import { eventWriter } from '../../db/outbox.ts'
import { inChunks } from '../../db/removal.ts'
import { dbTime } from '../../db/time.ts'
import { contactCompleted } from '../campaigns/contact-rows.ts'
import type { Suppression } from './schema.ts'

export type SuppressionStore = ReturnType<typeof suppressionStore>
export type FoundSuppression = { listId: string | null; reason: SuppressionReason }
/** The state of the lists on which a decision was based. */
export type SuppressionVersions = {
  /** Number of entries in the user's own list. */
  own: number
  /** Imported lists that currently apply. */
  lists: { id: string; version: number; sector: string | null }[]
}
export type NewEntry = Pick<SuppressionRow, 'userId' | 'reason' | 'campaignId' | 'callId' | 'note'> & {
  /** E.164 number. */
  number: string
}

export function suppressionStore(db: Db, hashNumber: HashNumber) {
  const writeEvent = eventWriter(db)

  return {
    /** The suppressed ones among these numbers. The user's own list takes precedence over imported ones. */
    find: (userId: string, hashes: readonly string[], on: Db | Trx = db): Promise<Map<string, FoundSuppression>> =>
      findSuppressed(on, userId, hashes),

    async versions(userId: string, on: Db | Trx = db): Promise<SuppressionVersions> {
      const { count } = await on
        .selectFrom('suppressions')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .where('userId', '=', userId)
        .where('listId', 'is', null)
        .executeTakeFirstOrThrow()
      const lists = await on
        .selectFrom('suppressionLists')
        .select(['id', 'version', 'sector'])
        .where('userId', '=', userId)
        .where('version', '>', 0)
        .where('effectiveAt', '<=', dbTime(on))
        .orderBy('id')
        .execute()
      return { own: Number(count), lists }
    },

    /** Adds a number to the user's own list; an existing entry stays as it is. Writes events, so call it last. */
    async suppress(trx: Trx, { userId, number, reason, campaignId, callId, note }: NewEntry): Promise<SuppressionRow> {
      const entry = { phoneNumber: number, numberHash: hashNumber(number) }
      const fresh: SuppressionRow = {
        id: newId('sup'),
        userId,
        listId: null,
        listVersion: 0,
        ...entry,
        reason,
        note,
        campaignId,
        callId,
        createdAt: now(),
      }
      const added = await trx
        .insertInto('suppressions')
        .values(fresh)
        .onConflict((c) => c.columns(['userId', 'numberHash']).where('listId', 'is', null).doNothing())
        .returning('id')
        .executeTakeFirst()
      const stored = added ? fresh : await existing(trx, userId, entry)
      const ended = await suppressContacts(trx, userId, entry.numberHash)
      if (added)
        await writeEvent(trx, {
          userId,
          type: 'suppression.created',
          callId,
          data: { suppression: toSuppression(stored) },
        })
      for (const event of ended) await writeEvent(trx, event)
      return stored
    },
  }
}

async function findSuppressed(
  on: Db | Trx,
  userId: string,
  hashes: readonly string[],
): Promise<Map<string, FoundSuppression>> {
  const found = new Map<string, FoundSuppression>()
  for (const some of inChunks(hashes)) {
    const rows = await on
      .selectFrom('suppressions')
      .leftJoin('suppressionLists', 'suppressionLists.id', 'suppressions.listId')
      .select(['suppressions.numberHash', 'suppressions.listId', 'suppressions.reason'])
      .where('suppressions.userId', '=', userId)
      .where('suppressions.numberHash', 'in', some)
      .where((e) =>
        e.or([
          e('suppressions.listId', 'is', null),
          e.and([
            e('suppressionLists.version', '=', e.ref('suppressions.listVersion')),
            e('suppressionLists.effectiveAt', '<=', dbTime(on)),
          ]),
        ]),
      )
      .execute()
    for (const { numberHash, listId, reason } of rows)
      if (listId === null || !found.has(numberHash)) found.set(numberHash, { listId, reason })
  }
  return found
}

/** Stops further attempts to this number, in all campaigns. */
async function suppressContacts(trx: Trx, userId: string, numberHash: string) {
  const contacts = await trx
    .updateTable('campaignContacts')
    .set({ status: 'suppressed', outcome: 'suppressed', dueAt: null, dueReason: null, updatedAt: now() })
    .where('userId', '=', userId)
    .where('numberHash', '=', numberHash)
    .where('status', '=', 'waiting')
    .returningAll()
    .execute()
  const agents = new Map<string, string | null>()
  for (const some of inChunks([...new Set(contacts.map(({ campaignId }) => campaignId))])) {
    const rows = await trx
      .selectFrom('campaigns')
      .select(['id', 'agentId'])
      .where('userId', '=', userId)
      .where('id', 'in', some)
      .execute()
    for (const { id, agentId } of rows) agents.set(id, agentId)
  }
  return contacts.map((contact) => contactCompleted(contact, agents.get(contact.campaignId) ?? null))
}

/** The existing row of a number; if only its hash was left, the number is restored. */
async function existing(trx: Trx, userId: string, entry: { numberHash: string; phoneNumber: string }) {
  const own = await trx
    .selectFrom('suppressions')
    .selectAll()
    .where('userId', '=', userId)
    .where('numberHash', '=', entry.numberHash)
    .where('listId', 'is', null)
    .executeTakeFirstOrThrow()
  if (own.phoneNumber !== null) return own
  const { phoneNumber } = entry
  await trx
    .updateTable('suppressions')
    .set({ phoneNumber })
    .where('userId', '=', userId)
    .where('id', '=', own.id)
    .execute()
  return { ...own, phoneNumber }
}

export function toSuppression(row: SuppressionRow): Suppression {
  const { id, listId, phoneNumber, reason, note, campaignId, callId, createdAt } = row
  return { id, listId, phoneNumber, reason, note, campaignId, callId, createdAt }
}
