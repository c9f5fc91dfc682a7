// Answers the frequent reads before Fastify: GET of one record, or of a short list without a query, by an API key that is cached. Anything
// else goes to Fastify, also what turns out to be an error, not found or over the limit: its response is the reference for the headers here.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { monotonicMs, nowMs } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { etagOf } from '../base/versions.ts'
import type { KeyGrant } from './auth.ts'
import type { Admission, RateLimiter } from './rate-limit.ts'
import { mayAccess, type Needed } from './scopes.ts'
import type { OpenAnswers } from './stream-revocation.ts'

/** The body of a 200. `bytes` is its length in UTF-8. */
export type DirectBody = { json: string; bytes: number; version?: number }

/** Reads with the owner's id in the query. Undefined: the route's handler decides. `id` is empty for a list. */
export type DirectRead = (grant: KeyGrant, id: string) => DirectBody | undefined | Promise<DirectBody | undefined>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** On `/words` and `/words/:id` only. */
    direct?: DirectRead
  }
}

export type DirectParts = {
  /** The grant of a key while it is cached. */
  cachedKey: (secret: string) => KeyGrant | undefined
  used: (grant: KeyGrant) => void
  limiter: RateLimiter
  requestIdOf: (given: string | undefined) => string
  count: (request: { method: string; route: string; status: number }, seconds: number) => void
  log: Log
  open: Pick<OpenAnswers, 'begin' | 'end'>
}

type Route = { url: string; scope: Needed; read: DirectRead }
type Asked = { req: IncomingMessage; res: ServerResponse; route: Route; grant: KeyGrant; id: string; fromMs: number }

const PARAMETER = ':id'
/** Ids that need no decoding and that every database takes. */
const PLAIN_ID = /^\w{1,64}$/

export class DirectReads {
  readonly #parts: DirectParts
  readonly #lists = new Map<string, Route>()
  /** By the path before the id. */
  readonly #records = new Map<string, Route>()
  #isClosing = false

  constructor(parts: DirectParts) {
    this.#parts = parts
  }

  add(url: string, scope: Needed, read: DirectRead): void {
    if (url.endsWith(`/${PARAMETER}`)) this.#records.set(url.slice(0, -PARAMETER.length), { url, scope, read })
    else this.#lists.set(url, { url, scope, read })
  }

  /** Puts itself before Fastify's own handler. While closing, that one ends the connections. */
  install(app: FastifyInstance): void {
    const handlers = app.server.listeners('request') as ((req: IncomingMessage, res: ServerResponse) => void)[]
    const fastify = handlers.find((handler) => handler === app.routing)
    if (!fastify) throw new Error('Fastify does not handle the requests of its server')
    app.server.removeListener('request', fastify)
    app.server.on('request', (req, res) => {
      if (!this.#begin(req, res, fastify)) fastify(req, res)
    })
    app.addHook('preClose', async () => {
      this.#isClosing = true
    })
  }

  /** False: nothing was done, the request is Fastify's. */
  #begin(req: IncomingMessage, res: ServerResponse, fastify: Handler): boolean {
    if (req.method !== 'GET' || this.#isClosing) return false
    const url = req.url ?? ''
    let route = this.#lists.get(url)
    let id = ''
    if (!route) {
      const end = url.lastIndexOf('/') + 1
      route = this.#records.get(url.slice(0, end))
      if (!route) return false
      id = url.slice(end)
      if (!PLAIN_ID.test(id)) return false
    }
    const { cachedKey, log, limiter } = this.#parts
    const headers = plainHeaders(req.rawHeaders)
    const grant = headers && cachedKey(headers.key)
    if (log.isLevelEnabled('debug')) return false // Fastify's hook writes the line
    if (!grant || !isValid(grant) || !mayAccess(grant, route.scope)) return false
    const asked = { req, res, route, grant, id, fromMs: monotonicMs(), requestId: headers.requestId }
    const admission = limiter.admit(grant.id, grant.rateLimit)
    if (admission instanceof Promise)
      admission.then(
        (a) => this.#admitted(asked, a, fastify),
        () => fastify(req, res),
      )
    else this.#admitted(asked, admission, fastify)
    return true
  }

  #admitted(asked: Asked & { requestId: string | undefined }, admission: Admission, fastify: Handler): void {
    const { req, res, grant, route } = asked
    if (!admission.admitted) {
      fastify(req, res) // which refuses it again: refused requests do not count
      return
    }
    this.#parts.used(grant)
    const finish = (body: DirectBody | undefined) => {
      if (body) return this.#send(asked, body, { requestId: asked.requestId, admission })
      const takenBack = this.#parts.limiter.takeBack(grant.id)
      if (takenBack instanceof Promise) takenBack.catch(() => {}).then(() => fastify(req, res))
      else fastify(req, res)
    }
    try {
      const body = route.read(grant, asked.id)
      if (body instanceof Promise) body.then(finish, () => finish(undefined))
      else finish(body)
    } catch {
      finish(undefined) // the handler meets the same error, and reports it
    }
  }

