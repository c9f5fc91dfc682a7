// The HTTP server: limits, errors, keys, route registration. It knows no resources; app.ts mounts them.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import websocket from '@fastify/websocket'
import type { FastifyBaseLogger } from 'fastify'
import fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyRequest,
  type RawServerDefault,
} from 'fastify'
import { type AppError, appError, notFound } from '../base/errors/errors.ts'
import { validationError } from '../base/errors/validation-error.ts'
import type { Log } from '../base/process/log.ts'
import type { HttpConfig } from '../config/config.ts'
import { type AuthParts, authenticator } from './auth.ts'
import { BODY_LIMIT, checkMediaType, parseJson } from './body.ts'
import { openFrame } from './docs-layout/frame.ts'
import { answerClientError, errorHandler } from './error-handler.ts'
import { addGuides } from './guides/routes.ts'
import { honorIdempotencyKeys, type IdempotencyStore } from './idempotency.ts'
import { KnownPaths } from './known-paths.ts'
import { lingeringClose } from './lingering-close.ts'
import { createMetrics, type Gauge, type LabeledMetric } from './metrics.ts'
import type { Page } from './page.ts'
import { permissionFor } from './permissions.ts'
import { receivedFiles } from './received-files.ts'
import { describeApi } from './reference/openapi.ts'
import { addReference } from './reference/routes.ts'
import { ownRequests } from './request-owner.ts'
import { isLocal } from './same-origin.ts'
import { errorAnswers } from './schema.ts'
import { scopeOf } from './scopes.ts'
import { serializerOf } from './serializer.ts'
import type { OpenAnswers } from './stream-revocation.ts'
import { refuseFieldsOf, validatorCompiler } from './validation.ts'
import { sendVersions } from './versions.ts'

export type Api = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>
/** The routes of one resource; paths are complete, without /api. */
export type Routes = (api: Api) => void

export type ServerParts = Omit<AuthParts, 'isKnownPath'> & {
  log: Log
  version: string
  idempotency: IdempotencyStore
  translate: (error: unknown) => AppError | undefined
  /** Tracks open responses, to close them when their key or session ends. */
  open: Pick<OpenAnswers, 'watch' | 'begin'>
  /** Rejects while the service is not ready; may return details. */
  ready: () => Promise<object>
  gauges?: readonly Gauge[]
  metrics?: readonly LabeledMetric[]
  /** The dashboard; null if disabled. */
  page: Page | null
  /** The folder where files are received. */
  uploadFolder: string
}

/** For WebSockets: over a second of audio. */
const MAX_SOCKET_MESSAGE = 262_144

/** Bytes of JSON. */
const LARGE_BODY = 65_536

const isRead = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Passed as an option instead of setValidatorCompiler, so that Fastify does not load its own compilers. */
const serializerCompiler = ({ schema }: { schema: object }) => serializerOf(schema)
const compilersFactory: object = { buildValidator: () => validatorCompiler, buildSerializer: () => serializerCompiler }

/** Node would answer a request without Host by itself, and not in JSON. */
const limits = { maxHeaderSize: 16_384, headersTimeout: 20_000, requireHostHeader: false }

declare module 'fastify' {
  interface FastifyRequest {
    /** Caches `routeOptions`, which Fastify rebuilds on each access. */
    route: FastifyRequest['routeOptions'] | null
  }
  interface FastifyContextConfig {
    /** The path contains a secret and must not be logged. */
    isPathSecret?: boolean
  }
}

