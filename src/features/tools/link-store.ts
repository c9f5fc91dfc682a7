// Which agents may use which tools.
import { notFound } from '../../base/errors/errors.ts'
import { now } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { requireOwned } from '../../db/owned.ts'
import type { ListedTool, Tool } from './schema.ts'
import { toListedTool } from './tool-row.ts'

export function toolLinks(db: Db, toolOf: (userId: string, id: string) => Promise<Tool>) {
  /** The tool and the agent of a link; both must belong to the user. */
  async function ends(userId: string, toolId: string, agentId: string): Promise<Tool> {
    const tool = await toolOf(userId, toolId)
    await requireOwned(db, 'agents', userId, agentId, 'Agent')
    return tool
  }

  return {
    /** Returns whether the link is new. */
    async link(userId: string, toolId: string, agentId: string): Promise<{ made: boolean; tool: Tool }> {
      const tool = await ends(userId, toolId, agentId)
      const made = await db
        .insertInto('toolLinks')
        .values({ toolId, agentId, createdAt: now() })
        .onConflict((c) => c.columns(['toolId', 'agentId']).doNothing())
        .returning('toolId')
        .executeTakeFirst()
      return { made: made !== undefined, tool }
    },

    async unlink(userId: string, toolId: string, agentId: string): Promise<Tool> {
      const tool = await ends(userId, toolId, agentId)
      const removed = await db
        .deleteFrom('toolLinks')
        .where('toolId', '=', toolId)
        .where('agentId', '=', agentId)
        .returning('toolId')
        .executeTakeFirst()
      if (!removed) throw notFound('Tool link')
      return tool
    },

    /** The tools of an agent, newest first. */
    async ofAgent(userId: string, agentId: string): Promise<ListedTool[]> {
      await requireOwned(db, 'agents', userId, agentId, 'Agent')
      const newest = linkedTools(db, userId, agentId).orderBy('tools.createdAt', 'desc').orderBy('tools.id', 'desc')
      return (await newest.execute()).map(toListedTool)
    },
  }
}

export const linkedTools = (db: Db, userId: string, agentId: string) =>
  db
    .selectFrom('tools')
    .innerJoin('toolLinks', 'toolLinks.toolId', 'tools.id')
    .selectAll('tools')
    .where('tools.userId', '=', userId)
    .where('toolLinks.agentId', '=', agentId)
