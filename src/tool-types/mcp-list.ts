// Lists an MCP server's tools, with limits: its response is untrusted input.
import { setImmediate as breathe } from 'node:timers/promises'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { checkUserSchema } from '../base/domain/user-schema.ts'
import { AppError } from '../base/errors/errors.ts'
import type { Json } from './ports.ts'

export type McpTool = {
  name: string
  description: string
  parameters: Json
  isReadOnly: boolean
  isRepeatable: boolean
}

const LIST_MS = 10_000
const MAX_PAGES = 20
export const MAX_TOOLS = 128
/** Tools examined, valid or not. */
const MAX_EXAMINED = 1000
const MAX_NAME = 128
const MAX_DESCRIPTION = 4096
/** Characters of one schema, and of all schemas kept. */
const MAX_SCHEMA = 16_384
const MAX_SCHEMAS = 262_144

/** Yields to the event loop between schemas, so that a large list does not block other calls. */
export async function listTools(client: Client): Promise<McpTool[]> {
  const { ListToolsResultSchema } = await import('@modelcontextprotocol/sdk/types.js')
  const found: McpTool[] = []
  let cursor: string | undefined
  let examined = 0
  let letters = 0
  for (let page = 0; page < MAX_PAGES; page++) {
    // Not `client.listTools`, which compiles every output schema with the SDK's own Ajv and formats.
    const asked = { method: 'tools/list' as const, params: cursor ? { cursor } : {} }
    const { tools, nextCursor } = await client.request(asked, ListToolsResultSchema, { timeout: LIST_MS })
    for (const { name, description, inputSchema, annotations, execution } of tools) {
      if (found.length === MAX_TOOLS || ++examined > MAX_EXAMINED) return found
      // A tool that can only run as a task, which is not supported here.
      if (execution?.taskSupport === 'required' || name.length > MAX_NAME) continue
      const size = JSON.stringify(inputSchema).length
      if (size > MAX_SCHEMA || letters + size > MAX_SCHEMAS) continue
      letters += size
      await breathe()
      if (!isSafe(inputSchema)) continue
      const isReadOnly = annotations?.readOnlyHint === true
      const isRepeatable = isReadOnly || annotations?.idempotentHint === true
      const words = (description ?? '').slice(0, MAX_DESCRIPTION)
      found.push({ name, description: words, parameters: inputSchema, isReadOnly, isRepeatable })
    }
    if (!nextCursor) break
    cursor = nextCursor
  }
  return found
}

/** A server's schema is untrusted, and the validator compiles it when the tool is first called. */
function isSafe(schema: Json): boolean {
  try {
    checkUserSchema(schema)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
