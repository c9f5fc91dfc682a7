// How an agent gets a knowledge base and loses it: through search tools, which the page makes and removes. Pure.
import type { Tool, UsingTool } from '../../../../client/paths.ts'

const basesOf = ({ type, config }: Pick<Tool, 'type' | 'config'>): readonly string[] => {
  const ids = type === 'query' ? (config as { knowledgeBaseIds?: unknown } | null)?.knowledgeBaseIds : undefined
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}

/** The bases that these tools search. */
export const attachedBases = (tools: readonly Tool[]): ReadonlySet<string> => new Set(tools.flatMap(basesOf))

/** An existing tool that searches this base alone. */
export const toolFor = (baseId: string, tools: readonly Tool[]): Tool | undefined =>
  tools.find((tool) => basesOf(tool).length === 1 && basesOf(tool)[0] === baseId)

export type DetachStep =
  | { do: 'unlink' | 'delete'; toolId: string }
  /** The tool goes on with the other bases. */
  | { do: 'narrow'; toolId: string; baseIds: string[] }
  /** Other agents use the tool as it is: this agent gets one of its own for the other bases. */
  | { do: 'split'; toolId: string; baseIds: string[] }

type Detaching = {
  baseId: string
  agentId: string
  /** Of this agent. */
  tools: readonly Tool[]
  /** The tools that search the base, with their agents. */
  users: readonly UsingTool[]
  /** Names that the page gives to the tools it makes. */
  ownNames: readonly string[]
}

/** A tool that the page made and nobody else uses is deleted; one that a person named is only unlinked. */
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
