// HTTP to addresses given by users: every resolved address is checked and pinned; time, size, headers and redirects are
// limited. Errors reveal only the host.
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { addressCheck, checkedUrl } from './address-check.ts'
import { ACCEPT_ENCODING, type BodyBounds, unpacked, wholeOf } from './body.ts'
import { orAborted, type Stopwatch, stopwatch } from './deadline.ts'
import type { DnsCache } from './dns-cache.ts'
import { webBody } from './fetch.ts'
import { isConnectionHeader, isHeaderName } from './header-names.ts'
import { HttpError } from './http-error.ts'
import type { GuardedHttp, HttpRequest, HttpResponse } from './http-port.ts'
import { limits } from './limits.ts'
import type { OwnListeners } from './own-listeners.ts'
import { type Dial, pinnedPools } from './pinned-pools.ts'

export type GuardOptions = {
  /** Non-public networks that may be reached: 10.0.0.0/8. */
  allowedNetworks?: readonly string[]
  /** This server's own listeners: never called, whatever is allowed. */
  own?: OwnListeners
  names?: DnsCache
  dial?: Dial
  connectMs?: number
  /** Between two chunks of a response. */
  idleMs?: number
  /** How long `close` waits for requests in flight. */
  closeMs?: number
  /** Limits of an event stream: between two chunks, and in total. */
  streamIdleMs?: number
  streamMs?: number
  /** The certificate authority to trust instead of Node's. */
  ca?: string
}

const TIMEOUT_MS = 15_000
const MAX_BYTES = 1_048_576
/** Limit for one response of `fetch`. */
const FETCH_MS = 60_000
/** No tool call waits longer than this for a stream. */
const STREAM_IDLE_MS = 300_000
const STREAM_MS = 3_600_000
const STREAM_MAX_BYTES = 64 * MAX_BYTES
const MAX_REDIRECTS = 3

/** The only headers sent on a redirect to another origin: any other may be a secret. */
const harmlessHeaders = /^(accept|accept-language|user-agent)$/i

type Opened = { status: number; headers: Record<string, string>; body: Readable; url: URL; isRedirected: boolean }
type Bounds = { signal: AbortSignal; sizes: (type: string) => BodyBounds; follows: boolean; onPiece: () => unknown }
type Progress = { wasSent: boolean }

export type GuardedClient = GuardedHttp & {
  refusalFor(url: string): string | null
  close(): Promise<void>
}

export function guardedHttp(options: GuardOptions = {}): GuardedClient {
  const { connectMs = 5_000, idleMs = 10_000, closeMs = 2_000, ca } = options
  const { streamIdleMs = STREAM_IDLE_MS, streamMs = STREAM_MS } = options
  const { checkedAddresses, refusalFor } = addressCheck({ ...options, who: 'tools' })
  const pools = pinnedPools({
    connectMs,
    ...(options.dial ? { dial: options.dial } : {}),
    ...(ca === undefined ? {} : { ca }),
  })

  const connections = { pools, checkedAddresses }

  async function request(asked: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const progress: Progress = { wasSent: false }
    const watch = stopwatch(signal, asked.timeoutMs ?? TIMEOUT_MS)
    try {
      const isRead = asked.method === 'GET' || asked.method === 'HEAD'
      const bounds = { signal: watch.signal, follows: isRead, onPiece: () => watch.expectWithin(idleMs) }
      const opened = await open(
        connections,
        asked,
        { ...bounds, sizes: () => ({ maxBytes: asked.maxBytes ?? MAX_BYTES }) },
        progress,
      )
      watch.expectWithin(idleMs)
      return { status: opened.status, headers: opened.headers, body: await wholeOf(opened.body) }
    } catch (error) {
      throw troubleOf(error, hostOf(asked.url), watch, progress)
    } finally {
      watch.end()
    }
  }

  const fetchGuarded = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const asked = new Request(input, init)
    const progress: Progress = { wasSent: false }
    const watch = stopwatch(asked.signal, FETCH_MS)
    try {
      const { method, url, redirect } = asked
      const headers = Object.fromEntries([...asked.headers].filter(([name]) => !isConnectionHeader(name)))
      const body = asked.body ? { body: new Uint8Array(await asked.arrayBuffer()) } : {}
      const follows = redirect !== 'manual' && (method === 'GET' || method === 'HEAD')
      let isStream = false
      const sizes = (type: string): BodyBounds => {
        isStream = isEventStream(type)
        return isStream
          ? { maxBytes: STREAM_MAX_BYTES, json: limits.mcpMessage, isEvents: true }
          : { maxBytes: limits.mcpMessage.bytes, json: /json/i.test(type) ? limits.mcpMessage : undefined }
      }
      const onPiece = () => isStream && watch.expectWithin(streamIdleMs)
      const bounds: Bounds = { signal: watch.signal, follows, sizes, onPiece }
      const opened = await open(connections, { method, url, headers, ...body }, bounds, progress)
      if (redirect === 'error' && opened.isRedirected) throw new TypeError('the answer is a redirect')
      if (isStream) watch.extend(streamMs, streamIdleMs)
      opened.body.once('close', watch.end)
      return responseOf(opened)
    } catch (error) {
      watch.end()
      asked.signal.throwIfAborted()
      throw troubleOf(error, hostOf(asked.url), watch, progress)
    }
  }

  return { request, fetch: fetchGuarded as typeof fetch, refusalFor, close: () => pools.close(closeMs) }
}

