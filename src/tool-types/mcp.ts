// Tool type mcp: an MCP server's tools, filtered by the owner's allow and deny lists, listed without delaying the call.
import { createHash } from 'node:crypto'
import { HttpError } from '../base/outside/http-error.ts'
import { authorizationProblem } from './http/authorization.ts'
import { McpLink, type McpLinkParts } from './mcp-link.ts'
import type { McpTool } from './mcp-list.ts'
import type { Json, Outcome, Run, ToolFunction, ToolRecord, ToolType } from './ports.ts'

type McpConfig = {
  allowTools?: string[] | null
  denyTools?: string[] | null
  timeoutMs?: number | null
  toolMessages?: Record<string, unknown> | null
}

const TIMEOUT_MS = 15_000
/** Maximum number of servers; the least recently used is closed. */
const MAX_LINKS = 100

export type McpToolType = ToolType & Required<Pick<ToolType, 'ready' | 'close'>>

export function mcp(parts: McpLinkParts): McpToolType {
  const links = new Map<string, McpLink>()

  function linkOf(tool: ToolRecord): McpLink {
    const { requestUrl, headers, authorization, config } = tool
    const settings = JSON.stringify([tool.userId, tool.id, requestUrl, headers, authorization, config])
    const key = createHash('sha256').update(settings).digest('base64')
    const link = links.get(key) ?? new McpLink(parts, tool)
    links.delete(key)
    links.set(key, link)
    const [oldest] = links.keys()
    if (links.size > MAX_LINKS && oldest !== undefined) {
      void links.get(oldest)?.close()
      links.delete(oldest)
    }
    return link
  }

  return {
    /** Includes the connection error if connecting failed and there is nothing to offer. */
    problem(tool) {
      if (tool.requestUrl === null) return 'requestUrl is missing: the address of the server'
      return authorizationProblem(tool.authorization) ?? nothingOffered(tool, linkOf(tool))
    },

    ready: (tool) => linkOf(tool).ready(),

    functions(tool) {
      const link = linkOf(tool)
      void link.ready()
      const { timeoutMs } = tool.config as McpConfig
      return allowed(tool, link).map((each) => offerOf(tool, link, each, timeoutMs ?? TIMEOUT_MS))
    },

    async close() {
      await Promise.all([...links.values()].map((link) => link.close()))
      links.clear()
    },
  }
}

function allowed({ config }: ToolRecord, { tools }: McpLink): McpTool[] {
  const { allowTools, denyTools } = config as McpConfig
  return tools.filter(({ name }) => (allowTools?.includes(name) ?? true) && !denyTools?.includes(name))
}

function nothingOffered(tool: ToolRecord, link: McpLink): string | null {
  if (link.trouble !== null && link.tools.length === 0) return `the MCP server could not be used: ${link.trouble}`
  if (link.tools.length === 0) return link.isLinked ? 'the MCP server has no tool that can be used here' : null
  if (allowed(tool, link).length > 0) return null
  const names = link.tools.map(({ name }) => name)
  return `allowTools and denyTools leave nothing; the server has: ${names.join(', ').slice(0, 500)}`
}

const offerOf = (tool: ToolRecord, link: McpLink, each: McpTool, timeoutMs: number): ToolFunction => ({
  name: `${tool.name}__${each.name}`,
  description: each.description || (tool.description ?? ''),
  parameters: each.parameters,
  keepsUndeclared: true,
  hasEffect: !each.isReadOnly,
  isRepeatable: each.isRepeatable,
  timeoutMs,
  ...messagesOf(tool, each.name),
  run: (run, signal) => called(link, each, run, timeoutMs, signal),
})

function messagesOf(tool: ToolRecord, name: string): { messages?: Json } {
  const messages = (tool.config as McpConfig).toolMessages?.[name]
  return typeof messages === 'object' && messages !== null ? { messages: messages as Json } : {}
}

async function called(
  link: McpLink,
  each: McpTool,
  run: Run,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Outcome> {
  for (let tries = 0; ; tries++) {
    try {
      return outcomeOf((await link.call(each.name, run.args, run.id, timeoutMs, signal)) as Answer)
    } catch (error) {
      link.drop()
      const isUndone = wasRefused(error)
      // A restarted server does not know the session.
      if (tries === 0 && isUndone && !signal.aborted && !isProtocolError(error)) continue
      const isDoubtful = !each.isReadOnly && !isUndone
      return { ok: false, error: wordsOf(link, error, signal), ...(isDoubtful ? { isDoubtful } : {}) }
    }
  }
}

const codeOf = (error: unknown): number => Number((error as { code?: unknown }).code)
/** A JSON-RPC protocol error: the request was invalid. */
const isProtocolError = (error: unknown) => codeOf(error) <= -32_600 && codeOf(error) >= -32_700
/** The request never reached the tool. */
const wasRefused = (error: unknown): boolean =>
  isProtocolError(error) ||
  (codeOf(error) >= 400 && codeOf(error) < 500) ||
  (error instanceof HttpError && !error.wasSent)

function wordsOf(link: McpLink, error: unknown, signal: AbortSignal): string {
  if (signal.aborted || codeOf(error) === -32_001) return 'The server did not answer in time'
  return `The server failed: ${link.wordsOf(error)}`
}

type Answer = {
  content?: {
    type: string
    text?: string
    mimeType?: string
    uri?: string
    resource?: { uri?: string; text?: string }
  }[]
  structuredContent?: Json
  isError?: boolean
}

function outcomeOf({ content = [], structuredContent, isError }: Answer): Outcome {
  const parts = content.map(({ type, text, mimeType, uri, resource }) => {
    if (type === 'text') return text ?? ''
    if (type === 'resource') return resource?.text ?? `(a resource: ${resource?.uri ?? 'unknown'})`
    return type === 'resource_link' ? `(a resource: ${uri ?? 'unknown'})` : `(${type}: ${mimeType ?? 'unknown type'})`
  })
  const told = parts.join('\n').trim()
  const text = told === '' && structuredContent ? JSON.stringify(structuredContent) : told
  if (isError) return { ok: false, error: text.slice(0, 1000) || 'The server says that it failed' }
  return { ok: true, text: text || 'Done.' }
}
