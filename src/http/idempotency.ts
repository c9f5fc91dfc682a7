// Idempotency-Key on POST: the first answer is kept for a day and given again; the work is not done twice.
// Answers may hold a secret (a new API key), so each is sealed under the caller's own key, which we do not have.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors.ts'
import { openWith, sealWith } from '../base/secrets.ts'
import { secretOf } from './auth.ts'

export type IdempotencyEntry = { keyId: string; idempotencyKey: string }

export type Begun =
  | { state: 'new' }
  | { state: 'running' }
  | { state: 'mismatch' }
  | { state: 'done'; statusCode: number; answerSealed: string }

export interface IdempotencyStore {
  begin(entry: IdempotencyEntry, fingerprint: string): Promise<Begun>
  finish(entry: IdempotencyEntry, statusCode: number, answerSealed: string): Promise<void>
  /** Nothing was done: the next try starts afresh. */
  abandon(entry: IdempotencyEntry): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    idempotency: IdempotencyEntry | null
  }
}

const notDone = new Set([429, 503]) // answers that promise that the same request may be sent again
const CONTEXT = 'idempotent answer'

export function honourIdempotencyKeys(api: FastifyInstance, store: IdempotencyStore): void {
  api.decorateRequest('idempotency', null)

  // Callbacks, so that the many requests without the header do not pay for a promise.
  api.addHook('preHandler', (req, reply, done) => {
    const given = req.method === 'POST' ? req.headers['idempotency-key'] : undefined
    if (given === undefined || !req.grant || req.is404 || !secretOf(req)) return done()
    if (typeof given !== 'string' || given === '' || given.length > 255)
      return done(new AppError('invalid', 'Idempotency-Key must have 1 to 255 characters'))
    const entry = { keyId: req.grant.id, idempotencyKey: digest(given) }
    store.begin(entry, fingerprintOf(req)).then((begun) => {
      switch (begun.state) {
        case 'new':
          req.idempotency = entry
          return done()
        case 'running':
          return done(new AppError('conflict', 'A request with this Idempotency-Key is still at work'))
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
  })

  api.addHook('onSend', (req, reply, payload, done) => {
    const entry = req.idempotency
    if (!entry) return done(null, payload)
    req.idempotency = null
    const kept =
      typeof payload !== 'string' || notDone.has(reply.statusCode)
        ? store.abandon(entry)
        : store.finish(entry, reply.statusCode, sealWith(secretOf(req), payload, CONTEXT))
    kept.then(() => done(null, payload), done)
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

const fingerprintOf = (req: FastifyRequest) => digest(JSON.stringify([req.method, req.url, req.body ?? null]))
