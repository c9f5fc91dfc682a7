// Tools and which agents may use them: the only file that changes their tables.
import { now, nowAfter } from '../../base/clock.ts'
import { found, notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { KeyRing } from '../../base/secrets.ts'
import { compileUserSchema } from '../../base/user-schema.ts'
import type { Db } from '../../db/database.ts'
import { mustOwn, ownedPage, ownedRow } from '../../db/owned.ts'
import { bit, fromJson, type ToolRow, toJson } from '../../db/tables.ts'
import { checkHeaders, checkRequestUrl } from './checks.ts'
import { checkConfig } from './configs.ts'
import { maskAuthorization, maskHeaders, unmask } from './masks.ts'
import type { ListedTool, NewTool, Tool, ToolPatch } from './schema.ts'

type Json = Record<string, unknown>
export type ToolStore = ReturnType<typeof toolStore>

/** A tool with its secrets open. */
export type RunnableTool = Pick<
  ToolRow,
  'id' | 'userId' | 'name' | 'description' | 'type' | 'method' | 'requestUrl'
> & {
  parameters: Json | null
  headers: Record<string, string> | null
  authorization: ({ type: string } & Json) | null
  body: Json | null
  messages: Json | null
  /** Of types whose body is no template of a request, the body is laid beneath it: a client may know the spec's fields only. */
  config: Json
}

const sendsBody: ReadonlySet<string> = new Set(['custom', 'api_request'])

export function toolStore(db: Db, secrets: KeyRing) {
  const row = ownedRow(db, 'tools')
  const place = (tool: Pick<ToolRow, 'id' | 'userId'>, column: string) => ({
    table: 'tools',
    row: tool.id,
    column,
    userId: tool.userId,
  })
  const seal = (tool: ToolRow, column: string, value: Json | null | undefined) =>
    value === null || value === undefined ? null : secrets.seal(JSON.stringify(value), place(tool, column))
  const open = (tool: ToolRow, column: 'headersSealed' | 'authorizationSealed'): Json | null => {
    const sealed = tool[column]
    return sealed === null ? null : fromJson<Json>(secrets.open(sealed, place(tool, column)))
  }

  /** The row with what is sent laid over it; checks what a schema cannot. */
  function changed(tool: ToolRow, sent: ToolPatch): ToolRow {
    const after = { ...tool }
    if (sent.name !== undefined) after.name = sent.name
    if (sent.type !== undefined) after.type = sent.type
    if (sent.isActive !== undefined) after.isActive = bit(sent.isActive)
    if (sent.description !== undefined) after.description = sent.description
    if (sent.method !== undefined) after.method = sent.method?.toUpperCase() ?? null
    if (typeof sent.requestUrl === 'string') checkRequestUrl(sent.requestUrl)
    if (sent.requestUrl !== undefined) after.requestUrl = sent.requestUrl
    if (sent.parameters) compileUserSchema(sent.parameters)
    if (sent.parameters !== undefined) after.parameters = toJson(sent.parameters)
    if (sent.body !== undefined) after.body = toJson(sent.body)
    if (sent.messages !== undefined) after.messages = toJson(sent.messages)
    if (sent.config !== undefined) after.config = toJson(sent.config)
    if (sent.headers) checkHeaders(sent.headers)
    if (sent.headers !== undefined)
      after.headersSealed = seal(
        tool,
        'headersSealed',
        sent.headers && unmask(sent.headers, open(tool, 'headersSealed'), 'headers'),
      )
    if (sent.authorization !== undefined)
      after.authorizationSealed = seal(
        tool,
        'authorizationSealed',
        sent.authorization && unmask(sent.authorization, open(tool, 'authorizationSealed'), 'authorization'),
      )
    checkConfig(after.type, fromJson(after.config))
    return after
  }

  function toTool(tool: ToolRow): Tool {
    const headers = open(tool, 'headersSealed')
    const authorization = open(tool, 'authorizationSealed')
    return {
      ...toListedTool(tool),
      parameters: fromJson(tool.parameters),
      headers: headers && maskHeaders(headers),
      authorization: authorization && maskAuthorization(authorization),
      body: fromJson(tool.body),
      messages: fromJson(tool.messages),
      config: fromJson(tool.config),
      updatedAt: tool.updatedAt,
    }
  }

  function toRunnable(tool: ToolRow): RunnableTool {
    const body = fromJson<Json>(tool.body)
    const { id, userId, name, description, type, method, requestUrl } = tool
    return {
      ...{ id, userId, name, description, type, method, requestUrl, body },
      parameters: fromJson(tool.parameters),
      headers: open(tool, 'headersSealed') as Record<string, string> | null,
      authorization: open(tool, 'authorizationSealed') as RunnableTool['authorization'],
      messages: fromJson(tool.messages),
      config: { ...(sendsBody.has(type) ? {} : body), ...fromJson<Json>(tool.config) },
    }
  }

  return {
    page: ownedPage(db, 'tools'),

    async get(userId: string, id: string): Promise<Tool> {
      return toTool(found('Tool', await row(userId, id)))
    },

    /** For whoever runs the tool, with its secrets open: no route gives it away. */
    async runnable(userId: string, id: string): Promise<RunnableTool> {
      return toRunnable(found('Tool', await row(userId, id)))
    },

    /** All that an agent may use: linked to it, active, and its owner's. The one that was linked first comes first. */
    async runnableOf(userId: string, agentId: string): Promise<RunnableTool[]> {
      const rows = await db
        .selectFrom('tools')
        .innerJoin('toolLinks', 'toolLinks.toolId', 'tools.id')
        .selectAll('tools')
        .where('tools.userId', '=', userId)
        .where('toolLinks.agentId', '=', agentId)
        .where('tools.isActive', '=', 1)
        .orderBy('toolLinks.createdAt')
        .orderBy('tools.id')
        .execute()
      return rows.map(toRunnable)
    },

    async create(userId: string, tool: NewTool): Promise<Tool> {
      const createdAt = now()
      const empty: ToolRow = {
        id: newId('tol'),
        userId,
        name: tool.name,
        description: null,
        type: tool.type,
        method: null,
        requestUrl: null,
        parameters: null,
        headersSealed: null,
        authorizationSealed: null,
        body: null,
        messages: null,
        config: null,
        isActive: bit(true),
        createdAt,
        updatedAt: createdAt,
      }
      const stored = changed(empty, tool)
      await db.insertInto('tools').values(stored).execute()
      return toTool(stored)
    },

    async update(userId: string, id: string, patch: ToolPatch): Promise<Tool> {
      if (Object.keys(patch).length === 0) return this.get(userId, id)
      return db.transaction().execute(async (trx) => {
        // Reads the row by writing it, which locks it: of two changes at once the later sees the earlier.
        const locked = trx.updateTable('tools').set({ id }).where('userId', '=', userId).where('id', '=', id)
        const before = found('Tool', await locked.returningAll().executeTakeFirst())
        const after = { ...changed(before, patch), updatedAt: nowAfter(before.updatedAt) }
        await trx.updateTable('tools').set(after).where('userId', '=', userId).where('id', '=', id).execute()
        return toTool(after)
      })
    },

    async remove(userId: string, id: string): Promise<Tool> {
      const removed = await db
        .deleteFrom('tools')
        .where('userId', '=', userId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return toTool(found('Tool', removed))
    },

    /** Tells whether the link is new. */
    async link(userId: string, id: string, agentId: string): Promise<{ made: boolean; tool: Tool }> {
      const tool = await this.get(userId, id)
      await mustOwn(db, 'agents', userId, agentId, 'Agent')
      const made = await db
        .insertInto('toolLinks')
        .values({ toolId: id, agentId, createdAt: now() })
        .onConflict((c) => c.columns(['toolId', 'agentId']).doNothing())
        .returning('toolId')
        .executeTakeFirst()
      return { made: made !== undefined, tool }
    },

    async unlink(userId: string, id: string, agentId: string): Promise<Tool> {
      const tool = await this.get(userId, id)
      await mustOwn(db, 'agents', userId, agentId, 'Agent')
      const removed = await db
        .deleteFrom('toolLinks')
        .where('toolId', '=', id)
        .where('agentId', '=', agentId)
        .returning('toolId')
        .executeTakeFirst()
      if (!removed) throw notFound('Tool link')
      return tool
    },

    async ofAgent(userId: string, agentId: string): Promise<ListedTool[]> {
      await mustOwn(db, 'agents', userId, agentId, 'Agent')
      const rows = await db
        .selectFrom('tools')
        .innerJoin('toolLinks', 'toolLinks.toolId', 'tools.id')
        .selectAll('tools')
        .where('tools.userId', '=', userId)
        .where('toolLinks.agentId', '=', agentId)
        .orderBy('tools.createdAt', 'desc')
        .orderBy('tools.id', 'desc')
        .execute()
      return rows.map(toListedTool)
    },
  }
}

export const toListedTool = ({
  id,
  name,
  description,
  type,
  method,
  requestUrl,
  isActive,
  createdAt,
}: ToolRow): ListedTool => ({
  id,
  name,
  description,
  type: type as ListedTool['type'],
  method,
  requestUrl,
  isActive: isActive === 1,
  createdAt,
})