/** `outside`: routes outside /api, which need no key. */
export async function createServer(
  config: HttpConfig,
  parts: ServerParts,
  routes: Routes[],
  outside: Routes[] = [],
): Promise<FastifyInstance> {
  const known = new KnownPaths()
  const requestIdOf = requestIds()
  const metrics = createMetrics(() => parts.limiter.trouble(), parts.gauges, parts.metrics)
  const options: FastifyHttpOptions<RawServerDefault> = {
    ...listenerOptions(config),
    trustProxy: trustedProxies(config.trustProxy),
    bodyLimit: BODY_LIMIT,
    requestTimeout: 30_000,
    connectionTimeout: 120_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
    genReqId: (req: IncomingMessage) => requestIdOf(req.headers['x-request-id']),
    rewriteUrl: (req: IncomingMessage) => wellFormedUrl(req.url ?? '/'),
    clientErrorHandler: answerClientError,
    schemaErrorFormatter: validationError,
    schemaController: { compilersFactory },
  }
  const app: FastifyInstance = fastify(options)

  const { linger, end: endLingering } = lingeringClose()
  app.setErrorHandler(errorHandler({ log: parts.log, translate: parts.translate, linger }))
  app.addHook('preClose', async () => endLingering())
  app.removeAllContentTypeParsers()
  for (const type of ['application/json', '*']) app.addContentTypeParser(type, { parseAs: 'buffer' }, readJson)
  app.decorate('receiveFile', await receivedFiles(parts.uploadFolder))
  app
    .decorateRequest('userId', '')
    .decorateRequest('personId', '')
    .decorateRequest('grant', null)
    .decorateRequest('route', null)
  addRequestHooks(app, parts.log, metrics)
  app.addHook('onRoute', (route) => known.add(route.url, route.method))
  app.setNotFoundHandler((req, reply) => (parts.page?.answer(req, reply) ? reply : wrongPath(req, reply, known)))

  // A route with `websocket: true` runs the same hooks as any other before its socket opens.
  await app.register(websocket, { options: { maxPayload: MAX_SOCKET_MESSAGE } })
  ownRequests(app, parts.log)
  parts.open.watch(app)
  describeApi(app, parts.version)
  const frame = openFrame(parts.page)
  frame.addFiles(app)
  addReference(app, frame, config.tls !== null)
  addGuides(app, { frame, isTls: config.tls !== null })
  const authenticate = authenticator({ ...parts, isKnownPath: (url) => known.methodsOf(url).length > 0 })

  await app.register(async (api) => addApi(api, parts, known, authenticate, routes), { prefix: '/api' })
  for (const add of outside) await app.register(async (open) => add(open.withTypeProvider<TypeBoxTypeProvider>()))

  parts.page?.addFiles(app)

  addHealth(app, parts)
  app.get(
    '/metrics',
    {
      ...hidden,
      config: { scope: 'admin' as const },
      onRequest: (req, reply, done) => (isLocal(req) ? done() : authenticate(req, reply, done)),
    },
    async (_req, reply) => {
      const registry = await metrics.registry()
      return reply.type(registry.contentType).send(await registry.metrics())
    },
  )
  app.get('/openapi.json', hidden, () => app.swagger())
  dropSilentAtEnd(app, config.tls !== null)
  await app.ready()
  app.server.on('checkExpectation', (req, res) => app.server.emit('request', req, res)) // Node's own 417 is not JSON
  return app
}

/** Typed as a plain object: Fastify's TLS instance has another type, though only its `server` differs. */
const listenerOptions = ({ tls }: HttpConfig): object =>
  tls ? { https: { ...limits, cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) } } : { http: limits }

/** Adds the headers of every response, the metrics, and the log line. */
function addRequestHooks(app: FastifyInstance, log: Log, metrics: ReturnType<typeof createMetrics>): void {
  app.addHook('onRequest', (req, reply, done) => {
    req.route = req.routeOptions
    reply.header('x-request-id', req.id).header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
    const isHostless = req.headers.host === undefined && req.raw.httpVersion === '1.1'
    done(isHostless ? appError('host_missing') : undefined)
  })
  app.addHook('onResponse', (req, reply, done) => {
    const { statusCode: status, elapsedTime } = reply
    metrics.countRequest(req, status, elapsedTime)
    // Changes and failures at `info`; the many reads at `debug`: a log line costs 15 µs of a request's 80.
    const isError = status >= 500 && status !== 503 // a 503 is an intended refusal; its cause is logged separately
    const level = isError ? 'error' : status >= 400 || !isRead.has(req.method) ? 'info' : 'debug'
    if (log.isLevelEnabled(level)) {
      const ms = Math.round(elapsedTime)
      log[level]({ reqId: req.id, method: req.method, path: pathOf(req), status, ms, keyId: req.grant?.id }, 'answered')
    }
    done()
  })
}

