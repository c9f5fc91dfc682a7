// Tools and their links to agents: the only file that writes their tables.

import type { KeyRing } from '../../base/crypto/secrets.ts'
import { compileUserSchema } from '../../base/domain/user-schema.ts'
import { appError, found, notFound } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { copyName } from '../../base/text/copy-name.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import { requireVersion, type Target, withVersion } from '../../base/versions.ts'
import type { Db } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { ownedRow, requireOwned } from '../../db/owned.ts'
import { type ListRules, ownedList } from '../../db/owned-list.ts'
import { byColumn, byName } from '../../db/sorting.ts'
import { bit, fromJson, type ToolRow, toJson } from '../../db/tables.ts'
import { writeOnce } from '../../db/write-once.ts'
import { checkHeaders, checkRequestUrl } from './checks.ts'
import { configProblem, settingsIn } from './config-schema.ts'
import { maskAuthorization, maskHeaders, unmask } from './masks.ts'
import type { ListedTool, NewTool, Tool, ToolPatch } from './schema.ts'
import {
  authorizationBinding,
  bindingProblem,
  boundAfter,
  hasSecretHeaders,
  headersBinding,
  sentAuthorization,
  sentHeaders,
} from './secret-binding.ts'

type Json = Record<string, unknown>
export type ToolStore = ReturnType<typeof toolStore>

/** A tool with its secrets decrypted. */
export type RunnableTool = Pick<
  ToolRow,
  'id' | 'userId' | 'name' | 'description' | 'type' | 'method' | 'requestUrl'
> & {
  parameters: Json | null
  headers: Record<string, string> | null
  authorization: ({ type: string } & Json) | null
  body: Json | null
  messages: Json | null
  /** For types whose body is not a request template, the body supplies defaults: a client may know the spec's fields only. */
  config: Json
  /** Why the tool must not run as stored: invalid settings, or secrets bound to another address. Both are then left out. */
  problem: string | null
}

/** Finds a mistake in the settings, as the tool runtime sees them. */
export type FindMistake = (tool: RunnableTool) => string | null

const listRules: ListRules<ToolRow> = {
  sorts: {
    name: byName('name'),
    type: byColumn('type'),
    updatedAt: byColumn('updatedAt'),
    createdAt: byColumn('createdAt'),
  },
  searched: ['name', 'description', 'requestUrl'],
}

