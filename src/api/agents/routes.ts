// /api/agents (an agent's trunks are in trunks/, its tools in tools/)
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { Agent, AgentPatch, NewAgent } from './schema.ts'
import { type AgentStore, toAgent } from './store.ts'

export type AgentParts = {
  agents: AgentStore
  /** Hangs up the agent's live calls. */
  endCallsOf: (agentId: string) => Promise<void>
}

export const agentRoutes =
  ({ agents, endCallsOf }: AgentParts): Routes =>
  (api) => {
    const one = { params: ById, response: { 200: Agent } }

    addList(api, '/agents', {
      summary: 'List agents',
      record: Agent,
      page: (req, page) => agents.page(req.userId, page),
      at: (row) => row.createdAt,
      toRecord: toAgent,
    })

    api.get('/agents/:id', { schema: { summary: 'Get an agent', ...one } }, (req) =>
      agents.get(req.userId, req.params.id),
    )

    api.post(
      '/agents',
      { schema: { summary: 'Create an agent', body: NewAgent, response: { 201: Agent } } },
      async (req, reply) => reply.code(201).send(await agents.create(req.userId, req.body)),
    )

    api.patch('/agents/:id', { schema: { summary: 'Update an agent', body: AgentPatch, ...one } }, (req) =>
      agents.update(req.userId, req.params.id, req.body),
    )

    api.patch('/agents/toggle/:id', { schema: { summary: 'Toggle an agent on or off', ...one } }, (req) =>
      agents.toggle(req.userId, req.params.id),
    )

    api.delete(
      '/agents/:id',
      { schema: { summary: 'Delete an agent with its conversations, messages and recordings', ...one } },
      async (req) => {
        await agents.get(req.userId, req.params.id)
        await endCallsOf(req.params.id)
        return agents.remove(req.userId, req.params.id)
      },
    )
  }
