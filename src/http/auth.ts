// Authenticates a request by API key or session cookie, applies its rate limit and checks its scopes, before the body
// is read.
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { MemberRole, Permission } from '../base/domain/organization-roles.ts'
import type { Role } from '../base/domain/role.ts'
import { appError, notFound } from '../base/errors/errors.ts'
import { peerNetworkOf } from '../base/network/peer-network.ts'
import { nowMs } from '../base/time/clock.ts'
import { bodyLimitOf } from './body-limit.ts'
import { FailureLimiter } from './failure-limit.ts'
import { requirePermission } from './permissions.ts'
import type { Admission, RateLimiter } from './rate-limit.ts'
import { forgery, type Origins, sessionCookieOf } from './same-origin.ts'
import { type Needed, requireAccess } from './scopes.ts'

/** What a key permits. `policy` is its RateLimit-Policy header, built once. */
export type KeyGrant = {
  id: string
  /** The organization that owns what the request reads and writes. */
  userId: string
  /** The person who is signed in, or who made the key. */
  personId: string
  /** The person's role on the platform. */
  role: Role
  /** The person's role in the organization; null: not a member. */
  memberRole: MemberRole | null
  may: ReadonlySet<Permission>
  scopes: ReadonlySet<string> | null
  rateLimit: number
  expiresAtMs: number | null
  isActive: boolean
  /** True if the person was disabled by an administrator. */
  isUserDisabled?: boolean
  /** For a session: when the API key that opened it expires. Nothing created with either may outlive that key. */
  keyExpiresAtMs?: number | null
  policy: string
  /** For a session only: the CSRF token that its page sends with each change. */
  csrfToken?: string
}

/** Returns synchronously when the key is cached. */
export type FindKey = (secret: string) => KeyGrant | undefined | Promise<KeyGrant | undefined>

/** A session can be used in each organization of its person; `in` returns undefined for any other. */
export type SessionGrant = KeyGrant & {
  csrfToken: string
  organizations: readonly { id: string; name: string }[]
  in: (organizationId: string) => SessionGrant | undefined
}

/** Looks up a session by its cookie value, in the organization that the person used last. */
export type FindSession = (secret: string) => SessionGrant | undefined | Promise<SessionGrant | undefined>

declare module 'fastify' {
  interface FastifyRequest {
    /** The owner of what the request reads and writes: an organization. */
    userId: string
    /** Who acts: the person who is signed in, or who made the key. */
    personId: string
    grant: KeyGrant | null
  }
  interface FastifyContextConfig {
    scope?: Needed
    permission?: Permission | null
    /** The path names the organization as `id`. */
    isOrganizationInPath?: boolean
    /** This route also accepts a short-lived token, as `Authorization: Bearer`. */
    takesToken?: boolean
  }
}

export type AuthParts = {
  findKey: FindKey
  /** The key behind a short-lived token, while both are valid. */
  findByToken: (token: string) => Promise<KeyGrant | undefined>
  findSession: FindSession
  origins: Origins
  used: (grant: KeyGrant) => void
  limiter: RateLimiter
  /** True for paths that answer OPTIONS, which needs no key. */
  isKnownPath: (url: string) => boolean
}

const MAX_KEY_LENGTH = 512

