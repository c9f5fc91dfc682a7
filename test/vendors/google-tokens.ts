// Google's token server: access tokens for a service account's signed assertion, and for a refresh token.
import { generateKeyPairSync, verify } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Asked } from './server.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

export const TOKEN_HOST = 'https://oauth2.googleapis.com'
export const account = {
  clientEmail: 'agenda@project.iam.gserviceaccount.com',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}
export const client = { clientId: 'planted-id.apps', clientSecret: 'planted-client-secret', refreshToken: '1//planted' }

export function googleTokenServer() {
  const live = new Map<string, { scope: string }>()
  let made = 0

  const grant = (response: ServerResponse, scope: string) => {
    const token = `ya29.planted-token-${++made}`
    live.set(token, { scope })
    return json(response, 200, { access_token: token, expires_in: 3599, token_type: 'Bearer', scope })
  }
  const refuse = (response: ServerResponse, error: string, description: string) =>
    json(response, error === 'invalid_client' ? 401 : 400, { error, error_description: description })

  return {
    made: () => made,
    /** Revokes all tokens issued so far. */
    revoke: () => live.clear(),
    scopeOf: ({ headers }: Asked): string | null =>
      live.get(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '')?.scope ?? null,

    /** `origin`: an audience that assertions to this server may name in addition to Google's own. */
    answer({ body }: Asked, response: ServerResponse, origin: string): true {
      const form = new URLSearchParams(body)
      const type = form.get('grant_type')
      if (type === 'refresh_token') {
        if (form.get('client_secret') !== client.clientSecret || form.get('client_id') !== client.clientId)
          return refuse(response, 'invalid_client', `The OAuth client was not found: ${form.get('client_secret')}`)
        if (form.get('refresh_token') !== client.refreshToken)
          return refuse(response, 'invalid_grant', `Token has been expired or revoked: ${form.get('refresh_token')}`)
        return grant(response, 'https://www.googleapis.com/auth/calendar')
      }
      if (type !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
        return refuse(response, 'unsupported_grant_type', 'Invalid grant_type')
      const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
      const isSigned = verify(
        'sha256',
        Buffer.from(`${head}.${claims}`),
        publicKey,
        Buffer.from(signature, 'base64url'),
      )
      if (!isSigned) return refuse(response, 'invalid_grant', 'Invalid JWT Signature.')
      const { alg } = parsed(head)
      const { iss, aud, iat, exp, scope } = parsed(claims)
      const nowS = Date.now() / 1000
      if (alg !== 'RS256' || iss !== account.clientEmail) return refuse(response, 'invalid_grant', 'account not found')
      if (aud !== `${TOKEN_HOST}/token` && aud !== `${origin}/token`)
        return refuse(response, 'invalid_grant', `Invalid JWT: bad audience ${aud}`)
      const isInTime = Number(iat) < nowS + 300 && Number(exp) > nowS && Number(exp) - Number(iat) <= 3600
      if (!isInTime) return refuse(response, 'invalid_grant', 'Invalid JWT: must be short-lived')
      if (typeof scope !== 'string' || scope === '') return refuse(response, 'invalid_scope', 'Empty scope')
      return grant(response, scope)
    },
  }
}

function json(response: ServerResponse, status: number, value: object): true {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value))
  return true
}

const parsed = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