export function toolStore(db: Db, secrets: KeyRing, findMistake: FindMistake = () => null) {
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

  /** Applies the fields sent to the row; checks what a schema cannot. */
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
    changeSecrets(tool, after, sent)
    checkSettings(after, sent)
    return after
  }

  /** Writes the secrets sent, and what each column is now bound to. */
  function changeSecrets(before: ToolRow, after: ToolRow, { headers, authorization }: ToolPatch): void {
    if (headers) checkHeaders(headers)
    const [oldHeaders, oldAuthorization] = [open(before, 'headersSealed'), open(before, 'authorizationSealed')]
    if (headers !== undefined)
      after.headersSealed = seal(before, 'headersSealed', headers && unmask(headers, oldHeaders, 'headers'))
    const proof =
      authorization === undefined
        ? oldAuthorization
        : authorization && unmask(authorization, oldAuthorization, 'authorization')
    if (authorization !== undefined) after.authorizationSealed = seal(before, 'authorizationSealed', proof)
    after.headersFor = boundAfter(
      sentHeaders(headers),
      before.headersFor,
      headersBinding(before),
      headersBinding(after),
    )
    after.authorizationFor = boundAfter(
      sentAuthorization(authorization),
      before.authorizationFor,
      authorizationBinding(before, oldAuthorization),
      authorizationBinding(after, proof),
    )
  }

  /** Only if settings change: a tool older than a check can still be renamed or switched off. */
  function checkSettings(after: ToolRow, sent: ToolPatch): void {
    const areSettings = [sent.type, sent.requestUrl, sent.body, sent.config].some((field) => field !== undefined)
    if (!areSettings && sent.authorization === undefined) return
    const runnable = toRunnable(after)
    const settings = settingsIn(after.type, fromJson(after.body), fromJson(after.config))
    const authorization = sent.authorization
      ? (open(after, 'authorizationSealed') as RunnableTool['authorization'])
      : null
    const problem = areSettings ? configProblem(after.type, settings) : null
    if (problem) throw problem
    const mistake = findMistake({ ...runnable, authorization, config: areSettings ? runnable.config : {} })
    if (mistake !== null) throw appError('tool_settings_invalid', { reason: mistake })
  }

  function toTool(tool: ToolRow): Tool {
    const headers = open(tool, 'headersSealed')
    const authorization = open(tool, 'authorizationSealed')
    const masked: Tool = {
      ...toListedTool(tool),
      parameters: fromJson(tool.parameters),
      headers: headers && maskHeaders(headers),
      authorization: authorization && maskAuthorization(authorization),
      body: fromJson(tool.body),
      messages: fromJson(tool.messages),
      config: fromJson(tool.config),
      updatedAt: tool.updatedAt,
    }
    return withVersion(masked, tool.rowVersion)
  }

  function toRunnable(tool: ToolRow): RunnableTool {
    const { id, userId, name, description, type, method, requestUrl } = tool
    const body = fromJson<Json>(tool.body)
    const config = settingsIn(type, body, fromJson(tool.config))
    const outOfBounds = configProblem(type, config)
    const headers = open(tool, 'headersSealed') as RunnableTool['headers']
    const authorization = open(tool, 'authorizationSealed') as RunnableTool['authorization']
    const strayed =
      (headers && hasSecretHeaders(headers) ? bindingProblem(tool.headersFor, headersBinding(tool)) : null) ??
      (authorization && bindingProblem(tool.authorizationFor, authorizationBinding(tool, authorization)))
    return {
      id,
      userId,
      name,
      description,
      type,
      method,
      requestUrl,
      body,
      parameters: fromJson(tool.parameters),
      headers: strayed ? null : headers,
      authorization: strayed ? null : authorization,
      messages: fromJson(tool.messages),
      config: outOfBounds ? {} : config,
      problem: outOfBounds?.message ?? strayed,
    }
  }

  return {
    list: ownedList(db, 'tools', listRules),

    async get(userId: string, id: string): Promise<Tool> {
      return toTool(found('Tool', await row(userId, id)))
    },

    /** For the tool runtime, with secrets decrypted: no route returns it. */
    async runnable(userId: string, id: string): Promise<RunnableTool> {
      return toRunnable(found('Tool', await row(userId, id)))
    },

    /** All tools an agent may use: linked to it, active, and of the same owner. The first linked comes first. */
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
        headersFor: null,
        authorizationFor: null,
        isActive: bit(true),
        createdAt,
        updatedAt: createdAt,
      }
      const stored = changed(empty, tool)
      await writeOnce(db, (on) => on.insertInto('tools').values(stored).execute())
      return toTool(stored)
    },

    /** Secrets are sealed for the new row and stay bound to the address that they were given for. The copy belongs to no agent. */
    async duplicate(userId: string, id: string, name?: string): Promise<Tool> {
      const original = found('Tool', await row(userId, id))
      const createdAt = now()
      const fresh = { id: newId('tol'), rowVersion: 1, createdAt, updatedAt: createdAt }
      const blank = { ...original, ...fresh, name: copyName(original.name, name) }
      const copy: ToolRow = {
        ...blank,
        headersSealed: seal(blank, 'headersSealed', open(original, 'headersSealed')),
        authorizationSealed: seal(blank, 'authorizationSealed', open(original, 'authorizationSealed')),
      }
      await writeOnce(db, (on) => on.insertInto('tools').values(copy).execute())
      return toTool(copy)
    },

    update(userId: string, { id, ifMatch }: Target, patch: ToolPatch): Promise<Tool> {
      return db.inTransaction(async (trx) => {
        const before = found('Tool', await lockRow(trx, 'tools', { userId, id }))
        requireVersion(before.rowVersion, ifMatch)
        if (Object.keys(patch).length === 0) return toTool(before)
        const rowVersion = (before.rowVersion ?? 1) + 1
        const after = { ...changed(before, patch), updatedAt: nowAfter(before.updatedAt), rowVersion }
        await trx.updateTable('tools').set(after).where('userId', '=', userId).where('id', '=', id).execute()
        return toTool(after)
      })
    },

    remove(userId: string, { id, ifMatch }: Target): Promise<Tool> {
      return db.inTransaction(async (trx) => {
        const tool = found('Tool', await lockRow(trx, 'tools', { userId, id }))
        requireVersion(tool.rowVersion, ifMatch)
        await trx.deleteFrom('tools').where('userId', '=', userId).where('id', '=', id).execute()
        return toTool(tool)
      })
    },

    /** Returns whether the link is new. */
    async link(userId: string, id: string, agentId: string): Promise<{ made: boolean; tool: Tool }> {
      const tool = await this.get(userId, id)
      await requireOwned(db, 'agents', userId, agentId, 'Agent')
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
      await requireOwned(db, 'agents', userId, agentId, 'Agent')
      const removed = await db
        .deleteFrom('toolLinks')
        .where('toolId', '=', id)
        .where('agentId', '=', agentId)
        .returning('toolId')
        .executeTakeFirst()
      if (!removed) throw notFound('Tool link')
      return tool
    },

    ofAgent: toolsOfAgent(db),
  }
}

/** The tools of an agent, the newest first. */
const toolsOfAgent =
  (db: Db) =>
  async (userId: string, agentId: string): Promise<ListedTool[]> => {
    await requireOwned(db, 'agents', userId, agentId, 'Agent')
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
