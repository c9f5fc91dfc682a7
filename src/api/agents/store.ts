// Agents: the only file that writes their table. Every query is scoped to the owner.
import { sql } from 'kysely'
import { now, nowAfter } from '../../base/clock.ts'
import { found } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { ownedPage, ownedRow } from '../../db/owned.ts'
import { type AgentRow, bit, fromJson, toJson } from '../../db/tables.ts'
import type { Agent, AgentPatch, NewAgent } from './schema.ts'

export type AgentStore = ReturnType<typeof agentStore>

export function agentStore(db: Db) {
  const row = ownedRow(db, 'agents')
  return {
    page: ownedPage(db, 'agents'),

    async get(userId: string, id: string): Promise<Agent> {
      return toAgent(found('Agent', await row(userId, id)))
    },

    /** The subset of these ids that are agents of the user. */
    async existing(userId: string, ids: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return []
      const owned = db.selectFrom('agents').select('id').where('userId', '=', userId).where('id', 'in', ids)
      return (await owned.execute()).map(({ id }) => id)
    },

    async create(userId: string, agent: NewAgent): Promise<Agent> {
      const createdAt = now()
      const stored: AgentRow = {
        id: newId('agt'),
        userId,
        name: agent.name,
        description: agent.description ?? null,
        systemPrompt: agent.systemPrompt,
        voiceId: agent.voiceId ?? null,
        isActive: bit(true),
        direction: agent.direction ?? 'both',
        language: agent.language ?? 'pt-BR',
        ttsProvider: agent.ttsProvider ?? 'provider_a',
        initialSpeech: agent.initialSpeech ?? null,
        llmConfig: toJson(agent.llmConfig),
        provider_aConfig: toJson(agent.provider_aConfig),
        settings: toJson(agent.settings),
        removedAt: null,
        createdAt,
        updatedAt: createdAt,
      }
      await db.insertInto('agents').values(stored).execute()
      return toAgent(stored)
    },

    async update(userId: string, id: string, patch: AgentPatch): Promise<Agent> {
      if (Object.keys(patch).length === 0) return this.get(userId, id)
      const { llmConfig, provider_aConfig, settings, isActive, ...plain } = patch
      const set: Partial<AgentRow> = { ...plain }
      if (isActive !== undefined) set.isActive = bit(isActive)
      if (llmConfig !== undefined) set.llmConfig = toJson(llmConfig)
      if (provider_aConfig !== undefined) set.provider_aConfig = toJson(provider_aConfig)
      if (settings !== undefined) set.settings = toJson(settings)
      return this.write(userId, id, set)
    },

    /** One statement, so that concurrent toggles are all applied. */
    toggle(userId: string, id: string): Promise<Agent> {
      return this.write(userId, id, { isActive: sql`1 - ${sql.ref('isActive')}` as never })
    },

    async write(userId: string, id: string, set: Partial<AgentRow>): Promise<Agent> {
      const { updatedAt } = found('Agent', await row(userId, id))
      const at = nowAfter(updatedAt)
      const column = sql.ref('updatedAt')
      const stored = await present(db, userId, id)
        // A concurrent change may have written a later time since the read: updatedAt must not go back.
        .set({ ...set, updatedAt: sql<string>`case when ${column} > ${at} then ${column} else ${at} end` })
        .returningAll()
        .executeTakeFirst()
      return toAgent(found('Agent', stored))
    },

    /** Hides the agent from every reader at once, with its conversations, messages and calls, which are purged later; DIDs and devices stay, unbound. */
    remove(userId: string, id: string): Promise<Agent> {
      return db.inTransaction(async (trx) => {
        const removed = await present(trx, userId, id).set({ removedAt: now() }).returningAll().executeTakeFirst()
        const agent = toAgent(found('Agent', removed))
        for (const table of ['trunkLinks', 'toolLinks'] as const)
          await trx.deleteFrom(table).where('agentId', '=', id).execute()
        for (const table of ['dids', 'devices'] as const)
          await trx.updateTable(table).set({ agentId: null }).where('agentId', '=', id).execute()
        return agent
      })
    },
  }
}

const present = (db: Db | Trx, userId: string, id: string) =>
  db.updateTable('agents').where('userId', '=', userId).where('id', '=', id).where('removedAt', 'is', null)

/** Locks the agent until the transaction ends: nobody else can delete it or change its dependent rows. */
export async function lockAgent(trx: Trx, userId: string, id: string): Promise<void> {
  const agent = await lockRow(trx, 'agents', { userId, id })
  found('Agent', agent?.removedAt === null ? agent : undefined)
}

export function toAgent({ userId, removedAt, ...row }: AgentRow): Agent {
  return {
    ...row,
    isActive: row.isActive === 1,
    llmConfig: fromJson(row.llmConfig),
    provider_aConfig: fromJson(row.provider_aConfig),
    settings: fromJson(row.settings),
  }
}