/** Everything below /api: authenticated, with a scope per route, idempotency keys and versions. */
function addApi(
  api: FastifyInstance,
  parts: ServerParts,
  known: KnownPaths,
  authenticate: ReturnType<typeof authenticator>,
  routes: readonly Routes[],
): void {
  api.addHook('onRoute', (route) => {
    const { url } = route
    const methods = typeof route.method === 'string' ? [route.method] : route.method
    const permission = permissionFor(methods[0] as string, url)
    const isOrganizationInPath = url.startsWith('/api/organizations/:id')
    route.config = { ...route.config, scope: scopeOf(url), permission, isOrganizationInPath }
    route.schema = { ...route.schema, response: { ...(route.schema?.response as object), ...errorAnswers } }
  })
  api.addHook('onRequest', (req, reply, done) =>
    authenticate(req, reply, (error?: Error) => {
      if (error) return done(error)
      parts.open.begin(req, reply)
      dropImpossibleIds(req)
      if (!req.is404) return done()
      // Done here rather than in the handler, because a wrong path must be reported before a bad body.
      try {
        wrongPath(req, reply, known)
      } catch (refusal) {
        done(refusal as Error)
      }
    }),
  )
  api.addHook('preValidation', (req, _reply, done) => {
    dropNul(req.query as Record<string, unknown>)
    const { schema, url = '' } = req.route ?? req.routeOptions
    if (schema?.body)
      req.body = req.body === undefined ? {} : req.body // a missing body counts as one without fields
    else refuseFieldsOf({ method: req.method, url, body: req.body })
    done()
  })
  honorIdempotencyKeys(api, parts.idempotency)
  sendVersions(api)
  api.setNotFoundHandler((req, reply) => wrongPath(req, reply, known))
  for (const add of routes) add(api.withTypeProvider<TypeBoxTypeProvider>())
}

function readJson(
  req: FastifyRequest,
  body: string | Buffer,
  done: (error: Error | null, value?: unknown) => void,
): void {
  try {
    if (body.length > 0) checkMediaType(req.headers, req.routeOptions.config.uploads)
    const value = parseJson(body as Buffer)
    // A large body is parsed and handled in separate ticks of the event loop, so that calls and other requests run in
    // between.
    if (body.length < LARGE_BODY) done(null, value)
    else setImmediate(done, null, value)
  } catch (error) {
    done(error as Error)
  }
}

const hidden = { schema: { hide: true } }

function addHealth(app: FastifyInstance, { ready, limiter }: Pick<ServerParts, 'ready' | 'limiter'>): void {
  app.get('/healthz', hidden, () => ({ status: 'ok' }))
  app.get('/readyz', hidden, async () => {
    const more = await ready()
    const trouble = limiter.trouble()
    return { status: 'ready', ...(trouble === null ? {} : { degraded: [trouble] }), ...more }
  })
}

/** Browsers open connections in advance: one without a request yet must not delay shutdown. */
function dropSilentAtEnd(app: FastifyInstance, isTls: boolean): void {
  const silent = new Set<Socket>()
  app.server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  for (const asks of ['request', 'upgrade']) app.server.on(asks, ({ socket }) => silent.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy()
  })
}

/** The number of trusted hops, counted from us; anything before them in X-Forwarded-For is text from the client. */
const trustedProxies = (given: HttpConfig['trustProxy']) =>
  typeof given === 'number' ? (_address: string, hop: number) => hop < given : given

function wrongPath(
  req: FastifyRequest,
  reply: { code(n: number): { header(k: string, v: string): { send(): unknown } } },
  known: KnownPaths,
) {
  const methods = known.methodsOf(req.url)
  if (methods.length === 0) throw notFound('Route')
  const allow = methods.join(', ')
  if (req.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
  throw appError('method_not_allowed', { methods: allow }, { headers: { allow } })
}

/** Keeps the caller's own id if well-formed, so that a request can be traced across several systems. */
function requestIds() {
  const node = randomBytes(6).toString('base64url')
  let count = 0
  return (given: string | string[] | undefined): string => {
    return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : `${node}-${(++count).toString(36)}`
  }
}

/** A path with invalid percent-encoding is taken literally: it matches nothing and is a 404 like any other. */
function wellFormedUrl(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (!path.includes('%')) return url
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + (end === -1 ? '' : url.slice(end))
  }
}

const pathOf = (req: FastifyRequest) =>
  req.routeOptions.config.isPathSecret ? req.routeOptions.url : req.url.split('?', 1)[0]?.slice(0, 200)

/** PostgreSQL accepts no NUL in text. With the replacement character, the value simply matches nothing. */
function dropNul(query: Record<string, unknown>): void {
  for (const name in query) {
    const value = query[name]
    if (typeof value === 'string' && value.includes('\0')) query[name] = value.replaceAll('\0', '\ufffd')
  }
}

/** No row has such an id, and PostgreSQL would reject the query. */
function dropImpossibleIds(req: FastifyRequest): void {
  const params = req.params as Record<string, string> | undefined
  for (const name in params) {
    const id = params[name] ?? ''
    if (id.length > 510 || id.includes('\0') || !id.isWellFormed()) params[name] = '-'
  }
}
