// /api/web-calls: issues a token with which a browser opens one call with an agent.
import { requireScope } from '../../http/scopes.ts'
import type { Routes } from '../../http/server.ts'
import { NewWebCall, WebCall } from './schema.ts'

export type WebCallParts = {
  /** `keyId`: the key or session requesting the token. */
  order: (userId: string, keyId: string, asked: NewWebCall) => Promise<WebCall>
}

export const webCallRoutes =
  ({ order }: WebCallParts): Routes =>
  (api) => {
    api.post(
      '/web-calls',
      {
        schema: {
          summary: 'Create a token for one browser call',
          body: NewWebCall,
          response: { 201: WebCall },
        },
      },
      async (req, reply) => {
        // A key that may not change the agent may not run it with another prompt, model or voice either.
        if (req.body.draft) requireScope(req.grant?.scopes ?? null, 'agents')
        return reply.code(201).send(await order(req.userId, req.grant?.id ?? '', req.body))
      },
    )
  }
