// Where resources are used: the agents of a tool, and the tools that use a knowledge base or a spreadsheet.
import { found } from '../../base/errors/errors.ts'
import type { Db } from '../../db/database.ts'
import { requireOwned } from '../../db/owned.ts'
import { fromJson } from '../../db/tables.ts'
import type { Named, UsingTool } from './schema.ts'

export type ToolUses = ReturnType<typeof toolUses>
type Config = Record<string, unknown>
type Resource = {
  table: 'knowledgeBases' | 'spreadsheets'
  what: string
  type: 'query' | 'spreadsheet'
  names(config: Config, id: string): boolean
}

const resources = {
  base: {
    table: 'knowledgeBases',
    what: 'Knowledge base',
    type: 'query',
    names: ({ knowledgeBaseIds: ids }, id) => Array.isArray(ids) && ids.includes(id),
  },
  sheet: {
    table: 'spreadsheets',
    what: 'Spreadsheet',
    type: 'spreadsheet',
    names: ({ spreadsheetId, provider }, id) => spreadsheetId === id && provider !== 'google',
  },
} as const satisfies Record<string, Resource>

export function toolUses(db: Db) {
  async function toolsUsing(resource: Resource, userId: string, id: string): Promise<UsingTool[]> {
    const owned = db.selectFrom(resource.table).select('id').where('userId', '=', userId).where('id', '=', id)
    found(resource.what, await owned.executeTakeFirst())
    const tools = await db
      .selectFrom('tools')
      .select(['id', 'name', 'isActive', 'body', 'config'])
      .where('userId', '=', userId)
      .where('type', '=', resource.type)
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
    // As read by the tool runtime: the body supplies defaults for the config.
    const using = tools.filter(({ body, config }) =>
      resource.names({ ...fromJson<Config>(body), ...fromJson<Config>(config) }, id),
    )
    if (using.length === 0) return []
    const links = await db
      .selectFrom('toolLinks')
      .innerJoin('agents', 'agents.id', 'toolLinks.agentId')
      .select(['toolLinks.toolId', 'agents.id', 'agents.name'])
      .where('agents.userId', '=', userId)
      .where('agents.removedAt', 'is', null)
      .where(
        'toolLinks.toolId',
        'in',
        using.map((tool) => tool.id),
      )
      .orderBy('toolLinks.createdAt')
      .orderBy('agents.id')
      .execute()
    return using.map((tool) => ({
      id: tool.id,
      name: tool.name,
      isActive: tool.isActive === 1,
      agents: links.filter(({ toolId }) => toolId === tool.id).map(({ id: agentId, name }) => ({ id: agentId, name })),
    }))
  }

  return {
    /** In the order they were linked. */
    async agentsOf(userId: string, toolId: string): Promise<Named[]> {
      await requireOwned(db, 'tools', userId, toolId, 'Tool')
      return db
        .selectFrom('toolLinks')
        .innerJoin('agents', 'agents.id', 'toolLinks.agentId')
        .select(['agents.id', 'agents.name'])
        .where('agents.userId', '=', userId)
        .where('agents.removedAt', 'is', null)
        .where('toolLinks.toolId', '=', toolId)
        .orderBy('toolLinks.createdAt')
        .orderBy('agents.id')
        .execute()
    },
    ofBase: (userId: string, id: string): Promise<UsingTool[]> => toolsUsing(resources.base, userId, id),
    ofSheet: (userId: string, id: string): Promise<UsingTool[]> => toolsUsing(resources.sheet, userId, id),
  }
}
