// Idempotency-Key on POST: the first response is stored for a day and replayed; the request is not executed twice. A
// response may contain a secret (a new API key), so each is encrypted under the caller's own key, which the server does
// not store.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest, onSendHookHandler, preHandlerHookHandler } from 'fastify'
import { openWith, sealWith } from '../base/crypto/secrets.ts'
import { type AppError, appError } from '../base/errors/errors.ts'
import { secretOf } from './auth.ts'
import { ERROR_CODE, errorCodeHeader } from './error-code-header.ts'

export type IdempotencyEntry = { keyId: string; idempotencyKey: string }
/** An entry held by this request. */
export type HeldEntry = IdempotencyEntry & { holder: string }

export type Begun =
  | { state: 'new'; holder: string }
  | { state: 'running'; freeInMs: number }
  | { state: 'mismatch' }
  /** The request was executed, but its process died before storing the response. */
  | { state: 'lost' }
  | { state: 'done'; statusCode: number; answerSealed: string }

export interface IdempotencyStore {
  begin(entry: IdempotencyEntry, fingerprint: string): Promise<Begun>
  /** Runs the request under its entry, which is marked by the request's write. */
  run(entry: HeldEntry, request: () => void): void
  finish(entry: HeldEntry, statusCode: number, answerSealed: string): Promise<void>
  /** Nothing was done: the next attempt starts over. */
  abandon(entry: HeldEntry): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    idempotency: HeldEntry | null
  }
}

const notDone = new Set([429, 503]) // these responses promise that the request may be retried
const CONTEXT = 'idempotent answer'
/** Characters of a stored response; for a larger one, only its existence is stored. */
const MAX_KEPT = 262_144
/** Precedes the body of a stored error: its code. A body is JSON and never starts like this. */
const CODE_LINE = `${ERROR_CODE}: `

function tooLarge(): string {
  const { status: statusCode, message, problems } = appError('idempotency_answer_too_large')
  const body = JSON.stringify({ statusCode, error: 'Conflict', message })
  return `${CODE_LINE}${errorCodeHeader(problems)}\n${body}`
}

/** What is stored of a response: its body, and its error code if it has one. */
const storedAnswer = (code: unknown, body: string) => (typeof code === 'string' ? `${CODE_LINE}${code}\n${body}` : body)

function readAnswer(stored: string): { code: string | undefined; body: string } {
  if (!stored.startsWith(CODE_LINE)) return { code: undefined, body: stored }
  const end = stored.indexOf('\n')
  return { code: stored.slice(CODE_LINE.length, end), body: stored.slice(end + 1) }
}

/** Added only to POST routes, so that other requests pay nothing for it. */
export function honorIdempotencyKeys(api: FastifyInstance, store: IdempotencyStore): void {
  api.decorateRequest('idempotency', null)

  const begin: preHandlerHookHandler = (req, reply, done) => {
    const given = req.headers['idempotency-key']
    if (given === undefined || !req.grant || !secretOf(req)) return done()
    if (typeof given !== 'string' || given === '' || given.length > 255) return done(appError('idempotency_key_length'))
    const entry = {
      keyId: req.grant.id,
      idempotencyKey: digest(req.grant.csrfToken === undefined ? given : `${req.userId} ${given}`),
    }
    store.begin(entry, fingerprintOf(req)).then((begun) => {
      switch (begun.state) {
        case 'new':
          req.idempotency = { ...entry, holder: begun.holder }
          return store.run(req.idempotency, done)
        case 'running':
          return done(inProgress(begun.freeInMs))
        case 'mismatch':
          return done(appError('idempotency_key_reused'))
        case 'lost':
          return done(appError('idempotency_answer_lost'))
        case 'done': {
          const { code, body } = readAnswer(openWith(secretOf(req), begun.answerSealed, CONTEXT))
          if (code !== undefined) reply.header(ERROR_CODE, code)
          reply
            .code(begun.statusCode)
            .header('idempotency-replayed', 'true')
            .type('application/json; charset=utf-8')
            .send(body)
        }
      }
    }, done)
  }

  const finish: onSendHookHandler<unknown> = (req, reply, payload, done) => {
    const entry = req.idempotency
    if (!entry) return done(null, payload)
    req.idempotency = null
    const kept =
      typeof payload !== 'string' || notDone.has(reply.statusCode)
        ? store.abandon(entry)
        : payload.length > MAX_KEPT
          ? store.finish(entry, 409, sealWith(secretOf(req), tooLarge(), CONTEXT))
          : store.finish(
              entry,
              reply.statusCode,
              sealWith(secretOf(req), storedAnswer(reply.getHeader(ERROR_CODE), payload), CONTEXT),
            )
    kept.then(() => done(null, payload), done)
  }

  api.addHook('onRoute', (route) => {
    if (route.method !== 'POST') return
    route.preHandler = [begin, ...[route.preHandler ?? []].flat()]
    route.onSend = [...[route.onSend ?? []].flat(), finish]
  })
}

/** The first request is still running, or its process died: either way, the client should retry after that time. */
function inProgress(freeInMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(freeInMs / 1000))
  return appError('idempotency_in_progress', { seconds }, { headers: { 'retry-after': String(seconds) } })
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

const fingerprintOf = (req: FastifyRequest) => digest(JSON.stringify([req.method, req.url, req.body ?? null]))
