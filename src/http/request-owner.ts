// Each request is the fault owner of what its handlers start: a fault there is answered with a 500, or closes the
// connection once a response or WebSocket has started.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Actor, actAs } from '../base/actor.ts'
import { currentOwner, type OnFault, runContained, runOwned } from '../base/errors/error-containment.ts'
import { shortAddress } from '../base/network/short-address.ts'
import type { Log } from '../base/process/log.ts'
import { answerFault } from './error-handler.ts'

const isRead = new Set(['GET', 'HEAD', 'OPTIONS'])

declare module 'fastify' {
  interface FastifyRequest {
    onFault: OnFault | null
  }
  interface FastifyContextConfig {
    /** A read that the audit log notes: a recording, an export. */
    isAudited?: boolean
  }
}

/** Call it after the WebSocket plugin is registered: its hook sets `req.ws`. */
export function ownRequests(app: FastifyInstance, log: Log): void {
  app.decorateRequest('onFault', null)
  app.addHook('onRequest', (req, reply, done) => {
    function end(): void {
      if (!reply.sent && !reply.raw.headersSent) answerFault(reply)
      else if (!reply.raw.writableEnded) req.raw.socket.destroy()
    }
    runOwned({ kind: req.ws ? 'socket' : 'request', id: req.id, log, end }, () => {
      req.onFault = currentOwner() ?? null
      done()
    })
  })
  // The body was read in the connection's context: re-enter the request's.
  app.addHook('preValidation', (req, _reply, done) => {
    if (!req.onFault) return done()
    if (!isRead.has(req.method) || (req.route ?? req.routeOptions).config.isAudited)
      actAs(req.onFault, () => actorOf(req))
    runContained(req.onFault, done)
  })
}

/** Undefined outside /api, where nobody is known yet. */
const actorOf = ({ grant, ip }: FastifyRequest): Actor | undefined =>
  grant ? { personId: grant.personId, credentialId: grant.id, address: shortAddress(ip) } : undefined
