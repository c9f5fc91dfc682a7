// Client of a running platform's HTTP API. Commands that use it need no database, and the platform may run on another machine.
import { openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Agent } from '../features/agents/schema.ts'
import { eventData } from '../llm/event-stream.ts'

export type Api = ReturnType<typeof apiClient>

const PAGE_ROWS = 500

/** `url` is that of --url; without it, the platform on this machine is meant. */
export async function platformApi(
  config: Pick<Config, 'http' | 'dataDir'>,
  { url, apiKey }: { url: string | undefined; apiKey: string | undefined },
): Promise<Api> {
  return apiClient(url?.replace(/\/{1,9}$/, '') ?? ownUrl(config), await readKey(apiKey, config.dataDir))
}

function apiClient(url: string, key: string) {
  async function send(method: string, path: string, body?: unknown, more: RequestInit = {}): Promise<Response> {
    const headers = { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const response = await fetch(`${url}${path}`, {
      method,
      ...more,
      headers: { ...headers, ...(more.headers as Record<string, string> | undefined) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      if (more.signal?.aborted) throw error
      throw new Error(`no platform answers at ${url}; start it (npm start), or name another with --url`)
    })
    if (response.ok) return response
    const problem = (await response.json().catch(() => ({}))) as { message?: string }
    throw new Error(problem.message ?? `the platform answered ${response.status}`)
  }
  const json = async <T>(response: Promise<Response>) => (await (await response).json()) as T
  return {
    get: <T>(path: string) => json<T>(send('GET', path)),
    post: <T>(path: string, body: unknown) => json<T>(send('POST', path, body)),
    delete: <T>(path: string) => json<T>(send('DELETE', path)),
    /** Uploads a file; its name tells its media type. */
    sendFile: async <T>(method: 'POST' | 'PUT', path: string, file: string) => {
      const type = listMediaType(file)
      const content = await fileContent(file)
      return json<T>(send(method, path, undefined, { body: content, headers: { 'content-type': type } }))
    },
    async *download(path: string): AsyncGenerator<Uint8Array> {
      const { body } = await send('GET', path)
      if (body) yield* body
    },
    /** The rows of a list, page by page; `path` has no `limit`. */
    async *pages<T>(path: string): AsyncGenerator<T[]> {
      let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE_ROWS}`
      while (next !== undefined) {
        const response = await send('GET', next)
        yield (await response.json()) as T[]
        next = /^<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
      }
    },
    async *events(path: string, body: unknown, signal: AbortSignal): AsyncGenerator<string> {
      const response = await send('POST', path, body, { headers: { accept: 'text/event-stream' }, signal })
      if (response.body) yield* eventData(response.body)
    },
  }
}

async function fileContent(file: string): Promise<Blob> {
  try {
    return await openAsBlob(file) // throws before it returns a promise
  } catch {
    throw new Error(`cannot read ${file}`)
  }
}

const mediaTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  txt: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

function listMediaType(file: string): string {
  const type = mediaTypes[file.toLowerCase().split('.').at(-1) ?? '']
  if (!type) throw new Error(`${file} is neither a CSV file (.csv) nor an Excel workbook (.xlsx)`)
  return type
}

export function chooseAgent(agents: readonly Agent[], wanted: string | undefined): Agent {
  const named = agents.filter(({ name }) => name.toLowerCase() === wanted?.toLowerCase())
  const matches = wanted === undefined ? agents : [...agents.filter(({ id }) => id === wanted), ...named]
  const [agent, other] = matches
  if (agent && (!other || agent.id === wanted)) return agent
  if (agents.length === 0) throw new Error('there is no agent yet; create one first')
  const all = agents.slice(0, 20).map(({ id, name }) => `  ${id}  ${name}`)
  const why =
    wanted === undefined ? 'which agent?' : other ? `several are named ${wanted}` : `there is no agent ${wanted}`
  throw new Error(`${why}\n${all.join('\n')}`)
}

/** The platform on this machine. With TLS, its certificate is valid for the public name only. */
export function ownUrl({ http }: Pick<Config, 'http'>): string {
  if (http.tls && http.publicUrl) return http.publicUrl
  const own = http.host === '0.0.0.0' ? '127.0.0.1' : http.host === '::' ? '::1' : http.host
  return `${http.tls ? 'https' : 'http'}://${own.includes(':') ? `[${own}]` : own}:${http.port}`
}

async function readKey(apiKey: string | undefined, dataDir: string): Promise<string> {
  if (apiKey) return apiKey
  const file = join(dataDir, 'first-api-key')
  const saved = await readFile(file, 'utf8').catch(() => '')
  if (saved.trim() === '') throw new Error(`no API key: set RAMAL_API_KEY (the first start saves one in ${file})`)
  return saved.trim()
}

/** Removes control characters: a model or a list must not control the terminal. */
export const printable = (text: string) => text.replaceAll(/(?![\n\t])\p{Cc}/gu, '')
