// Agents: the only file that writes their table. Every query is scoped to the owner.
import { type SelectQueryBuilder, sql, type UpdateObject } from 'kysely'
import { found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { copyName } from '../../base/text/copy-name.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import { requireVersion, type Target, withVersion } from '../../base/versions.ts'
import { audit, audited } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import { increment } from '../../db/increment.ts'
import { ownedRow } from '../../db/owned.ts'
import { ownedList } from '../../db/owned-list.ts'
import { byColumn, byName } from '../../db/sorting.ts'
import { type AgentRow, bit, fromJson, type Tables, toJson } from '../../db/tables.ts'
import { markWritten } from '../../db/write-once.ts'
import { lockAgent } from './rows.ts'
import type { Agent, AgentContents, AgentPatch, NewAgent } from './schema.ts'

export type AgentStore = ReturnType<typeof agentStore>

/** Called in the transaction that removes an agent. */
export type OnAgentRemoved = (trx: Trx, removed: { userId: string; id: string }) => Promise<void>

type AgentLookup = (userId: string, id: string) => Promise<AgentRow | undefined>

export function agentStore(db: Db, onRemoved: OnAgentRemoved = async () => {}) {
  const row = ownedRow(db, 'agents')

  return {
    list: ownedList(db, 'agents', {
      sorts: {
        name: byName('name'),
        language: byName('language'),
        updatedAt: byColumn('updatedAt'),
        createdAt: byColumn('createdAt'),
      },
      searched: ['name', 'description'],
    }),

    async find(userId: string, id: string): Promise<Agent | undefined> {
      const stored = await row(userId, id)
      return stored && toAgent(stored)
    },

    async get(userId: string, id: string): Promise<Agent> {
      return toAgent(found('Agent', await row(userId, id)))
    },

    /** The ids among these that belong to agents of the user. */
    async existing(userId: string, ids: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return []
      const owned = db.selectFrom('agents').select('id').where('userId', '=', userId).where('id', 'in', ids)
      return (await owned.execute()).map(({ id }) => id)
    },

    /**
     * Counts the agents whose settings name this provider account. A null `userId` counts all users, for a platform
     * account.
     */
    async countNaming(userId: string | null, providerId: string): Promise<number> {
      const naming = db
        .selectFrom('agents')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .where('removedAt', 'is', null)
        .where('settings', 'like', `%"providerId":"${providerId}"%`)
      const of = userId === null ? naming : naming.where('userId', '=', userId)
      return Number((await of.executeTakeFirstOrThrow()).count)
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
      await audited(
        db,
        (on) => on.insertInto('agents').values(stored).execute(),
        () => ({ kind: 'agent', after: stored }),
      )
      return toAgent(stored)
    },

    /**
     * Copies its tools and outbound trunk links too. Numbers and inbound trunks stay with the original, since each has
     * only one agent.
     */
    duplicate: (userId: string, id: string, name?: string): Promise<Agent> =>
      db.inTransaction((trx) => duplicateAgent(trx, { userId, id, name })),

    /** What `remove` deletes along with the agent. */
    async contents(userId: string, id: string): Promise<AgentContents> {
      found('Agent', await row(userId, id))
      return contentsOf(db, userId, id)
    },

    inVersion: (userId: string, target: Target): Promise<Agent> => inVersion(row, userId, target),

    async update(userId: string, target: Target, patch: AgentPatch): Promise<Agent> {
      if (Object.keys(patch).length === 0) return inVersion(row, userId, target)
      const { llmConfig, provider_aConfig, settings, isActive, ...plain } = patch
      const set: Partial<AgentRow> = { ...plain }
      if (isActive !== undefined) set.isActive = bit(isActive)
      if (llmConfig !== undefined) set.llmConfig = toJson(llmConfig)
      if (provider_aConfig !== undefined) set.provider_aConfig = toJson(provider_aConfig)
      if (settings !== undefined) set.settings = toJson(settings)
      return write(db, userId, target, set)
    },

    /** Relative to the stored state, so that concurrent toggles all take effect. */
    toggle(userId: string, target: Target): Promise<Agent> {
      return write(db, userId, target, { isActive: sql<0 | 1>`1 - ${sql.ref('isActive')}` })
    },

    /**
     * Hides the agent from every reader at once, with its conversations, messages and calls, which are purged later.
     * Deletes its widgets, cancels its campaigns, and unbinds its DIDs and devices.
     */
    remove(userId: string, { id, ifMatch }: Target): Promise<Agent> {
      return db.inTransaction(async (trx) => {
        const before = await lockAgent(trx, userId, id)
        requireVersion(before.rowVersion, ifMatch)
        const removed = await present(trx, userId, id).set({ removedAt: now() }).returningAll().executeTakeFirst()
        const agent = toAgent(found('Agent', removed))
        for (const table of ['trunkLinks', 'toolLinks', 'widgets'] as const)
          await trx.deleteFrom(table).where('agentId', '=', id).execute()
        for (const table of ['dids', 'devices'] as const)
          await trx
            .updateTable(table)
            .set({ agentId: null, rowVersion: increment('rowVersion') })
            .where('agentId', '=', id)
            .execute()
        await audit(trx, { kind: 'agent', before })
        await onRemoved(trx, { userId, id })
        return agent
      })
    },
  }
}

const write = (db: Db, userId: string, { id, ifMatch }: Target, set: UpdateObject<Tables, 'agents'>): Promise<Agent> =>
  db.inTransaction(async (trx) => {
    const before = await lockAgent(trx, userId, id)
    requireVersion(before.rowVersion, ifMatch)
    const after = await present(trx, userId, id)
      .set({ ...set, updatedAt: nowAfter(before.updatedAt), rowVersion: increment('rowVersion') })
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(trx, { kind: 'agent', before, after })
    return toAgent(after)
  })

/** The agent; throws if its version differs from the one `target` requires. */
async function inVersion(row: AgentLookup, userId: string, { id, ifMatch }: Target): Promise<Agent> {
  const stored = found('Agent', await row(userId, id))
  requireVersion(stored.rowVersion, ifMatch)
  return toAgent(stored)
}

async function duplicateAgent(
  trx: Trx,
  { userId, id, name }: { userId: string; id: string; name: string | undefined },
): Promise<Agent> {
  await lockAgent(trx, userId, id)
  const own = trx.selectFrom('agents').selectAll().where('userId', '=', userId).where('id', '=', id)
  const original = await own.executeTakeFirstOrThrow()
  const createdAt = now()
  const times = { createdAt, updatedAt: createdAt }
  const copy: AgentRow = {
    ...original,
    id: newId('agt'),
    name: copyName(original.name, name),
    rowVersion: 1,
    ...times,
  }
  await markWritten(trx)
  await trx.insertInto('agents').values(copy).execute()
  await audit(trx, { kind: 'agent', after: copy })
  const tools = await trx.selectFrom('toolLinks').selectAll().where('agentId', '=', id).execute()
  for (const link of tools)
    await trx
      .insertInto('toolLinks')
      .values({ ...link, agentId: copy.id })
      .execute()
  const calling = trx.selectFrom('trunkLinks').selectAll().where('userId', '=', userId).where('agentId', '=', id)
  for (const link of await calling.where('trunkType', '=', 'outbound').execute())
    await trx
      .insertInto('trunkLinks')
      .values({ ...link, id: newId('lnk'), agentId: copy.id })
      .execute()
  return toAgent(copy)
}

async function contentsOf(db: Db, userId: string, id: string): Promise<AgentContents> {
  const count = async (query: { executeTakeFirstOrThrow(): Promise<{ count: number | string | bigint }> }) =>
    Number((await query.executeTakeFirstOrThrow()).count)
  const of = <T extends 'calls' | 'conversations' | 'dids'>(table: T) =>
    (db.selectFrom(table as 'calls') as SelectQueryBuilder<Tables, 'calls', object>)
      .select(({ fn }) => fn.countAll().as('count'))
      .where('userId', '=', userId)
      .where('agentId', '=', id)
  return {
    calls: await count(of('calls')),
    recordings: await count(of('calls').where('recording', 'is not', null)),
    conversations: await count(of('conversations')),
    phoneNumbers: await count(of('dids')),
  }
}

const present = (db: Db | Trx, userId: string, id: string) =>
  db.updateTable('agents').where('userId', '=', userId).where('id', '=', id).where('removedAt', 'is', null)

/** Field by field: building a copy without some columns takes longer than reading the row. */
export function toAgent(row: AgentRow): Agent {
  const agent = {
    id: row.id,
    name: row.name,
    description: row.description,
    systemPrompt: row.systemPrompt,
    voiceId: row.voiceId,
    isActive: row.isActive === 1,
    direction: row.direction,
    language: row.language,
    ttsProvider: row.ttsProvider,
    initialSpeech: row.initialSpeech,
    llmConfig: fromJson<Agent['llmConfig']>(row.llmConfig),
    provider_aConfig: fromJson<Agent['provider_aConfig']>(row.provider_aConfig),
    settings: fromJson<Agent['settings']>(row.settings),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
  return withVersion(agent, row.rowVersion)
}
