// One link to a server of the Model Context Protocol: connected when first needed, its tools listed, kept until it fails or is no longer used.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { monotonicMs } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { compileUserSchema } from '../base/user-schema.ts'
import { authorized } from './authorization.ts'
import type { TokenSource } from './oauth.ts'
import type { GuardedHttp, Json, ToolRecord } from './ports.ts'

export type McpTool = {
  name: string
  description: string
  parameters: Json
  isReadOnly: boolean
  isRepeatable: boolean
}

export type McpLinkParts = { http: GuardedHttp; tokens: TokenSource }

type Linked = { client: Client; tools: McpTool[] }

const CONNECT_MS = 3000
const LIST_MS = 10_000
const MAX_PAGES = 20
const MAX_TOOLS = 128
/** After a failure the server is left alone for a moment. */
const RETRY_MS = 5000

export class McpLink {
  readonly #parts: McpLinkParts
  readonly #tool: ToolRecord
  #linking: Promise<Linked> | undefined
  #linked: Linked | undefined
  #known: McpTool[] = []
  #failedAt = Number.NEGATIVE_INFINITY
  #trouble: string | null = null

  constructor(parts: McpLinkParts, tool: ToolRecord) {
    this.#parts = parts
    this.#tool = tool
  }

  /** What the server had when it was last asked. */
  get tools(): readonly McpTool[] {
    return this.#linked?.tools ?? this.#known
  }

  /** Why there is nothing. */
  get trouble(): string | null {
    return this.#trouble
  }

  /** Resolves when the server's tools are known, or cannot be. */
  async ready(): Promise<void> {
    if (this.#linked || monotonicMs() - this.#failedAt < RETRY_MS) return
    await this.#link().catch(() => {})
  }

  async call(name: string, args: Json, id: string, timeoutMs: number, signal: AbortSignal) {
    const { client } = this.#linked ?? (await this.#link())
    return client.callTool({ name, arguments: args, _meta: { toolCallId: id } }, undefined, {
      signal,
      timeout: timeoutMs,
    })
  }

  /** The next call connects anew. */
  drop(): void {
    const { client } = this.#linked ?? {}
    this.#linked = undefined
    void client?.close().catch(() => {})
  }

  async close(): Promise<void> {
    const { client } = this.#linked ?? (await this.#linking?.catch(() => undefined)) ?? {}
    this.#linked = undefined
    await client?.close().catch(() => {})
  }

  #link(): Promise<Linked> {
    this.#linking ??= this.#connect()
      .then((linked) => {
        this.#linked = linked
        this.#known = linked.tools
        this.#trouble = null
        linked.client.onclose = () => {
          if (this.#linked === linked) this.#linked = undefined
        }
        return linked
      })
      .catch((error) => {
        this.#failedAt = monotonicMs()
        this.#trouble = error instanceof Error ? error.message : 'the server could not be reached'
        throw error
      })
      .finally(() => {
        this.#linking = undefined
      })
    return this.#linking
  }

  async #connect(): Promise<Linked> {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
    const client = new Client({ name: 'ramal', version: '1' }, { capabilities: {} })
    const connectMs = Number(this.#tool.config.connectTimeoutMs ?? CONNECT_MS)
    try {
      await client.connect(await this.#transport(), { timeout: connectMs })
      const tools = await listed(client)
      client.setNotificationHandler(
        (await import('@modelcontextprotocol/sdk/types.js')).ToolListChangedNotificationSchema,
        async () => {
          const known = await listed(client).catch(() => null)
          if (known && this.#linked?.client === client) this.#linked.tools = known
        },
      )
      return { client, tools }
    } catch (error) {
      void client.close().catch(() => {})
      throw error
    }
  }

  async #transport(): Promise<Transport> {
    const url = new URL(this.#tool.requestUrl ?? '')
    if (this.#tool.config.transport === 'sse') {
      const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js')
      return new SSEClientTransport(url, { fetch: this.#fetch }) as Transport
    }
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
    return new StreamableHTTPClientTransport(url, { fetch: this.#fetch }) as Transport
  }

  /** Every request goes through the guard, with the tool's own headers and proof. */
  readonly #fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { http, tokens } = this.#parts
    const headers = { ...this.#tool.headers, ...Object.fromEntries(new Headers(init.headers)) }
    const body = typeof init.body === 'string' ? { body: init.body } : {}
    const asked = { url: String(input), method: init.method ?? 'GET', headers, ...body }
    const { request, renew } = await authorized(asked, this.#tool.authorization, tokens)
    const answer = await http.fetch(request.url, { ...init, headers: request.headers ?? {} })
    if (answer.status !== 401 || !(await renew())) return answer
    await answer.body?.cancel()
    const again = await authorized(asked, this.#tool.authorization, tokens)
    return http.fetch(again.request.url, { ...init, headers: again.request.headers ?? {} })
  }
}

async function listed(client: Client): Promise<McpTool[]> {
  const found: McpTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES && found.length < MAX_TOOLS; page++) {
    const { tools, nextCursor } = await client.listTools(cursor ? { cursor } : {}, { timeout: LIST_MS })
    for (const { name, description, inputSchema, annotations } of tools) {
      if (!isSafe(inputSchema)) continue
      const isReadOnly = annotations?.readOnlyHint === true
      const isRepeatable = isReadOnly || annotations?.idempotentHint === true
      found.push({ name, description: description ?? '', parameters: inputSchema, isReadOnly, isRepeatable })
    }
    if (!nextCursor) break
    cursor = nextCursor
  }
  return found.slice(0, MAX_TOOLS)
}

/** A server's schema is a stranger's code to the validator. */
function isSafe(schema: Json): boolean {
  try {
    compileUserSchema(schema)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
