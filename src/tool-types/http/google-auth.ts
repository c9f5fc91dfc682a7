// Token requests for Google APIs: service accounts (RFC 7523) and refresh tokens (RFC 6749, 6). oauth.ts caches and
// renews the tokens.
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { nowMs } from '../../base/time/clock.ts'
import type { Json, ToolRecord } from '../ports.ts'

const TOKEN_URL = 'https://oauth2.googleapis.com/token'
const LIFE_S = 3600

export const googleTypes: readonly string[] = ['google_service_account', 'google_refresh_token']

export type GoogleCredentials = { type: string; tokenUrl: string } & Readonly<Record<string, string>>

const needed: Readonly<Record<string, readonly string[]>> = {
  google_service_account: ['clientEmail', 'privateKey'],
  google_refresh_token: ['clientId', 'clientSecret', 'refreshToken'],
}
const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** The missing field; null if none is missing. */
export function missingForGoogle(authorization: { type: string } & Json): string | null {
  const names = needed[authorization.type] ?? []
  if (names.some((name) => text(authorization[name]) === '')) return names.join(', ')
  if (!URL.canParse(text(authorization.tokenUrl) || TOKEN_URL)) return 'a tokenUrl that is a URL'
  const isKey = authorization.type !== 'google_service_account' || keyOf(text(authorization.privateKey)) !== null
  return isKey ? null : 'a privateKey that is an RSA key in PEM'
}

export function googleCredentials(authorization: { type: string } & Json): GoogleCredentials {
  const names = [...(needed[authorization.type] ?? []), 'scope', 'subject']
  const given = names.map((name) => [name, text(authorization[name])])
  return { ...Object.fromEntries(given), type: authorization.type, tokenUrl: text(authorization.tokenUrl) || TOKEN_URL }
}

/** The tool with this scope, unless its owner set another. */
export function scopedTo(tool: ToolRecord, scope: string): ToolRecord {
  if (!tool.authorization || !googleTypes.includes(tool.authorization.type)) return tool
  return { ...tool, authorization: { ...tool.authorization, scope: text(tool.authorization.scope) || scope } }
}

/** The form for the token server. */
export function googleForm(credentials: GoogleCredentials): URLSearchParams {
  if (credentials.type === 'google_refresh_token')
    return new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: credentials.clientId ?? '',
      client_secret: credentials.clientSecret ?? '',
      refresh_token: credentials.refreshToken ?? '',
    })
  const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  return new URLSearchParams({ grant_type: grant, assertion: assertionOf(credentials) })
}

function assertionOf({ clientEmail, privateKey = '', tokenUrl, scope, subject }: GoogleCredentials): string {
  const issued = Math.floor(nowMs() / 1000)
  const claims = {
    iss: clientEmail,
    scope,
    aud: tokenUrl,
    iat: issued,
    exp: issued + LIFE_S,
    ...(subject ? { sub: subject } : {}),
  }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`
  const key = keyOf(privateKey)
  if (!key) return signed // validated before; the server refuses it
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}

/** Copied from a JSON file, it may still contain \n escapes. */
function keyOf(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem.replaceAll('\\n', '\n'))
    return key.asymmetricKeyType === 'rsa' ? key : null
  } catch {
    return null
  }
}