type Connections = {
  pools: ReturnType<typeof pinnedPools>
  checkedAddresses: ReturnType<typeof addressCheck>['checkedAddresses']
}

/** Follows redirects, and checks the address of each. */
async function open(
  { pools, checkedAddresses }: Connections,
  asked: HttpRequest,
  bounds: Bounds,
  progress: Progress,
): Promise<Opened> {
  const { signal } = bounds
  let url = checkedUrl(asked.url)
  let headers: Record<string, string> = { 'accept-encoding': ACCEPT_ENCODING, ...checkedHeaders(asked.headers ?? {}) }
  for (let redirects = 0; ; redirects++) {
    const addresses = await checkedAddresses(url, signal)
    const dispatcher = pools.poolFor(url.origin, addresses).compose(watched(signal, progress))
    const answering = dispatcher.request({
      path: url.pathname + url.search,
      method: asked.method as Dispatcher.HttpMethod,
      headers,
      body: asked.body ?? null,
      signal,
    })
    // A request that is still waiting for its connection does not see the signal.
    const answer = await orAborted(answering, signal, (late) => late.body.on('error', () => {}).destroy())
    const told = plainHeaders(answer.headers)
    const next = bounds.follows ? redirectOf(answer.statusCode, told.location, url) : null
    if (next === null) {
      const hasBody = asked.method !== 'HEAD' && answer.statusCode !== 204 && answer.statusCode !== 304
      const body = unpacked(
        answer.body,
        hasBody && told['content-length'] !== '0' ? told['content-encoding'] : undefined,
        bounds.sizes(told['content-type'] ?? ''),
        bounds.onPiece,
      )
      return { status: answer.statusCode, headers: told, body, url, isRedirected: redirects > 0 }
    }
    answer.body.on('error', () => {}).destroy()
    if (redirects === MAX_REDIRECTS) throw new HttpError('protocol', `${url.host} redirects too often`, true)
    if (next.origin !== url.origin)
      headers = Object.fromEntries(Object.entries(headers).filter(([name]) => harmlessHeaders.test(name)))
    headers['accept-encoding'] = ACCEPT_ENCODING
    url = checkedUrl(next.href)
  }
}

function checkedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeaderName(name) || isConnectionHeader(name))
      throw new HttpError('refused', 'a header of that name cannot be sent', false)
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw new HttpError('refused', `the header ${name} holds characters that a header cannot carry`, false)
  }
  return { ...headers }
}

/** Records the moment from which data may have reached the server. */
const watched =
  (signal: AbortSignal, progress: Progress): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) => {
    const start = handler.onRequestStart?.bind(handler)
    handler.onRequestStart = (controller, context) => {
      if (!signal.aborted) progress.wasSent = true
      start?.(controller, context)
    }
    return dispatch(options, handler)
  }

function redirectOf(status: number, location: string | undefined, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return null
  return URL.canParse(location, from) ? new URL(location, from) : null
}

const plainHeaders = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]))

const isEventStream = (type: string) => /^text\/event-stream\b/i.test(type.trim())

function responseOf({ status, headers, body, url, isRedirected }: Opened): Response {
  const kept = Object.entries(headers).filter(([name]) => name !== 'content-encoding' && name !== 'content-length')
  const isEmpty = [101, 204, 205, 304].includes(status)
  if (isEmpty) body.on('error', () => {}).resume()
  const response = new Response(isEmpty ? null : webBody(body), { status, headers: kept })
  Object.defineProperty(response, 'url', { value: url.href })
  Object.defineProperty(response, 'redirected', { value: isRedirected })
  return response
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'the address')

function troubleOf(error: unknown, host: string, watch: Stopwatch, { wasSent }: Progress): HttpError {
  const trouble = (kind: HttpError['kind'], message: string) => new HttpError(kind, message, wasSent, error)
  if (watch.isLate()) return trouble('timeout', `${host} did not answer in time`)
  if (watch.isAborted()) return trouble('timeout', `the request to ${host} was given up`)
  // A later hop was refused, but the first request was sent.
  if (error instanceof HttpError) return error.wasSent === wasSent ? error : trouble(error.kind, error.message)
  const { code: told, name } = error as { code?: unknown; name?: unknown }
  const code = String(told ?? name)
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return trouble('too-large', `the headers of ${host}'s answer are too large`)
  if (/^(HTTPParserError|HPE_|Z_|ERR__?ERROR_FORMAT|UND_ERR_RES)/.test(code))
    return trouble('protocol', `${host} did not answer in proper HTTP`)
  if (/CERT|SELF_SIGNED|TLS|SSL/.test(code)) return trouble('unreachable', `the certificate of ${host} is not valid`)
  if (code === 'ETIMEDOUT' && !wasSent) return trouble('unreachable', `${host} could not be reached in time`)
  return trouble('unreachable', wasSent ? `the connection to ${host} broke` : `${host} could not be reached`)
}
