// Links between trunks and agents, with their direction and numbers.

import { found, notFound } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import { audit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import { olderThan, type PageRequest, requireOwned } from '../../db/owned.ts'
import type { DidRow } from '../../db/tables.ts'
import { lockAgent } from '../agents/rows.ts'
import { bindNumber } from '../numbers/rows.ts'
import type { LinkedTrunk, LinkTrunk, TrunkAgent, TrunkLink } from './schema.ts'
import { trunkStatus } from './status-store.ts'
import { ensureTrunk } from './store.ts'

export type TrunkLinks = ReturnType<typeof trunkLinks>

export function trunkLinks(db: Db) {
  return {
    /**
     * One transaction for the trunk if it is new, the link and the number. `made` is false if the link already existed.
     */
    async link(userId: string, agentId: string, link: LinkTrunk): Promise<{ made: boolean; link: LinkedTrunk }> {
      const { trunkId, trunkType, phoneNumber } = link
      return db.inTransaction(async (trx) => {
        // Lock order: agent, trunk, link, number. Otherwise PostgreSQL may abort one of two transactions as a deadlock.
        await lockAgent(trx, userId, agentId)
        await ensureTrunk(trx, userId, trunkId)
        const fresh = { id: newId('lnk'), userId, agentId, trunkId, trunkType, createdAt: now() }
        const { id: linkId } = await trx
          .insertInto('trunkLinks')
          .values(fresh)
          // Rewrites an existing link unchanged, to get its id.
          .onConflict((c) => c.columns(['agentId', 'trunkId', 'trunkType']).doUpdateSet({ trunkType }))
          .returning('id')
          .executeTakeFirstOrThrow()
        if (phoneNumber) await addNumber(trx, linkId, await bindNumber(trx, userId, agentId, phoneNumber))
        const [linked] = await read(trx, userId, agentId, linkId)
        if (!linked) throw notFound('Trunk link')
        const after = { agentId, trunkId, trunkType, phoneNumber }
        await audit(trx, { kind: 'trunkLink', userId, id: linkId, after })
        return { made: linkId === fresh.id, link: linked }
      })
    },

    /** Removes the trunk from the agent in both directions; numbers stay as they are. */
    async unlink(userId: string, agentId: string, trunkId: string): Promise<LinkedTrunk> {
      return db.inTransaction(async (trx) => {
        await lockAgent(trx, userId, agentId)
        const links = (await read(trx, userId, agentId)).filter((link) => link.trunkId === trunkId)
        const [last] = links
        if (!last) throw notFound('Trunk link')
        await trx
          .deleteFrom('trunkLinks')
          .where('userId', '=', userId)
          .where('agentId', '=', agentId)
          .where('trunkId', '=', trunkId)
          .execute()
        await audit(trx, { kind: 'trunkLink', userId, id: null, before: { agentId, trunkId } })
        return last
      })
    },

    /** The trunks that this agent may use for outbound calls. */
    async outboundOf(userId: string, agentId: string): Promise<string[]> {
      const links = db
        .selectFrom('trunkLinks')
        .select('trunkId')
        .where('userId', '=', userId)
        .where('agentId', '=', agentId)
        .where('trunkType', '=', 'outbound')
      return (await links.orderBy('createdAt').orderBy('id').execute()).map((link) => link.trunkId)
    },

    agentsOf: (userId: string, trunkId: string) => agentsOf(db, userId, trunkId),

    /** All links of the user, newest first. */
    async page(userId: string, { limit, after }: PageRequest): Promise<TrunkLink[]> {
      let own = db
        .selectFrom('trunkLinks')
        .select(['id', 'agentId', 'trunkId', 'trunkType', 'createdAt'])
        .where('userId', '=', userId)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
      if (after) own = own.where(olderThan('createdAt', after.at, after.id))
      const links = await own.execute()
      const numbers = await numbersOf(
        db,
        links.map(({ id }) => id),
      )
      return links.map((link) => ({ ...link, phoneNumbers: numbers.get(link.id) ?? [] }))
    },

    async list(userId: string, agentId: string): Promise<LinkedTrunk[]> {
      await requireOwned(db, 'agents', userId, agentId, 'Agent')
      return read(db, userId, agentId)
    },
  }
}

/** Each agent once, the most recently linked first, with the directions and numbers of its links. */
async function agentsOf(db: Db, userId: string, trunkId: string): Promise<TrunkAgent[]> {
  const own = db.selectFrom('trunks').select('id').where('userId', '=', userId).where('id', '=', trunkId)
  found('Trunk', await own.executeTakeFirst())
  const links = await db
    .selectFrom('trunkLinks')
    .innerJoin('agents', 'agents.id', 'trunkLinks.agentId')
    .select(['trunkLinks.id as linkId', 'trunkLinks.trunkType', 'agents.id', 'agents.name'])
    .where('trunkLinks.userId', '=', userId)
    .where('trunkLinks.trunkId', '=', trunkId)
    .where('agents.removedAt', 'is', null)
    .orderBy('trunkLinks.createdAt', 'desc')
    .orderBy('trunkLinks.id', 'desc')
    .execute()
  const numbers = await numbersOf(
    db,
    links.map(({ linkId }) => linkId),
  )
  return [...Map.groupBy(links, ({ id }) => id)].map(([id, all]) => ({
    id,
    name: all[0]?.name ?? '',
    trunkTypes: all.map(({ trunkType }) => trunkType).sort(),
    phoneNumbers: [...new Set(all.flatMap(({ linkId }) => numbers.get(linkId) ?? []))],
  }))
}

/** The number becomes the link's latest, even if it was there before. */
async function addNumber(trx: Trx, linkId: string, { id: didId }: DidRow): Promise<void> {
  const numbers = trx.selectFrom('linkNumbers').select('createdAt').where('linkId', '=', linkId)
  const latest = await numbers.orderBy('createdAt', 'desc').limit(1).executeTakeFirst()
  const createdAt = latest ? nowAfter(latest.createdAt) : now()
  await trx
    .insertInto('linkNumbers')
    .values({ linkId, didId, createdAt })
    .onConflict((c) => c.columns(['linkId', 'didId']).doUpdateSet({ createdAt }))
    .execute()
}

/** The numbers of each link, latest last. */
async function numbersOf(db: Db | Trx, linkIds: readonly string[]): Promise<Map<string, string[]>> {
  if (linkIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('linkNumbers')
    .innerJoin('dids', 'dids.id', 'linkNumbers.didId')
    .select(['linkNumbers.linkId', 'dids.phoneNumber'])
    .where('linkNumbers.linkId', 'in', linkIds)
    .orderBy('linkNumbers.createdAt')
    .orderBy('dids.id')
    .execute()
  const byLink = Map.groupBy(rows, ({ linkId }) => linkId)
  return new Map([...byLink].map(([linkId, of]) => [linkId, of.map(({ phoneNumber }) => phoneNumber)]))
}

/** The agent's links, newest first, each with its trunk and its numbers, latest last. */
async function read(db: Db | Trx, userId: string, agentId: string, linkId?: string): Promise<LinkedTrunk[]> {
  let query = db
    .selectFrom('trunkLinks')
    .innerJoin('trunks', (join) =>
      join.onRef('trunks.userId', '=', 'trunkLinks.userId').onRef('trunks.id', '=', 'trunkLinks.trunkId'),
    )
    .select(['trunkLinks.id as linkId', 'trunkLinks.trunkId', 'trunkLinks.trunkType', 'trunkLinks.createdAt'])
    .select(['trunks.name', 'trunks.host', 'trunks.status', 'trunks.isActive'])
    .where('trunkLinks.userId', '=', userId)
    .where('trunkLinks.agentId', '=', agentId)
    .orderBy('trunkLinks.createdAt', 'desc')
    .orderBy('trunkLinks.id', 'desc')
  if (linkId) query = query.where('trunkLinks.id', '=', linkId)
  const links = await query.execute()
  if (links.length === 0) return []
  const numbers = await numbersOf(
    db,
    links.map((link) => link.linkId),
  )
  return links.map(({ linkId, trunkId, trunkType, createdAt, name, host, ...trunk }) => {
    const phoneNumbers = numbers.get(linkId) ?? []
    return {
      trunkId,
      trunkType,
      phoneNumber: phoneNumbers.at(-1) ?? null,
      phoneNumbers,
      createdAt,
      trunk: { id: trunkId, name, host, status: trunkStatus(trunk) },
    }
  })
}
