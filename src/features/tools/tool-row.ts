// A tool's row in three forms: as listed, with secrets masked for clients, and with secrets decrypted for the tool
// runtime.
import type { KeyRing } from '../../base/crypto/secrets.ts'
import { withVersion } from '../../base/versions.ts'
import { fromJson, type ToolRow } from '../../db/tables.ts'
import type { Json, ToolRecord } from '../../tool-types/ports.ts'
import { configProblem, settingsIn } from './config-check.ts'
import { maskAuthorization, maskHeaders } from './masks.ts'
import type { ListedTool, Tool } from './schema.ts'
import { authorizationBinding, bindingProblem, hasSecretHeaders, headersBinding } from './secret-binding.ts'

type SealedColumn = 'headersSealed' | 'authorizationSealed'

const locationOf = ({ id, userId }: ToolRow, column: SealedColumn) => ({ table: 'tools', row: id, column, userId })

export const sealed = (secrets: KeyRing, tool: ToolRow, column: SealedColumn, value: Json | null) =>
  value && secrets.seal(JSON.stringify(value), locationOf(tool, column))

export const opened = (secrets: KeyRing, tool: ToolRow) => ({
  headers: openColumn<NonNullable<ToolRecord['headers']>>(secrets, tool, 'headersSealed'),
  authorization: openColumn<NonNullable<ToolRecord['authorization']>>(secrets, tool, 'authorizationSealed'),
})

function openColumn<T>(secrets: KeyRing, tool: ToolRow, column: SealedColumn): T | null {
  const text = tool[column]
  return text === null ? null : fromJson<T>(secrets.open(text, locationOf(tool, column)))
}

export const toListedTool = (tool: ToolRow): ListedTool => ({
  id: tool.id,
  name: tool.name,
  description: tool.description,
  type: tool.type as ListedTool['type'],
  method: tool.method,
  requestUrl: tool.requestUrl,
  isActive: tool.isActive === 1,
  createdAt: tool.createdAt,
})

export function toTool(secrets: KeyRing, tool: ToolRow): Tool {
  const { headers, authorization } = opened(secrets, tool)
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

/** Leaves out settings that are out of bounds and secrets bound to another address; `problem` says so. */
export function toRunnable(secrets: KeyRing, tool: ToolRow): ToolRecord {
  const { id, userId, name, description, type, method, requestUrl } = tool
  const body = fromJson<Json>(tool.body)
  const config = settingsIn(type, body, fromJson(tool.config))
  const outOfBounds = configProblem(type, config)
  const { headers, authorization } = opened(secrets, tool)
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
