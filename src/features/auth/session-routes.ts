// The session of an /auth request (its user, whether our own page sent it, its cookie), and /auth/sessions, which lists
// and ends sessions.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { actAs } from '../../base/actor.ts'
import type { passwordHasher } from '../../base/crypto/password-hash.ts'
import { appError, notFound } from '../../base/errors/errors.ts'
import { shortAddress } from '../../base/network/short-address.ts'
import type { SessionRow, UserRow } from '../../db/tables.ts'
import type { KeyGrant, SessionGrant } from '../../http/auth.ts'
import { cookieLine, cookieOf, forgery, type Origins, SESSION_COOKIE, sessionCookieOf } from '../../http/same-origin.ts'
import { ById, errorAnswers } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import type { Passwords } from '../users/password-store.ts'
import type { User } from '../users/rows.ts'
import type { Attempts } from './attempts.ts'
import { DEVICE_COOKIE, DEVICE_SECONDS, type KnownDevices } from './known-devices.ts'
import { OrganizationBody, SessionRecord, SessionState } from './schema.ts'
import { type From, MAX_AGE_SECONDS, type Sessions } from './session-store.ts'

export type SessionContextParts = {
  sessions: Sessions
  passwords: Passwords
  hasher: ReturnType<typeof passwordHasher>
  tries: Attempts
  known: KnownDevices
  origins: Origins
  isAtHome: (req: FastifyRequest) => boolean
}
export type SessionContext = ReturnType<typeof sessionContext>
export type SignedIn = { session: SessionGrant; user: UserRow }

const MAX_DEVICE = 200

export function sessionContext({ sessions, passwords, hasher, tries, known, origins, isAtHome }: SessionContextParts) {
  const sessionOf = (req: FastifyRequest) => {
    const secret = sessionCookieOf(req)
    return secret === undefined ? undefined : sessions.find(secret)
  }

  async function stateFor(req: FastifyRequest, user: User | null, session?: SessionGrant): Promise<SessionState> {
    const needsSetup = !(await passwords.isAnySet())
    const shown = user && { id: user.id, name: user.name, email: user.email, role: user.role }
    return {
      needsSetup,
      needsSetupCode: needsSetup && !isAtHome(req),
      user: shown,
      csrfToken: session?.csrfToken ?? null,
      organizations: organizationsOf(session),
      organizationId: session?.userId || null,
    }
  }

  /** Undefined if not signed in; throws if a page of another site uses the session. */
  async function withSession(req: FastifyRequest): Promise<SessionGrant | undefined> {
    const session = await sessionOf(req)
    if (!session) return undefined
    const refusal = forgery(req, session.csrfToken, origins)
    if (refusal) throw refusal
    return session
  }

  async function endSession(req: FastifyRequest): Promise<void> {
    const secret = sessionCookieOf(req)
    if (secret !== undefined) await sessions.end(secret)
  }

  async function startSession(
    req: FastifyRequest,
    reply: FastifyReply,
    user: User,
    key: KeyGrant | null,
  ): Promise<SessionState> {
    const secret = await sessions.create(user.id, key, fromOf(req))
    const device = known.cookieFor(cookieOf(req, DEVICE_COOKIE), user.id)
    reply.header('set-cookie', [
      sessionCookie(req, secret, MAX_AGE_SECONDS),
      cookieLine(req, DEVICE_COOKIE, device, DEVICE_SECONDS),
    ])
    const session = await sessions.find(secret)
    return stateFor(req, user, session)
  }

  return {
    stateFor,
    withSession,
    endSession,
    startSession,

    async current(req: FastifyRequest): Promise<SessionState> {
      const session = await sessionOf(req)
      const user = session && (await passwords.user(session.personId))
      return session && user ? stateFor(req, user, session) : stateFor(req, null)
    },

    /** Always creates a new session: the existing cookie may have been planted. */
    async signIn(req: FastifyRequest, reply: FastifyReply, user: User, key: KeyGrant | null): Promise<SessionState> {
      await endSession(req)
      return startSession(req, reply, user, key)
    },

    /** Other sites may not sign a browser in or out, even if there is no session yet. */
    fromOurPage(req: FastifyRequest): void {
      if (origins(req) === 'no') throw appError('foreign_origin')
    },

    async signedIn(req: FastifyRequest): Promise<SignedIn> {
      const session = await withSession(req)
      const user = session && (await passwords.byId(session.personId))
      if (!session || !user) throw appError('sign_in_first')
      const { address } = fromOf(req)
      if (req.onFault) actAs(req.onFault, () => ({ personId: user.id, credentialId: session.id, address }))
      return { session, user }
    },

    /** Asks signed-in users for their password again, before actions that an unattended browser must not allow. */
    samePerson: (req: FastifyRequest, signedIn: SignedIn, password: string) =>
      samePerson({ hasher, tries }, req, signedIn, password),
  }
}