  #send(asked: Asked, body: DirectBody, more: { requestId: string | undefined; admission: Admission }): void {
    const { req, res, grant, route, fromMs } = asked
    const { requestIdOf, count, open } = this.#parts
    const { remaining, resetMs } = more.admission
    const headers = [
      'x-request-id',
      requestIdOf(more.requestId),
      'cache-control',
      'no-store',
      'x-content-type-options',
      'nosniff',
      'ratelimit-policy',
      grant.policy,
      'ratelimit',
      `"default";r=${remaining};t=${Math.max(1, Math.ceil(resetMs / 1000))}`,
    ]
    if (body.version !== undefined) headers.push('etag', etagOf(body.version))
    headers.push('content-type', 'application/json; charset=utf-8', 'content-length', String(body.bytes))
    res.writeHead(200, headers)
    // Text without characters above ASCII is the same in both encodings, and is copied faster.
    res.end(body.json, body.bytes === body.json.length ? 'latin1' : 'utf8')
    const done = () => count({ method: 'GET', route: route.url, status: 200 }, (monotonicMs() - fromMs) / 1000)
    if (!res.socket?.writableLength) {
      done()
      return
    }
    // A client that reads slowly: the response ends with its key, as any other.
    const request = { raw: req, grant }
    open.begin(request, { raw: res })
    res.once('close', () => {
      open.end(request)
      done()
    })
  }
}

type Handler = (req: IncomingMessage, res: ServerResponse) => void

const isValid = ({ isActive, isUserDisabled, expiresAtMs }: KeyGrant) =>
  isActive && !isUserDisabled && (expiresAtMs === null || expiresAtMs > nowMs())

/** Undefined: there is no key, or something that Fastify has to look at. Reading `req.headers` would cost 10 µs. */
export function plainHeaders(raw: readonly string[]): { key: string; requestId: string | undefined } | undefined {
  let key: string | undefined
  let requestId: string | undefined
  let hasHost = false
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string
    switch (name.length) {
      case 4:
        if (name.toLowerCase() === 'host') hasHost = true
        break
      case 6:
        if (name.toLowerCase() === 'expect') return undefined
        break
      case 9:
        if (name.toLowerCase() !== 'x-api-key') break
        if (key !== undefined) return undefined
        key = raw[i + 1]
        break
      case 12:
        if (name.toLowerCase() !== 'x-request-id') break
        if (requestId !== undefined) return undefined
        requestId = raw[i + 1]
        break
      case 14:
        if (name.toLowerCase() === 'content-length') return undefined
        break
      case 17:
        if (name.toLowerCase() === 'transfer-encoding') return undefined
        break
    }
  }
  return key === undefined || !hasHost ? undefined : { key, requestId }
}
