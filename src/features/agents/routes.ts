// /api/agents (an agent's trunks are in trunks/, its tools in tools/)
import { bit } from '../../db/tables.ts'
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Api, Routes } from '../../http/server.ts'
import { targetOf, versioned } from '../../http/versions.ts'
import { Agent, AgentContents, AgentPatch, AgentQuery, Duplicate, NewAgent } from './schema.ts'
import { type AgentStore, toAgent } from './store.ts'

export type AgentParts = {
  agents: AgentStore
  /** Hangs up the agent's live calls. */
  endCallsOf: (agentId: string) => Promise<void>
  /** Throws if the change names an account or model that does not exist. */
  checkProviders: (userId: string, change: NewAgent | AgentPatch, before: Agent | null) => Promise<void>
}

const one = { params: ById, response: { 200: Agent } }

export const agentRoutes =
  (parts: AgentParts): Routes =>
  (api) => {
    addAgents(api, parts)
    addAgentChanges(api, parts)
  }

function addAgents(api: Api, { agents, checkProviders }: AgentParts): void {
  addList(api, '/agents', {
    summary: 'List agents',
    record: Agent,
    query: AgentQuery,
    page: (req, page) => {
      const { q, direction, language, isActive } = req.query
      const where = { direction, language, isActive: isActive === undefined ? undefined : bit(isActive) }
      return agents.list.page(req.userId, { q, where }, page)
    },
    at: agents.list.at,
    toRecord: toAgent,
  })

  api.get('/agents/:id', { ...versioned, schema: { summary: 'Get an agent', ...one } }, (req) =>
    agents.get(req.userId, req.params.id),
  )

  api.post(
    '/agents',
    { ...versioned, schema: { summary: 'Create an agent', body: NewAgent, response: { 201: Agent } } },
    async (req, reply) => {
      await checkProviders(req.userId, req.body, null)
      return reply.code(201).send(await agents.create(req.userId, req.body))
    },
  )

  api.post(
    '/agents/:id/duplicate',
    {
      schema: {
        summary: 'Copy an agent with its tools and outbound trunks; numbers stay with the original',
        params: ById,
        body: Duplicate,
        response: { 201: Agent },
      },
    },
    async (req, reply) =>
      reply.code(201).send(await agents.duplicate(req.userId, req.params.id, req.body.name ?? undefined)),
  )
}

function addAgentChanges(api: Api, { agents, endCallsOf, checkProviders }: AgentParts): void {
  api.get(
    '/agents/:id/contents',
    {
      schema: {
        summary: 'Count the calls, recordings and conversations that are deleted with an agent',
        params: ById,
        response: { 200: AgentContents },
      },
    },
    (req) => agents.contents(req.userId, req.params.id),
  )

  api.patch(
    '/agents/:id',
    { ...versioned, schema: { summary: 'Update an agent', body: AgentPatch, ...one } },
    async (req) => {
      if (req.body.settings || req.body.llmConfig)
        await checkProviders(req.userId, req.body, await agents.get(req.userId, req.params.id))
      return agents.update(req.userId, targetOf(req), req.body)
    },
  )

  api.patch('/agents/toggle/:id', { ...versioned, schema: { summary: 'Toggle an agent on or off', ...one } }, (req) =>
    agents.toggle(req.userId, targetOf(req)),
  )

  api.delete(
    '/agents/:id',
    { ...versioned, schema: { summary: 'Delete an agent with its conversations, messages and recordings', ...one } },
    async (req) => {
      const target = targetOf(req)
      await agents.inVersion(req.userId, target)
      await endCallsOf(target.id)
      return agents.remove(req.userId, target)
    },
  )
}
