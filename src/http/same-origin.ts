// Where a request comes from: our own page, this machine, and its browser's cookies.
import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type AppError, appError } from '../base/errors/errors.ts'

export const SESSION_COOKIE = 'ramal_session'
/** A browser accepts a __Host- cookie only from this host over HTTPS, so no sibling domain can plant one. */
const HOST_PREFIX = '__Host-'

const isRead = new Set(['GET', 'HEAD', 'OPTIONS'])

type Asked = Pick<FastifyRequest, 'headers' | 'protocol'>

/** Also checks the Origin header, because a proxy may terminate TLS for us. */
export const isHttps = ({ headers, protocol }: Asked): boolean =>
  protocol === 'https' || headers.origin?.startsWith('https:') === true

const cookieName = (name: string, isSecure: boolean): string => (isSecure ? `${HOST_PREFIX}${name}` : name)

/** Over HTTPS, only the cookie with the prefix; if the scheme is unknown, that one first. */
export function cookieOf(req: Asked, name: string): string | undefined {
  const { cookie } = req.headers
  if (!cookie?.includes(name)) return undefined
  const found = new Map<string, string>()
  for (const part of cookie.split(';')) {
    const [key = '', value = ''] = part.split('=', 2)
    if (!found.has(key.trim())) found.set(key.trim(), value.trim())
  }
  const own = found.get(cookieName(name, true)) ?? (isHttps(req) ? undefined : found.get(name))
  return own || undefined
}

export const sessionCookieOf = (req: Asked): string | undefined => cookieOf(req, SESSION_COOKIE)

/** A cookie that scripts cannot read and other sites cannot send. */
export function cookieLine(req: Asked, name: string, value: string, maxAge: number): string {
  const isSecure = isHttps(req)
  const flags = ['Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${maxAge}`, ...(isSecure ? ['Secure'] : [])]
  return [`${cookieName(name, isSecure)}=${value}`, ...flags].join('; ')
}

/** `yes` and `no` as reported by the browser; `unknown` without such headers: not a browser, or an old one. */
export type Origins = (req: FastifyRequest) => 'yes' | 'no' | 'unknown'

/** `publicUrl`: our public address, for a proxy that does not forward the original Host. */
export function ownOrigins(publicUrl: string | null): Origins {
  const publicHost = hostOf(publicUrl ?? '')
  return (req) => {
    const { origin } = req.headers
    const site = req.headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'no'
    if (origin === undefined) return site === undefined ? 'unknown' : 'yes'
    // The scheme is ignored, because behind a proxy we do not see the one that the browser used.
    const host = hostOf(origin)
    return host !== undefined && (host === hostOf(`http://${req.host}`) || host === publicHost) ? 'yes' : 'no'
  }
}

/** Without the default port of either scheme. */
function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, host, hostname, port } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  return port === '80' || port === '443' ? hostname : host
}

/** Why a request with a session cookie is rejected; undefined if it is not. */
export function forgery(req: FastifyRequest, csrfToken: string, origins: Origins): AppError | undefined {
  const origin = origins(req)
  const isPlainRead = isRead.has(req.method) && req.headers.upgrade === undefined
  if (origin === 'no' || (origin === 'unknown' && !isPlainRead)) return appError('foreign_origin')
  if (isRead.has(req.method)) return undefined
  const given = req.headers['x-csrf-token']
  if (typeof given === 'string' && isSame(given, csrfToken)) return undefined
  return appError('csrf_token_wrong')
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/**
 * Whether the request comes from this machine itself. A proxied one does not count, whatever address its headers name,
 * because a client can forge them.
 */
export function isLocal(req: FastifyRequest): boolean {
  if (req.headers['x-forwarded-for'] !== undefined || req.headers.forwarded !== undefined) return false
  const address = req.socket.remoteAddress
  return address === '127.0.0.1' || address === '::1' || address === '::ffff:127.0.0.1'
}

const viaProxy = ['via', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto', 'cf-connecting-ip', 'true-client-ip']
const homeNames = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/**
 * Whether a browser on this machine is showing our page. Three things must be ruled out: a local proxy, which would
 * make every request look local; DNS rebinding by another site, which shows as a host name other than a loopback name;
 * and a program made to send a request from here (a tool, another user's webhook), which cannot send the headers that
 * only a browser sets for its page.
 */
export function isAtHome(req: FastifyRequest, settings: { publicUrl: string | null; trustsProxy: boolean }): boolean {
  if (req.headers['sec-fetch-site'] !== 'same-origin') return false
  if (settings.trustsProxy || !isLocal(req) || viaProxy.some((name) => req.headers[name] !== undefined)) return false
  if (settings.publicUrl !== null && !homeNames.test(new URL(settings.publicUrl).host)) return false
  return homeNames.test(req.headers.host ?? '')
}
