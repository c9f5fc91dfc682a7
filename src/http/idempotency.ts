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

  api.addHook('preHandler', async (req, reply) => {
    const given = req.method === 'POST' ? req.headers['idempotency-key'] : undefined
    if (given === undefined || !req.grant || req.is404) return
    if (typeof given !== 'string' || given === '' || given.length > 255)
      throw new AppError('invalid', 'Idempotency-Key must have 1 to 255 characters')
    const entry = { keyId: req.grant.id, idempotencyKey: digest(given) }
    const begun = await store.begin(entry, fingerprintOf(req))
    switch (begun.state) {
      case 'new':
        req.idempotency = entry
        return
      case 'running':
        throw new AppError('conflict', 'A request with this Idempotency-Key is still at work')
      case 'mismatch':
        throw new AppError('mismatch', 'This Idempotency-Key was used for another request')
      case 'done':
        return reply
          .code(begun.statusCode)
          .header('idempotency-replayed', 'true')
          .type('application/json; charset=utf-8')
          .send(openWith(secretOf(req), begun.answerSealed, CONTEXT))
    }
  })

  api.addHook('onSend', async (req, reply, payload) => {
    const entry = req.idempotency
    if (!entry) return payload
    req.idempotency = null
    if (typeof payload !== 'string' || notDone.has(reply.statusCode)) await store.abandon(entry)
    else await store.finish(entry, reply.statusCode, sealWith(secretOf(req), payload, CONTEXT))
    return payload
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

const fingerprintOf = (req: FastifyRequest) => digest(JSON.stringify([req.method, req.url, req.body ?? null]))