export function authenticator({ findKey, findByToken, findSession, origins, used, limiter, isKnownPath }: AuthParts) {
  const failures = new FailureLimiter()

  function known(req: FastifyRequest, reply: FastifyReply, grant: KeyGrant | undefined, done: HookHandlerDoneFunction) {
    if (!grant) return unknown(req, 'api_key_invalid', done)
    if (!grant.isActive) return done(appError('api_key_revoked'))
    if (grant.isUserDisabled) return done(appError('api_key_user_disabled'))
    if (grant.expiresAtMs !== null && grant.expiresAtMs <= nowMs()) return done(appError('api_key_expired'))
    if (grant.memberRole === null) return done(appError('api_key_orphaned'))
    admit(req, reply, grant, done)
  }

  function unknown(req: FastifyRequest, code: 'api_key_invalid' | 'session_ended', done: HookHandlerDoneFunction) {
    // Checked only after the lookup: a good key is accepted even from an address that others use for guessing.
    const network = peerNetworkOf(req.ip)
    if (failures.tooMany(network)) return done(failures.refusal(network))
    failures.count(network)
    done(appError(code))
  }

  function bySession(req: FastifyRequest, reply: FastifyReply, secret: string, done: HookHandlerDoneFunction) {
    const answer = (grant: Awaited<ReturnType<FindSession>>) => {
      if (!grant) return unknown(req, 'session_ended', done)
      const refusal = forgery(req, grant.csrfToken, origins)
      if (refusal) return done(refusal)
      admit(req, reply, grant, done)
    }
    const grant = findSession(secret)
    if (grant instanceof Promise) grant.then(answer, done)
    else answer(grant)
  }

  function admit(req: FastifyRequest, reply: FastifyReply, grant: KeyGrant, done: HookHandlerDoneFunction) {
    const admission = limiter.admit(grant.id, grant.rateLimit)
    if (admission instanceof Promise) admission.then((a) => admitted(req, reply, grant, a, done), done)
    else admitted(req, reply, grant, admission, done)
  }

  function admitted(
    req: FastifyRequest,
    reply: FastifyReply,
    grant: KeyGrant,
    a: Admission,
    done: HookHandlerDoneFunction,
  ) {
    const resetSeconds = Math.max(1, Math.ceil(a.resetMs / 1000))
    reply.header('ratelimit-policy', grant.policy).header('ratelimit', `"default";r=${a.remaining};t=${resetSeconds}`)
    if (!a.admitted) {
      const headers = { 'retry-after': String(resetSeconds) }
      return done(appError('rate_limited', { limit: grant.rateLimit }, { headers }))
    }
    if (grant.csrfToken === undefined) used(grant)
    const chosen = inOrganization(grant, namedOrganization(req))
    if (!chosen) return done(notFound('Organization'))
    req.grant = chosen
    req.userId = chosen.userId
    req.personId = chosen.personId
    if (!req.is404) {
      try {
        const { scope = 'full', permission = null } = (req.route ?? req.routeOptions).config
        requireAccess(chosen, scope)
        requirePermission(chosen, permission)
      } catch (error) {
        return done(error as Error)
      }
    }
    done()
  }

  return (req: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const length = req.headers['content-length']
    if (length !== undefined && Number(length) > bodyLimitOf(req)) return done(tooLarge(req))
    if (req.method === 'OPTIONS' && isKnownPath(req.url)) return done()
    const secret = req.headers['x-api-key']
    const token = secret === undefined && req.routeOptions.config.takesToken ? bearerOf(req) : undefined
    if (token) return void findByToken(token).then((g) => known(req, reply, g, done), done)
    const cookie = secret === undefined ? sessionCookieOf(req) : undefined
    if (cookie) return bySession(req, reply, cookie, done)
    if (typeof secret !== 'string' || secret === '') return done(appError('api_key_missing'))
    if (secret.length > MAX_KEY_LENGTH) return done(appError('api_key_invalid'))
    const grant = findKey(secret)
    if (grant instanceof Promise) grant.then((g) => known(req, reply, g, done), done)
    else known(req, reply, grant, done)
  }
}

/** A key stays in its organization; a session goes wherever its person is a member. */
function inOrganization(grant: KeyGrant | SessionGrant, organizationId: string | undefined): KeyGrant | undefined {
  if (organizationId === undefined || organizationId === grant.userId) return grant
  return 'in' in grant ? grant.in(organizationId) : undefined
}

/**
 * The organization that a request names: in its path, in a header, or in the query where a browser loads an address
 * itself. Removed from the query, whose schemas do not know it.
 */
function namedOrganization(req: FastifyRequest): string | undefined {
  const query = req.query as Record<string, unknown>
  const { organization } = query
  if (organization !== undefined) delete query.organization
  if ((req.route ?? req.routeOptions).config.isOrganizationInPath) return (req.params as { id: string }).id
  const named = req.headers['x-organization'] || organization
  return typeof named === 'string' && named !== '' ? named : undefined
}

const bearerOf = (req: FastifyRequest) => /^Bearer ([\x21-\x7e]{1,1024})$/i.exec(req.headers.authorization ?? '')?.[1]

export const tooLarge = (req: FastifyRequest) =>
  appError('body_too_large', { limit: bodyLimitOf(req) }, { headers: { connection: 'close' } })

/** The caller's API key or session secret, for encrypting data that only they can read. */
export const secretOf = (req: FastifyRequest): string =>
  (req.grant?.csrfToken === undefined ? req.headers['x-api-key']?.toString() : sessionCookieOf(req)) ?? ''
