// /api/agents/:id/chain
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { AgentChain } from './chain-schema.ts'

export const agentChainRoutes =
  (chainOf: (userId: string, agentId: string) => Promise<AgentChain>): Routes =>
  (api) => {
    api.get(
      '/agents/:id/chain',
      {
        schema: {
          summary: 'List the providers that serve an agent, in order, with their health and warnings',
          params: ById,
          response: { 200: AgentChain },
        },
      },
      (req) => chainOf(req.userId, req.params.id),
    )
  }