function organizationsOf(session: SessionGrant | undefined): SessionState['organizations'] {
  return (session?.organizations ?? []).flatMap(({ id, name }) => {
    const grant = session?.in(id)
    return grant?.memberRole ? [{ id, name, role: grant.memberRole, permissions: [...grant.may] }] : []
  })
}

async function samePerson(
  { hasher, tries }: Pick<SessionContextParts, 'hasher' | 'tries'>,
  req: FastifyRequest,
  { session, user }: SignedIn,
  password: string,
): Promise<{ id: string; email: string }> {
  if (user.passwordHash === null || user.email === null) throw appError('password_missing')
  const succeeded = await tries.beginPassword(req.ip, user.email, session.id)
  if (!(await hasher.fits(password, user.passwordHash, req.ip))) throw appError('password_wrong')
  await succeeded()
  return { id: user.id, email: user.email }
}

/** The User-Agent without control characters, and the approximate address. */
export function fromOf(req: Pick<FastifyRequest, 'headers' | 'ip'>): From {
  const device = (req.headers['user-agent'] ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim()
  return { device: device.slice(0, MAX_DEVICE) || null, address: shortAddress(req.ip) }
}

const sessionCookie = (req: FastifyRequest, value: string, maxAge: number) =>
  cookieLine(req, SESSION_COOKIE, value, maxAge)

export const dropSessionCookie = (req: FastifyRequest, reply: FastifyReply): void =>
  void reply.header('set-cookie', sessionCookie(req, '', 0))

export const sessionRoutes =
  ({ sessions, context }: { sessions: Sessions; context: SessionContext }): Routes =>
  (app) => {
    const answers = (answer: object) => ({ hide: true, response: { 200: answer, ...errorAnswers } })

    app.get('/auth/sessions', { schema: answers(Type.Array(SessionRecord)) }, async (req) => {
      const { session } = await context.signedIn(req)
      return (await sessions.listOf(session.personId)).map((row) => toRecord(row, session.id))
    })

    app.delete('/auth/sessions', { schema: answers(Type.Array(SessionRecord)) }, async (req) => {
      const { session } = await context.signedIn(req)
      return (await sessions.endOthers(session.personId, session.id)).map((row) => toRecord(row, session.id))
    })

    const choice = { schema: { ...answers(SessionState), body: OrganizationBody } }
    app.post('/auth/organization', choice, async (req) => {
      const { session, user } = await context.signedIn(req)
      const { organizationId } = req.body
      if (!session.in(organizationId)) throw notFound('Organization')
      await sessions.setOrganization(user.id, organizationId)
      return context.current(req)
    })

    app.delete('/auth/sessions/:id', { schema: { ...answers(SessionRecord), params: ById } }, async (req, reply) => {
      const { session } = await context.signedIn(req)
      const ended = await sessions.endOne(session.personId, req.params.id)
      if (ended.id === session.id) dropSessionCookie(req, reply)
      return toRecord(ended, session.id)
    })
  }

const toRecord = (row: SessionRow, currentId: string): SessionRecord => ({
  id: row.id,
  createdAt: row.createdAt,
  lastUsedAt: row.lastUsedAt,
  expiresAt: row.expiresAt,
  device: row.device,
  address: row.address,
  method: row.keyId === null ? 'password' : 'apiKey',
  isCurrent: row.id === currentId,
})
