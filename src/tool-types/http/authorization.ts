// Request authorization for tools, applied again on every attempt.
import { createHmac } from 'node:crypto'
import { isHeaderName } from '../../base/outside/header-names.ts'
import type { HttpRequest } from '../../base/outside/http-port.ts'
import { nowMs } from '../../base/time/clock.ts'
import type { Json, ToolRecord } from '../ports.ts'
import { googleCredentials, googleTypes, missingForGoogle } from './google-auth.ts'
import type { ClientCredentials, Credentials, TokenSource } from './oauth.ts'

export type Authorization = NonNullable<ToolRecord['authorization']>

export type AuthorizedRequest = {
  request: HttpRequest
  /** Secrets that are not in the tool's record and must also be masked. */
  secrets: readonly string[]
  /** The server refused it: true if a retry may succeed. */
  renew(): Promise<boolean>
}

const types = [
  'none',
  'bearer',
  'basic',
  'api_key',
  'custom_header',
  'oauth2_client_credentials',
  'hmac',
  ...googleTypes,
]

const text = (authorization: Json, ...names: string[]): string => {
  const found = names.map((name) => authorization[name]).find((value) => typeof value === 'string' && value !== '')
  return String(found ?? '')
}
/** Defaults to the first. */
const isOneOf = (value: unknown, ...choices: string[]) =>
  value === undefined || value === null || choices.includes(value as string)
const keyName = (authorization: Json) => text(authorization, 'name', 'headerName', 'header')
const keyValue = (authorization: Json) => text(authorization, 'value', 'key', 'apiKey', 'token')

/** Why it cannot work; null if it can. */
export function authorizationProblem(authorization: Authorization | null): string | null {
  if (authorization === null) return null
  const needs = (isThere: boolean, what: string) =>
    isThere ? null : `authorization ${authorization.type} needs ${what}`
  switch (authorization.type) {
    case 'none':
      return null
    case 'bearer':
      return needs(text(authorization, 'token') !== '', 'token')
    case 'basic':
      // Some servers take a key as the username with an empty password, which must be given explicitly.
      return needs(
        text(authorization, 'username') !== '' && typeof authorization.password === 'string',
        'username and password',
      )
    case 'api_key':
    case 'custom_header': {
      const name = keyName(authorization)
      if (name === '' || keyValue(authorization) === '') return needs(false, 'name and value')
      if (!isOneOf(authorization.in, 'header', 'query')) return needs(false, 'header or query as in')
      return needs(isInQuery(authorization) || isHeaderName(name), 'a name that is one of a header')
    }
    case 'oauth2_client_credentials': {
      const { tokenUrl, clientId, clientSecret } = credentialsOf(authorization)
      if (!isOneOf(authorization.in, 'header', 'body')) return needs(false, 'header or body as in')
      return needs(URL.canParse(tokenUrl) && clientId !== '' && clientSecret !== '', 'tokenUrl, clientId, clientSecret')
    }
    case 'hmac':
      if (!['', 'sha256'].includes(text(authorization, 'algorithm'))) return needs(false, 'the algorithm sha256')
      return needs(text(authorization, 'secret') !== '', 'secret')
    case 'google_service_account':
    case 'google_refresh_token': {
      const missing = missingForGoogle(authorization)
      return needs(missing === null, missing ?? '')
    }
    default:
      return `authorization.type must be one of ${types.join(', ')}`
  }
}

const isInQuery = (authorization: Authorization) => authorization.type === 'api_key' && authorization.in === 'query'

export async function authorized(
  asked: HttpRequest,
  authorization: Authorization | null,
  tokens: TokenSource,
): Promise<AuthorizedRequest> {
  const plain = (request: HttpRequest): AuthorizedRequest => ({ request, secrets: [], renew: async () => false })
  const given = authorization ?? { type: 'none' }
  switch (given.type) {
    case 'bearer':
      return plain(withHeader(asked, 'authorization', `${text(given, 'prefix') || 'Bearer'} ${text(given, 'token')}`))
    case 'basic': {
      const pair = Buffer.from(`${text(given, 'username')}:${text(given, 'password')}`).toString('base64')
      return plain(withHeader(asked, 'authorization', `Basic ${pair}`))
    }
    case 'api_key':
    case 'custom_header': {
      const value = text(given, 'prefix') ? `${text(given, 'prefix')} ${keyValue(given)}` : keyValue(given)
      if (!isInQuery(given)) return plain(withHeader(asked, keyName(given), value))
      return plain({ ...asked, url: withQuery(asked.url, keyName(given), keyValue(given)) })
    }
    case 'oauth2_client_credentials':
      return byToken(asked, credentialsOf(given), tokens)
    case 'google_service_account':
    case 'google_refresh_token':
      return byToken(asked, googleCredentials(given), tokens)
    case 'hmac':
      return plain(signed(asked, given))
    default:
      return plain(asked)
  }
}

async function byToken(asked: HttpRequest, credentials: Credentials, tokens: TokenSource): Promise<AuthorizedRequest> {
  const token = await tokens.token(credentials)
  return {
    request: withHeader(asked, 'authorization', `Bearer ${token}`),
    secrets: [token],
    renew: async () => {
      await tokens.forget(credentials, token)
      return true
    },
  }
}

/** HMAC-SHA256 over `timestamp.body` in hexadecimal; the timestamp, in seconds, is sent in its own header. */
function signed(asked: HttpRequest, given: Authorization): HttpRequest {
  const timestamp = String(Math.floor(nowMs() / 1000))
  const mac = createHmac('sha256', text(given, 'secret'))
    .update(`${timestamp}.`)
    .update(asked.body ?? '')
  const name = text(given, 'headerName', 'header', 'name') || 'X-Signature'
  const dated = withHeader(asked, text(given, 'timestampHeader') || 'X-Timestamp', timestamp)
  return withHeader(dated, name, `${text(given, 'prefix')}${mac.digest('hex')}`)
}

/** Replaces a header of the same name, case-insensitively. */
export function withHeader(asked: HttpRequest, name: string, value: string): HttpRequest {
  const others = Object.entries(asked.headers ?? {}).filter(([other]) => other.toLowerCase() !== name.toLowerCase())
  return { ...asked, headers: { ...Object.fromEntries(others), [name]: value } }
}

/** Percent-encoded, as the masks expect; form encoding (+ for a space) would evade them. */
function withQuery(address: string, name: string, value: string): string {
  const url = new URL(address)
  if (url.searchParams.has(name)) url.searchParams.delete(name)
  return `${url.href}${url.search === '' ? '?' : '&'}${encodeURIComponent(name)}=${encodeURIComponent(value)}`
}

function credentialsOf(given: Authorization): ClientCredentials {
  const scopes = given.scopes
  const scope = Array.isArray(scopes) ? scopes.join(' ') : text(given, 'scope', 'scopes')
  const audience = text(given, 'audience')
  return {
    tokenUrl: text(given, 'tokenUrl'),
    clientId: text(given, 'clientId'),
    clientSecret: text(given, 'clientSecret'),
    ...(scope ? { scope } : {}),
    ...(audience ? { audience } : {}),
    in: given.in === 'body' ? 'body' : 'header',
  }
}
