// OAuth 2 client credentials (RFC 6749, 4.4): callers share one token request, cached until shortly before it expires.
import { createHash } from 'node:crypto'
import { LruCache } from '../../base/lru-cache.ts'
import { HttpError } from '../../base/outside/http-error.ts'
import type { GuardedHttp } from '../../base/outside/http-port.ts'
import { fieldsOutside } from '../../base/outside/json.ts'
import { limits } from '../../base/outside/limits.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import { type GoogleCredentials, googleForm } from './google-auth.ts'

export type ClientCredentials = {
  tokenUrl: string
  clientId: string
  clientSecret: string
  scope?: string
  audience?: string
  /** Position of id and secret: in the Authorization header, or in the form. */
  in: 'header' | 'body'
}

export type Credentials = ClientCredentials | GoogleCredentials

const MAX_TOKENS = 1000
const RENEW_EARLY_MS = 30_000
/** If the server states no lifetime. */
const DEFAULT_LIFE_S = 300
const TIMEOUT_MS = 10_000

export type TokenSource = ReturnType<typeof tokenSource>

export function tokenSource(http: GuardedHttp, now: () => number = monotonicMs) {
  const tokens = new LruCache<string, { untilMs: number; token: Promise<string> }>(MAX_TOKENS)

  async function ask(credentials: Credentials): Promise<{ token: string; lifeMs: number }> {
    const asked = 'type' in credentials ? googleForm(credentials) : formOf(credentials)
    const answer = await http.request(
      {
        url: credentials.tokenUrl,
        method: 'POST',
        headers: {
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
          ...('type' in credentials ? {} : basicOf(credentials)),
        },
        body: asked.toString(),
        timeoutMs: TIMEOUT_MS,
        maxBytes: limits.tokenAnswer.bytes,
      },
      new AbortController().signal, // shared by all waiting callers: none of them can cancel it
    )
    if (answer.status !== 200) throw failed(`with status ${answer.status}${refusalOf(answer.body, credentials)}`)
    const { access_token: token, expires_in: seconds } = fieldsOutside(answer.body, limits.tokenAnswer)
    if (typeof token !== 'string' || token === '' || /[^\x21-\x7e]/.test(token)) throw failed('without a token')
    const life = Number(seconds ?? DEFAULT_LIFE_S)
    return { token, lifeMs: Number.isFinite(life) ? Math.max(0, life * 1000) : DEFAULT_LIFE_S * 1000 }
  }

  return {
    /** Throws HttpError; in that case nothing reached the tool's own server. */
    async token(credentials: Credentials): Promise<string> {
      const key = keyOf(credentials)
      const known = tokens.get(key)
      if (known && known.untilMs > now()) return known.token.catch((error) => Promise.reject(notSent(error)))
      const asked = ask(credentials)
      const entry = { untilMs: Number.POSITIVE_INFINITY, token: asked.then(({ token }) => token) }
      entry.token.catch(() => {}) // handled below, for every waiting caller
      tokens.set(key, entry)
      try {
        const { lifeMs } = await asked
        entry.untilMs = now() + Math.max(lifeMs - RENEW_EARLY_MS, lifeMs / 2)
      } catch (error) {
        if (tokens.get(key) === entry) tokens.delete(key)
        throw notSent(error)
      }
      return entry.token
    },

    /** Drops this refused token, but not a newer one. */
    async forget(credentials: Credentials, token: string): Promise<void> {
      const key = keyOf(credentials)
      const known = tokens.get(key)
      if (known && (await known.token.catch(() => token)) === token && tokens.get(key) === known) tokens.delete(key)
    },
  }
}

function formOf({ clientId, clientSecret, scope, audience, in: place }: ClientCredentials): URLSearchParams {
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  if (scope) form.set('scope', scope)
  if (audience) form.set('audience', audience)
  if (place === 'body') {
    form.set('client_id', clientId)
    form.set('client_secret', clientSecret)
  }
  return form
}

function basicOf({ clientId, clientSecret, in: place }: ClientCredentials): { authorization?: string } {
  if (place === 'body') return {}
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

const keyOf = (credentials: Credentials) =>
  createHash('sha256')
    .update(JSON.stringify(Object.values(credentials)))
    .digest('base64')

/** RFC 6749, 5.2: `error` and `error_description`, unless they echo the request or look like a token. */
function refusalOf(body: Buffer, credentials: Credentials): string {
  const { error, error_description: description } = fieldsOutside(body, limits.tokenAnswer)
  const values = Object.values(credentials).filter((value) => typeof value === 'string' && value !== '')
  const mayBeTold = (text: unknown, form: RegExp): text is string =>
    typeof text === 'string' && form.test(text) && !values.some((value) => text.includes(String(value)))
  if (!mayBeTold(error, /^[a-z][a-z0-9_]{0,49}$/)) return ''
  return mayBeTold(description, /^(?!.*\S{20})[\x20-\x7e]{1,200}$/) ? ` (${error}: ${description})` : ` (${error})`
}

const failed = (how: string) => new HttpError('protocol', `the token server answered ${how}`, false)

function notSent(error: unknown): unknown {
  return error instanceof HttpError ? new HttpError(error.kind, error.message, false, error) : error
}
