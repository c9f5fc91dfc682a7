// /auth: signing in and out of the dashboard. Beside /api, for it is how one gets there without a key.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { nowMs } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { FindKey, KeyGrant } from '../../http/auth.ts'
import { forgery, type Origins, SESSION_COOKIE, sessionCookieOf } from '../../http/same-origin.ts'
import { errorAnswers } from '../../http/schema.ts'
import { requireScope } from '../../http/scopes.ts'
import type { Routes } from '../../http/server.ts'
import { emailOf, type Passwords } from '../users/passwords.ts'
import type { User } from '../users/store.ts'
import { attempts } from './attempts.ts'
import { passwordFault, type passwordHasher } from './password-hash.ts'
import { LoginBody, PasswordBody, SessionState, SetupBody } from './schema.ts'
import { LONGEST_SECONDS, type Sessions } from './sessions.ts'
import { isSetupCode } from './setup-code.ts'

export type AuthRouteParts = {
  sessions: Sessions
  passwords: Passwords
  hasher: ReturnType<typeof passwordHasher>
  findKey: FindKey
  usedKey: (grant: KeyGrant) => void
  origins: Origins
  setupCode: string
  isAtHome: (req: FastifyRequest) => boolean
}

export const authRoutes =
  ({ sessions, passwords, hasher, findKey, usedKey, origins, setupCode, isAtHome }: AuthRouteParts): Routes =>
  (app) => {
    const tries = attempts()
    const answers = { hide: true, response: { 200: SessionState, ...errorAnswers } }
    app.addHook('preValidation', (req, _reply, done) => {
      if (req.body === undefined && req.routeOptions.schema?.body) req.body = {} // no body has no fields
      done()
    })

    async function stateFor(req: FastifyRequest, user: User | null, csrfToken: string | null): Promise<SessionState> {
      const needsSetup = !(await passwords.isAnySet())
      const shown = user && { id: user.id, name: user.name, email: user.email }
      return { needsSetup, needsSetupCode: needsSetup && !isAtHome(req), user: shown, csrfToken }
    }

    const sessionOf = (req: FastifyRequest) => {
      const secret = sessionCookieOf(req.headers.cookie)
      return secret === undefined ? undefined : sessions.find(secret)
    }

    async function current(req: FastifyRequest): Promise<SessionState> {
      const session = await sessionOf(req)
      const user = session && (await passwords.user(session.userId))
      return session && user ? stateFor(req, user, session.csrfToken) : stateFor(req, null, null)
    }

    /** A new session, never the one that came along: somebody else may have put that there. */
    async function signIn(req: FastifyRequest, reply: FastifyReply, user: User, key: KeyGrant | null) {
      await endSession(req)
      const secret = await sessions.create(user.id, key)
      setCookie(req, reply, secret, LONGEST_SECONDS)
      const session = await sessions.find(secret)
      return stateFor(req, user, session?.csrfToken ?? null)
    }

    async function endSession(req: FastifyRequest): Promise<void> {
      const secret = sessionCookieOf(req.headers.cookie)
      if (secret !== undefined) await sessions.end(secret)
    }

    /** No page of anybody else may sign a browser in or out, also where there is no session yet. */
    function fromOurPage(req: FastifyRequest): void {
      if (origins(req) === 'no')
        throw new AppError('forbidden', 'This request does not come from a page of this server (Origin)')
    }

    async function withSession(req: FastifyRequest) {
      const session = await sessionOf(req)
      if (!session) return undefined
      const refusal = forgery(req, session.csrfToken, origins)
      if (refusal) throw refusal
      return session
    }

    app.get('/auth/session', { schema: answers }, current)

    app.post('/auth/setup', { schema: { ...answers, body: SetupBody } }, async (req, reply) => {
      fromOurPage(req)
      if (await passwords.isAnySet()) throw alreadySetUp()
      const { password, setupCode: given } = req.body
      const email = checkedEmail(req.body.email)
      checkNew('password', password)
      if (!isAtHome(req)) {
        if (!given)
          throw new AppError('forbidden', 'The setup code is needed, which the server printed when it started')
        const succeeded = tries.begin(req.ip)
        if (!isSetupCode(given, setupCode)) throw new AppError('forbidden', 'The setup code is wrong')
        succeeded()
      }
      const user = await passwords.setFirst(email, await hasher.hash(password))
      if (!user) throw alreadySetUp()
      return signIn(req, reply, user, null)
    })

    app.post('/auth/login', { schema: { ...answers, body: LoginBody } }, async (req, reply) => {
      fromOurPage(req)
      const { email, password, apiKey } = req.body
      if ((apiKey === undefined) === (email === undefined || password === undefined))
        throw new AppError('invalid', 'Send email and password, or apiKey')
      return apiKey === undefined
        ? signIn(req, reply, await byPassword(req.ip, email ?? '', password ?? ''), null)
        : byKey(req, reply, apiKey)
    })

    async function byPassword(ip: string, given: string, password: string): Promise<User> {
      const email = emailOf(given) ?? given.slice(0, 254)
      const succeeded = tries.begin(ip, email)
      const found = await passwords.byEmail(email)
      if (!(await hasher.fits(password, found?.passwordHash ?? null)) || !found)
        throw new AppError('unauthorized', 'Wrong e-mail or password')
      succeeded()
      return found
    }

    async function byKey(req: FastifyRequest, reply: FastifyReply, apiKey: string): Promise<SessionState> {
      const succeeded = tries.begin(req.ip)
      const key = await findKey(apiKey)
      const isGood = key?.isActive && (key.expiresAtMs === null || key.expiresAtMs > nowMs())
      const user = isGood ? await passwords.user(key.userId) : undefined
      if (!key || !user) throw new AppError('unauthorized', 'Invalid API key')
      succeeded()
      requireScope(key.scopes, 'full') // a session has all rights of its user: a key with fewer must not gain by it
      usedKey(key)
      return signIn(req, reply, user, key)
    }

    app.post('/auth/logout', { schema: answers }, async (req, reply) => {
      fromOurPage(req)
      if (await withSession(req)) await endSession(req)
      setCookie(req, reply, '', 0)
      return stateFor(req, null, null)
    })

    const change = { schema: { ...answers, body: PasswordBody } }
    app.post('/auth/password', change, async (req, reply) => {
      const session = await withSession(req)
      const user = session && (await passwords.byId(session.userId))
      if (!user) throw new AppError('unauthorized', 'Sign in first')
      const { currentPassword, newPassword } = req.body
      checkNew('newPassword', newPassword)
      if (user.passwordHash === null || user.email === null)
        throw new AppError('conflict', 'This user has no password yet: `ramal users password` sets one')
      const succeeded = tries.begin(req.ip, user.email)
      if (!(await hasher.fits(currentPassword, user.passwordHash)))
        throw new AppError('forbidden', 'The current password is wrong')
      succeeded()
      await passwords.set(user.id, user.email, await hasher.hash(newPassword))
      await sessions.endAllOf(user.id) // whoever knew the old one is out
      return signIn(req, reply, user, null)
    })
  }

const alreadySetUp = () => new AppError('conflict', 'The first sign-in has been set up already: sign in')

function checkedEmail(given: string): string {
  const email = emailOf(given)
  if (email === undefined) throw new AppError('invalid', 'email must be an address such as ana@example.com')
  return email
}

function checkNew(field: string, password: string): void {
  const fault = passwordFault(password)
  if (fault) throw new AppError('invalid', `${field} ${fault}`)
}

function setCookie(req: FastifyRequest, reply: FastifyReply, value: string, maxAge: number): void {
  // Its own page may be behind a proxy that speaks HTTPS for us.
  const isSecure = req.protocol === 'https' || req.headers.origin?.startsWith('https:')
  const flags = ['Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${maxAge}`, ...(isSecure ? ['Secure'] : [])]
  reply.header('set-cookie', [`${SESSION_COOKIE}=${value}`, ...flags].join('; '))
}
