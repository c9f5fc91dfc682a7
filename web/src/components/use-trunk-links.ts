// Links between agents and trunks. The API lists them per agent, so every agent is queried.
import { useQueries } from '@tanstack/react-query'
import type { LinkedTrunk } from '../../../client/paths.ts'
import { queries } from '../api.ts'
import { useAgents } from './agent-name.tsx'

export type TrunkLink = LinkedTrunk & { agentId: string; agentName: string }

/** Undefined while loading. */
export function useTrunkLinks(): TrunkLink[] | undefined {
  const { data: agents } = useAgents()
  return useQueries({
    queries: (agents ?? []).map(({ id }) =>
      queries.queryOptions('get', '/api/agents/{id}/linked-trunks', { params: { path: { id } } }),
    ),
    combine: (answers) =>
      agents === undefined || answers.some(({ isPending }) => isPending)
        ? undefined
        : answers.flatMap(({ data = [] }, i) =>
            data.map((link) => ({ ...link, agentId: agents[i]?.id ?? '', agentName: agents[i]?.name ?? '' })),
          ),
  })
}
