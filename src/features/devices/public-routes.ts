// Routes outside /api that need no key: provisioning links of QR codes, and webhooks of remote gateways.
import { notFound } from '../../base/errors/errors.ts'
import { peerNetworkOf } from '../../base/network/peer-network.ts'
import { limits } from '../../base/outside/limits.ts'
import { admit } from '../../http/admission.ts'
import { ERROR_CODE, errorCodeHeader } from '../../http/error-code-header.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'
import type { Routes } from '../../http/server.ts'
import type { HookAnswer, HookRequest } from './driver-port.ts'

export type PublicGatewayParts = {
  limiter: RateLimiter
  /** The phone's configuration on first use; undefined for any other token. */
  configOf(token: string): Promise<string | undefined>
  hook(driver: string, request: HookRequest): Promise<HookAnswer | undefined>
}
/** A rejected webhook learns no more than the status. */
const refusal = (status: number) => (status === 403 ? 'forbidden' : 'request_invalid')

/** Per network and minute: above any legitimate use, too few to guess a token. */
const LINKS_A_MINUTE = 20
const HOOKS_A_MINUTE = 6000

export const publicGatewayRoutes =
  ({ limiter, configOf, hook }: PublicGatewayParts): Routes =>
  (app) => {
    const admitFrom = (what: string, address: string, limit: number) =>
      admit(limiter.of(what), peerNetworkOf(address), limit, 'address_rate_limited')

    const link = { schema: { hide: true }, exposeHeadRoute: false, config: { isPathSecret: true } }
    // HEAD must not use up the link.
    app.head('/provision/:token', link, () => {
      throw notFound('Route')
    })
    app.get('/provision/:token', link, async (req, reply) => {
      await admitFrom('provision', req.ip, LINKS_A_MINUTE)
      const config = await configOf((req.params as { token: string }).token.slice(0, 200))
      // The same response as for a path that does not exist.
      if (config === undefined) throw notFound('Route')
      return reply.type('application/xml; charset=utf-8').send(config)
    })

    // Signatures cover the raw bytes.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_req, body, done) => done(null, body))
    app.route({
      method: ['GET', 'POST'],
      url: '/hooks/:driver',
      bodyLimit: limits.webhookBody.bytes,
      onRequest: (req) => admitFrom('hook', req.ip, HOOKS_A_MINUTE), // before the body is read
      schema: { hide: true },
      async handler(req, reply) {
        const query = Object.entries(req.query as Record<string, unknown>).map(([name, value]) => [name, String(value)])
        const headers = Object.entries(req.headers).map(([name, value]) => [name, value?.toString()])
        const answer = await hook((req.params as { driver: string }).driver, {
          method: req.method === 'POST' ? 'POST' : 'GET',
          query: Object.fromEntries(query),
          headers: Object.fromEntries(headers),
          body: Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0),
        })
        if (!answer || answer.status === 404) throw notFound('Route')
        if (answer.status >= 400)
          reply.header(ERROR_CODE, errorCodeHeader([{ code: refusal(answer.status), params: {} }]))
        return reply
          .code(answer.status)
          .type(answer.type ?? 'text/plain; charset=utf-8')
          .send(answer.body ?? '')
      },
    })
  }
