// Attaches knowledge bases to an agent and detaches them, through search tools that the page creates and deletes. Pure.
import type { Tool, UsingTool } from '../../../../client/paths.ts'

const basesOf = ({ type, config }: Pick<Tool, 'type' | 'config'>): readonly string[] => {
  const ids = type === 'query' ? (config as { knowledgeBaseIds?: unknown } | null)?.knowledgeBaseIds : undefined
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}

/** The knowledge bases that these tools search. */
export const attachedBases = (tools: readonly Tool[]): ReadonlySet<string> => new Set(tools.flatMap(basesOf))

/** An existing tool that searches only this base. */
export const toolFor = (baseId: string, tools: readonly Tool[]): Tool | undefined =>
  tools.find((tool) => basesOf(tool).length === 1 && basesOf(tool)[0] === baseId)

export type DetachStep =
  | { do: 'unlink' | 'delete'; toolId: string }
  /** The tool keeps its other bases. */
  | { do: 'narrow'; toolId: string; baseIds: string[] }
  /** Other agents share the tool, so this agent gets its own copy for the other bases. */
  | { do: 'split'; toolId: string; baseIds: string[] }

type Detaching = {
  baseId: string
  agentId: string
  /** The tools of this agent. */
  tools: readonly Tool[]
  /** The tools that search the base, with the agents that use them. */
  users: readonly UsingTool[]
  /** Names that the page gives to the tools it creates. */
  ownNames: readonly string[]
}

/** Deletes a tool that the page created and no other agent uses; only unlinks a tool that a user named. */
export function detachSteps({ baseId, agentId, tools, users, ownNames }: Detaching): DetachStep[] {
  return tools
    .filter((tool) => basesOf(tool).includes(baseId))
    .map((tool): DetachStep => {
      const { id: toolId, name } = tool
      const baseIds = basesOf(tool).filter((id) => id !== baseId)
      const isShared = users.find(({ id }) => id === toolId)?.agents.some(({ id }) => id !== agentId) ?? true
      if (baseIds.length > 0) return { do: isShared ? 'split' : 'narrow', toolId, baseIds }
      return { do: !isShared && ownNames.includes(name) ? 'delete' : 'unlink', toolId }
    })
}
