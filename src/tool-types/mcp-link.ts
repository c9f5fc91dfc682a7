// A connection to one MCP server: opened on first use, kept until it fails or is idle.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { GuardedHttp } from '../base/outside/http-port.ts'
import { monotonicMs } from '../base/time/clock.ts'
import { authorized } from './http/authorization.ts'
import type { TokenSource } from './http/oauth.ts'
import { listTools, type McpTool } from './mcp-list.ts'
import type { Json, ToolRecord } from './ports.ts'
import { errorText, secretMask } from './results.ts'

export type McpLinkParts = { http: GuardedHttp; tokens: TokenSource; times?: McpTimes }
/** `relistMs`: minimum interval between two listings, however often the server reports changes. */
export type McpTimes = { relistMs?: number; unusedMs?: number }

type Linked = { client: Client; tools: McpTool[] }

const CONNECT_MS = 3000
/** Pause before reconnecting after a failure. */
const RETRY_MS = 5000
const RELIST_MS = 10_000
/** A connection unused for this long is closed, with its open streams. */
const IDLE_MS = 300_000
/** Streams that a server may cause to be reopened per minute: the server controls the interval. */
const MAX_STREAMS = 10
const STREAM_WINDOW_MS = 60_000
const MAX_ERROR = 300

export class McpLink {
  readonly #parts: McpLinkParts
  readonly #tool: ToolRecord
  #linking: Promise<Linked> | undefined
  #linked: Linked | undefined
  #known: McpTool[] = []
  #failedAt = Number.NEGATIVE_INFINITY
  #trouble: string | null = null
  #atWork = 0
  #unused: NodeJS.Timeout | undefined
  #relisting: NodeJS.Timeout | undefined
  #listedAt = Number.NEGATIVE_INFINITY
  #streams: number[] = []
  /** Tokens obtained for the tool: as secret as its own. */
  readonly #gotSecrets = new Set<string>()

  constructor(parts: McpLinkParts, tool: ToolRecord) {
    this.#parts = parts
    this.#tool = tool
  }

  get isLinked(): boolean {
    return this.#linked !== undefined
  }

  /** The server's tools when they were last listed. */
  get tools(): readonly McpTool[] {
    return this.#linked?.tools ?? this.#known
  }

  /** Why there are no tools: the connection error. */
  get trouble(): string | null {
    return this.#trouble
  }

  /** The error message, with secrets masked. */
  wordsOf(error: unknown): string {
    const { headers, authorization } = this.#tool
    const secrets = { ...authorization, type: authorization?.type ?? '', got: [...this.#gotSecrets] }
    const said = error instanceof Error && error.message !== '' ? error.message : 'the server could not be reached'
    const status = Number((error as { code?: unknown }).code)
    const told = status >= 400 && status < 600 && !said.includes(String(status)) ? `${status}: ${said}` : said
    return errorText(told, secretMask({ headers, authorization: secrets })).slice(0, MAX_ERROR)
  }

  /** Resolves when the server's tools are known, if only from an earlier listing, or listing them has failed. */
  async ready(): Promise<void> {
    this.#used()
    if (this.#linked || monotonicMs() - this.#failedAt < RETRY_MS) return
    const linking = this.#link().catch(() => {})
    if (this.#known.length === 0) await linking
  }

  async call(name: string, args: Json, id: string, timeoutMs: number, signal: AbortSignal) {
    this.#atWork++
    try {
      const { client } = this.#linked ?? (await this.#link())
      const asked = { name, arguments: args, _meta: { toolCallId: id } }
      return await client.callTool(asked, undefined, { signal, timeout: timeoutMs })
    } finally {
      this.#atWork--
      this.#used()
    }
  }

  #used(): void {
    clearTimeout(this.#unused)
    this.#unused = setTimeout(() => this.#atWork === 0 && this.drop(), this.#parts.times?.unusedMs ?? IDLE_MS).unref()
  }

  /** The next call reconnects. */
  drop(): void {
    const { client } = this.#linked ?? {}
    this.#linked = undefined
    clearTimeout(this.#relisting)
    this.#relisting = undefined
    void client?.close().catch(() => {})
  }

  async close(): Promise<void> {
    const { client } = this.#linked ?? (await this.#linking?.catch(() => undefined)) ?? {}
    this.#linked = undefined
    clearTimeout(this.#unused)
    clearTimeout(this.#relisting)
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
        this.#trouble = this.wordsOf(error)
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
      const tools = await listTools(client)
      this.#listedAt = monotonicMs()
      const { ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js')
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#relistSoon(client))
      return { client, tools }
    } catch (error) {
      void client.close().catch(() => {})
      throw error
    }
  }

  /** At most one listing is pending, and listings are spaced apart. */
  #relistSoon(client: Client): void {
    if (this.#relisting || this.#linked?.client !== client) return
    const inMs = this.#listedAt + (this.#parts.times?.relistMs ?? RELIST_MS) - monotonicMs()
    this.#relisting = setTimeout(
      async () => {
        this.#listedAt = monotonicMs()
        this.#relisting = undefined
        const known = await listTools(client).catch(() => null)
        this.#listedAt = monotonicMs()
        if (!known || this.#linked?.client !== client) return
        this.#linked.tools = known
        this.#known = known
      },
      Math.max(0, inMs),
    ).unref()
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

  /** Every request goes through the guarded client, with the tool's own headers and authorization. */
  readonly #fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { http, tokens } = this.#parts
    if (init.method === undefined || init.method === 'GET') this.#countStream()
    const headers = { ...this.#tool.headers, ...Object.fromEntries(new Headers(init.headers)) }
    const body = typeof init.body === 'string' ? { body: init.body } : {}
    const asked = { url: String(input), method: init.method ?? 'GET', headers, ...body }
    const { request, renew, secrets } = await authorized(asked, this.#tool.authorization, tokens)
    for (const secret of secrets) this.#gotSecrets.add(secret)
    const answer = await http.fetch(request.url, { ...init, headers: request.headers ?? {} })
    if (answer.status !== 401 || !(await renew())) return answer
    await answer.body?.cancel()
    const again = await authorized(asked, this.#tool.authorization, tokens)
    for (const secret of again.secrets) this.#gotSecrets.add(secret)
    return http.fetch(again.request.url, { ...init, headers: again.request.headers ?? {} })
  }
  /** The SDK reopens a stream that ends, as soon and as often as the server wants. */
  #countStream(): void {
    const now = monotonicMs()
    this.#streams = [...this.#streams.filter((atMs) => now - atMs < STREAM_WINDOW_MS), now]
    if (this.#streams.length <= MAX_STREAMS) return
    this.drop()
    throw new Error('the server ends its streams too often')
  }
}
