// Which agents may use which tools.
import { notFound } from '../../base/errors/errors.ts'
import { now } from '../../base/time/clock.ts'
import { audited, type Change } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
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
      const write = (on: Db | Trx) =>
        on
          .insertInto('toolLinks')
          .values({ toolId, agentId, createdAt: now() })
          .onConflict((c) => c.columns(['toolId', 'agentId']).doNothing())
          .returning('toolId')
          .executeTakeFirst()
      const made = await audited(db, write, (row) => row && { ...linkOf(userId, toolId), after: { toolId, agentId } })
      return { made: made !== undefined, tool }
    },

    async unlink(userId: string, toolId: string, agentId: string): Promise<Tool> {
      const tool = await ends(userId, toolId, agentId)
      const write = (on: Db | Trx) =>
        on
          .deleteFrom('toolLinks')
          .where('toolId', '=', toolId)
          .where('agentId', '=', agentId)
          .returning('toolId')
          .executeTakeFirst()
      const removed = await audited(
        db,
        write,
        (row) => row && { ...linkOf(userId, toolId), before: { toolId, agentId } },
      )
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

const linkOf = (userId: string, id: string): Change => ({ kind: 'toolLink', userId, id })

export const linkedTools = (db: Db, userId: string, agentId: string) =>
  db
    .selectFrom('tools')
    .innerJoin('toolLinks', 'toolLinks.toolId', 'tools.id')
    .selectAll('tools')
    .where('tools.userId', '=', userId)
    .where('toolLinks.agentId', '=', agentId)
