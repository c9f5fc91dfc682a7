// Routes where browsers open web calls from any site: outside /api, because they have only a token, which is never part
// of a URL.
import type { FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { AppError, appError } from '../../base/errors/errors.ts'
import { peerNetworkOf } from '../../base/network/peer-network.ts'
import { limits } from '../../base/outside/limits.ts'
import { admit } from '../../http/admission.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'
import type { Routes } from '../../http/server.ts'
import { Offer } from './schema.ts'

export const SOCKET_PATH = '/web-calls/audio'
export const WEBRTC_PATH = '/web-calls/webrtc'

/** `origin`: the site whose page sent the token, according to its browser. */
type TokenRequest = { token: string; origin: string | undefined }

export type OutsideParts = {
  limiter: RateLimiter
  subprotocol: string
  /** An additional subprotocol for resuming a call. */
  resumeProtocol: string
  /** The WebSocket close code for a refusal with this status. */
  closeCode: (status: number) => number
  openSocket: (request: TokenRequest, socket: WebSocket) => Promise<void>
  /** Resumes the call on this socket. */
  takeUp: (request: TokenRequest, socket: WebSocket) => Promise<void>
  answerOffer: (request: TokenRequest, sdp: string, peerAddress: string) => Promise<string>
  /** Resumes the call on a new ICE path. */
  restart: (request: TokenRequest, sdp: string, peerAddress: string) => Promise<string>
  /** Maps a database error to an API error. */
  translate: (error: unknown) => AppError | undefined
  failed: (error: unknown) => void
}

/** Per network and minute; a large office shares one address. */
const OPENED_A_MINUTE = 300
/** RFC 6455 section 5.5.1: 125 bytes including the code. */
const MAX_REASON = 123

export const outsideWebCallRoutes =
  (parts: OutsideParts): Routes =>
  (app) => {
    const { limiter, subprotocol, closeCode, failed } = parts
    const windows = limiter.of('web-call')
    const admitFrom = (address: string) =>
      admit(windows, peerNetworkOf(address), OPENED_A_MINUTE, 'web_call_rate_limited')

    app.get(SOCKET_PATH, { websocket: true, schema: { hide: true } }, (socket, req) => {
      socket.on('error', () => {}) // a close event follows and is handled there
      socket.pause() // until a listener is attached
      const [name, token = '', wish] = (req.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim())
      const open = async () => {
        if (name !== subprotocol) throw appError('web_call_subprotocol', { protocol: subprotocol })
        await admitFrom(req.ip)
        const request = { token, origin: req.headers.origin }
        if (wish === parts.resumeProtocol) await parts.takeUp(request, socket)
        else await parts.openSocket(request, socket)
      }
      open().catch((error: unknown) => {
        socket.resume()
        const refusal = error instanceof AppError ? error : parts.translate(error)
        if (refusal) return socket.close(closeCode(refusal.status), refusal.message.slice(0, MAX_REASON))
        failed(error)
        socket.close(1011, 'Internal error')
      })
    })

    // Any site may call this: the token determines what it may do, and no cookie is sent or read.
    app.addHook('onRequest', (_req, reply, done) => {
      reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'x-error-code')
      done()
    })
    app.options(WEBRTC_PATH, { schema: { hide: true } }, (_req, reply) =>
      reply
        .code(204)
        .header('access-control-allow-methods', 'POST')
        .header('access-control-allow-headers', 'authorization, content-type')
        .header('access-control-max-age', '86400')
        .send(),
    )
    const offer = {
      bodyLimit: limits.offerBody.bytes,
      onRequest: (req: FastifyRequest) => admitFrom(req.ip), // before the body is read
      schema: { hide: true, body: Offer },
    }
    app.post(WEBRTC_PATH, offer, async (req) => {
      const token = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1]
      if (!token) throw appError('web_call_token_missing')
      const { sdp, isRestart } = req.body
      const request = { token, origin: req.headers.origin }
      return { sdp: await (isRestart ? parts.restart : parts.answerOffer)(request, sdp, req.ip) }
    })
  }
