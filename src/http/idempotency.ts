// Idempotency-Key on POST: the first response is stored for a day and replayed; the request is not executed twice.
// A response may contain a secret (a new API key), so each is encrypted under the caller's own key, which the server does not store.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest, onSendHookHandler, preHandlerHookHandler } from 'fastify'
import { AppError } from '../base/errors.ts'
import { openWith, sealWith } from '../base/secrets.ts'
import { secretOf } from './auth.ts'

export type IdempotencyEntry = { keyId: string; idempotencyKey: string }
/** An entry that this request holds. */
export type HeldEntry = IdempotencyEntry & { holder: string }

export type Begun =
  | { state: 'new'; holder: string }
  | { state: 'running'; freeInMs: number }
  | { state: 'mismatch' }
  | { state: 'done'; statusCode: number; answerSealed: string }

export interface IdempotencyStore {
  begin(entry: IdempotencyEntry, fingerprint: string): Promise<Begun>
  finish(entry: HeldEntry, statusCode: number, answerSealed: string): Promise<void>
  /** Nothing was done: the next attempt starts afresh. */
  abandon(entry: HeldEntry): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    idempotency: HeldEntry | null
  }
}

const notDone = new Set([429, 503]) // these responses promise that the request may be retried
const CONTEXT = 'idempotent answer'
/** Characters of a stored response; for a larger one, only the fact that it existed. */
const MAX_KEPT = 262_144
const tooLarge = JSON.stringify({
  statusCode: 409,
  error: 'Conflict',
  message: 'This request was done before; its answer was too large to be kept',
})

/** Added to POST routes only, so that other requests pay nothing for it. */
export function honourIdempotencyKeys(api: FastifyInstance, store: IdempotencyStore): void {
  api.decorateRequest('idempotency', null)

  const begin: preHandlerHookHandler = (req, reply, done) => {
    const given = req.headers['idempotency-key']
    if (given === undefined || !req.grant || !secretOf(req)) return done()
    if (typeof given !== 'string' || given === '' || given.length > 255)
      return done(new AppError('invalid', 'Idempotency-Key must have 1 to 255 characters'))
    const entry = { keyId: req.grant.id, idempotencyKey: digest(given) }
    store.begin(entry, fingerprintOf(req)).then((begun) => {
      switch (begun.state) {
        case 'new':
          req.idempotency = { ...entry, holder: begun.holder }
          return done()
        case 'running':
          return done(inProgress(begun.freeInMs))
        case 'mismatch':
          return done(new AppError('mismatch', 'This Idempotency-Key was used for another request'))
        case 'done':
          reply
            .code(begun.statusCode)
            .header('idempotency-replayed', 'true')
            .type('application/json; charset=utf-8')
            .send(openWith(secretOf(req), begun.answerSealed, CONTEXT))
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
          ? store.finish(entry, 409, sealWith(secretOf(req), tooLarge, CONTEXT))
          : store.finish(entry, reply.statusCode, sealWith(secretOf(req), payload, CONTEXT))
    kept.then(() => done(null, payload), done)
  }

  api.addHook('onRoute', (route) => {
    if (route.method !== 'POST') return
    route.preHandler = [begin, ...[route.preHandler ?? []].flat()]
    route.onSend = [...[route.onSend ?? []].flat(), finish]
  })
}

/** The first request is still running, or its process died: either way the client should retry after that time. */
function inProgress(freeInMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(freeInMs / 1000))
  const message = `A request with this Idempotency-Key is in progress or was cut off: send it again in ${seconds} s`
  return new AppError('conflict', message, { headers: { 'retry-after': String(seconds) } })
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

const fingerprintOf = (req: FastifyRequest) => digest(JSON.stringify([req.method, req.url, req.body ?? null]))
