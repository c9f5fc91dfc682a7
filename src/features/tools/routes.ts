// /api/tools, and the tools of an agent
import { Type } from 'typebox'
import { bit } from '../../db/tables.ts'
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { targetOf, versioned } from '../../http/versions.ts'
import { Duplicate } from '../agents/schema.ts'
import { configSchemas } from './config-schema.ts'
import {
  ByToolAndAgent,
  ListedTool,
  Named,
  NewTool,
  TestedTool,
  Tool,
  ToolPatch,
  ToolQuery,
  ToolTest,
  ToolTestRun,
  UsingTool,
} from './schema.ts'
import type { ToolStore } from './store.ts'
import { type TestRuns, toTestRun } from './test-run-store.ts'
import { toListedTool } from './tool-row.ts'
import type { ToolUses } from './use-store.ts'

export type ToolParts = {
  tools: ToolStore
  uses: ToolUses
  /** Runs a tool with real effects and returns the result. */
  test: (userId: string, id: string, asked: ToolTest) => Promise<TestedTool>
  runs: Pick<TestRuns, 'page'>
}

/** The API reference shows the fields of `config` for each type. */
const variants = { config: { by: 'type', schemas: configSchemas } }

export const toolRoutes =
  ({ tools, uses, test, runs }: ToolParts): Routes =>
  (api) => {
    const one = { params: ById, response: { 200: Tool } }
    addList(api, '/tools', {
      summary: 'List tools',
      record: ListedTool,
      query: ToolQuery,
      page: (req, page) => {
        const { q, type, isActive } = req.query
        const where = { type, isActive: isActive === undefined ? undefined : bit(isActive) }
        return tools.list.page(req.userId, { q, where }, page)
      },
      at: tools.list.at,
      toRecord: toListedTool,
    })

    api.get('/tools/:id', { ...versioned, schema: { summary: 'Get a tool, with its secrets masked', ...one } }, (req) =>
      tools.get(req.userId, req.params.id),
    )

    api.post(
      '/tools',
      {
        schema: { summary: 'Create a tool', body: NewTool, response: { 201: Tool } },
        config: { variants, isVersioned: true },
      },
      async (req, reply) => reply.code(201).send(await tools.create(req.userId, req.body)),
    )

    api.patch(
      '/tools/:id',
      { schema: { summary: 'Update a tool', body: ToolPatch, ...one }, config: { variants, isVersioned: true } },
      (req) => tools.update(req.userId, targetOf(req), req.body),
    )

    api.delete('/tools/:id', { ...versioned, schema: { summary: 'Delete a tool and its links', ...one } }, (req) =>
      tools.remove(req.userId, targetOf(req)),
    )

    api.post(
      '/tools/:id/duplicate',
      {
        schema: {
          summary: 'Copy a tool with its secrets; no agent may use the copy yet',
          params: ById,
          body: Duplicate,
          response: { 201: Tool },
        },
      },
      async (req, reply) =>
        reply.code(201).send(await tools.duplicate(req.userId, req.params.id, req.body.name ?? undefined)),
    )

    api.post(
      '/tools/:id/test',
      {
        schema: {
          summary: 'Run a tool for real with the given arguments',
          params: ById,
          body: ToolTest,
          response: { 200: TestedTool },
        },
      },
      (req) => test(req.userId, req.params.id, req.body),
    )

    addList(api, '/tools/:id/tests', {
      summary: "List a tool's test runs of the last 30 days",
      params: ById,
      record: ToolTestRun,
      check: (req) => tools.get(req.userId, req.params.id),
      page: (req, page) => runs.page(req.userId, req.params.id, page),
      at: (row) => row.startedAt,
      toRecord: toTestRun,
    })

    toolLinkRoutes({ tools, uses })(api)
  }

/** Links between tools and agents, and the resources that tools use. */
const toolLinkRoutes =
  ({ tools, uses }: Pick<ToolParts, 'tools' | 'uses'>): Routes =>
  (api) => {
    api.get(
      '/tools/:id/agents',
      {
        schema: { summary: 'List the agents that may use a tool', params: ById, response: { 200: Type.Array(Named) } },
      },
      (req) => uses.agentsOf(req.userId, req.params.id),
    )

    const using = { params: ById, response: { 200: Type.Array(UsingTool) } }
    api.get(
      '/knowledge-bases/:id/tools',
      { schema: { summary: 'List the tools that search a knowledge base, with their agents', ...using } },
      (req) => uses.ofBase(req.userId, req.params.id),
    )
    api.get(
      '/spreadsheets/:id/tools',
      { schema: { summary: 'List the tools that use a spreadsheet, with their agents', ...using } },
      (req) => uses.ofSheet(req.userId, req.params.id),
    )

    api.post(
      '/tools/:id/agents/:agentId',
      {
        schema: { summary: 'Allow an agent to use a tool', params: ByToolAndAgent, response: { 200: Tool, 201: Tool } },
      },
      async (req, reply) => {
        const { made, tool } = await tools.link(req.userId, req.params.id, req.params.agentId)
        return reply.code(made ? 201 : 200).send(tool)
      },
    )

    api.delete(
      '/tools/:id/agents/:agentId',
      { schema: { summary: 'Stop an agent from using a tool', params: ByToolAndAgent, response: { 200: Tool } } },
      (req) => tools.unlink(req.userId, req.params.id, req.params.agentId),
    )

    api.get(
      '/agents/:id/tools',
      { schema: { summary: 'List the tools of an agent', params: ById, response: { 200: Type.Array(ListedTool) } } },
      (req) => tools.ofAgent(req.userId, req.params.id),
    )
  }
