// /auth: sign-in and sign-out for the dashboard. Outside /api, because it works without a key.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PASSWORD_LENGTH, passwordFault, type passwordHasher } from '../../base/crypto/password-hash.ts'
import { appError } from '../../base/errors/errors.ts'
import { limits } from '../../base/outside/limits.ts'
import { nowMs } from '../../base/time/clock.ts'
import type { FindKey, KeyGrant } from '../../http/auth.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'
import { cookieOf, type Origins } from '../../http/same-origin.ts'
import { errorAnswers } from '../../http/schema.ts'
import { requireScope } from '../../http/scopes.ts'
import type { Routes } from '../../http/server.ts'
import type { InvitationLinks } from '../users/link-store.ts'
import type { Passwords } from '../users/password-store.ts'
import { checkedEmail, normalizeEmail, type User } from '../users/rows.ts'
import { type Attempts, attempts } from './attempts.ts'
import { invitationRoutes } from './invitation-routes.ts'
import { DEVICE_COOKIE, type KnownDevices } from './known-devices.ts'
import { LoginBody, PasswordBody, SessionState, SetupBody } from './schema.ts'
import { isGoodCode, secondFactorRoutes } from './second-factor-routes.ts'
import type { SecondFactors } from './second-factor-store.ts'
import { dropSessionCookie, fromOf, type SessionContext, sessionContext, sessionRoutes } from './session-routes.ts'
import type { From, Sessions } from './session-store.ts'
import { isSetupCode, type SetupCodes } from './setup-code.ts'

export type AuthRouteParts = {
  sessions: Sessions
  passwords: Passwords
  factors: SecondFactors
  links: InvitationLinks
  hasher: ReturnType<typeof passwordHasher>
  limiter: RateLimiter
  findKey: FindKey
  usedKey: (grant: KeyGrant) => void
  origins: Origins
  setupCode: SetupCodes['current']
  known: KnownDevices
  isAtHome: (req: FastifyRequest) => boolean
  /** Notes a failed sign-in of a known person; returns at once, so that the response takes the same time for an unknown one. */
  noteRefusal: NoteRefusal
  qrSvg: (text: string) => Promise<string>
}

export type NoteRefusal = (personId: string, from: From, reason: 'password' | 'code' | 'disabled') => void

type SignInParts = AuthRouteParts & { tries: Attempts; context: SessionContext }

export const authRoutes =
  (parts: AuthRouteParts): Routes =>
  (app) => {
    const { sessions, passwords, factors, hasher, setupCode, isAtHome, qrSvg } = parts
    const tries = attempts(parts.limiter)
    const context = sessionContext({ ...parts, tries })
    const signIn: SignInParts = { ...parts, tries, context }
    const answers = { hide: true, response: { 200: SessionState, ...errorAnswers } }
    app.addHook('onRoute', (route) => {
      route.bodyLimit = limits.authBody.bytes
    })
    app.addHook('preValidation', (req, _reply, done) => {
      if (req.body === undefined && req.routeOptions.schema?.body) req.body = {} // a missing body has no fields
      done()
    })

    app.get('/auth/session', { schema: answers }, context.current)

    app.post('/auth/setup', { schema: { ...answers, body: SetupBody } }, async (req, reply) => {
      context.fromOurPage(req)
      if (await passwords.isAnySet()) throw alreadySetUp()
      const { password, setupCode: given } = req.body
      const email = checkedEmail(req.body.email)
      checkNew('password', password)
      if (!isAtHome(req)) {
        if (!given) throw appError('setup_code_missing')
        const succeeded = await tries.begin('setup', req.ip)
        if (!isSetupCode(given, await setupCode())) throw appError('setup_code_wrong')
        await succeeded()
      }
      const user = await passwords.setFirst(email, await hasher.hash(password, req.ip))
      if (!user) throw alreadySetUp()
      return context.signIn(req, reply, user, null)
    })

    app.post('/auth/login', { schema: { ...answers, body: LoginBody } }, async (req, reply) => {
      context.fromOurPage(req)
      const { email, password, apiKey } = req.body
      if ((apiKey === undefined) === (email === undefined || password === undefined)) throw appError('sign_in_fields')
      return apiKey === undefined
        ? context.signIn(req, reply, await byPassword(signIn, req, req.body), null)
        : byKey(signIn, req, reply, apiKey)
    })

    app.post('/auth/logout', { schema: answers }, async (req, reply) => {
      context.fromOurPage(req)
      await context.withSession(req)
      await context.endSession(req)
      dropSessionCookie(req, reply)
      return context.stateFor(req, null)
    })

    const change = { schema: { ...answers, body: PasswordBody } }
    app.post('/auth/password', change, async (req, reply) => {
      const signedIn = await context.signedIn(req)
      const { currentPassword, newPassword } = req.body
      checkNew('newPassword', newPassword)
      const { id, email } = await context.samePerson(req, signedIn, currentPassword)
      await passwords.set(id, email, await hasher.hash(newPassword, req.ip))
      await sessions.endAllOf(id) // signs out anyone who knew the old password
      return context.startSession(req, reply, signedIn.user, null)
    })

    sessionRoutes({ sessions, context })(app)
    invitationRoutes(signIn)(app)
    secondFactorRoutes({ factors, tries, context, qrSvg })(app)
  }

async function byPassword(
  { passwords, factors, hasher, known, tries, noteRefusal }: SignInParts,
  req: FastifyRequest,
  { email: given = '', password = '', code }: LoginBody,
): Promise<User> {
  const email = normalizeEmail(given) ?? given.slice(0, 254)
  const found = await passwords.byEmail(email)
  const device = found && known.idOf(cookieOf(req, DEVICE_COOKIE), found.id)
  const succeeded = await tries.beginPassword(req.ip, email, device)
  if (!(await hasher.fits(password, found?.passwordHash ?? null, req.ip)) || !found) {
    if (found) noteRefusal(found.id, fromOf(req), 'password')
    throw appError('sign_in_wrong')
  }
  if (await factors.isOn(found.id)) {
    if (!code?.trim()) {
      await succeeded() // the password was right; the client repeats it with a code
      throw appError('code_needed')
    }
    if (!(await isGoodCode({ factors, tries }, found.id, code, device))) {
      noteRefusal(found.id, fromOf(req), 'code')
      throw appError('code_wrong')
    }
  }
  await succeeded()
  // Only someone who knows the password learns this.
  if (found.disabledAt) {
    noteRefusal(found.id, fromOf(req), 'disabled')
    throw appError('user_disabled')
  }
  return found
}

async function byKey(
  { passwords, findKey, usedKey, tries, context }: SignInParts,
  req: FastifyRequest,
  reply: FastifyReply,
  apiKey: string,
): Promise<SessionState> {
  const succeeded = await tries.begin('key', req.ip)
  const key = await findKey(apiKey)
  const isMember = key?.isActive && key.memberRole !== null && !key.isUserDisabled
  const isGood = isMember && (key.expiresAtMs === null || key.expiresAtMs > nowMs())
  const user = isGood ? await passwords.user(key.personId) : undefined
  if (!key || !user) throw appError('api_key_invalid')
  await succeeded()
  requireScope(key.scopes, 'full') // a session has full access, which a scoped key must not gain
  usedKey(key)
  return context.signIn(req, reply, user, key)
}

const alreadySetUp = () => appError('setup_done')

function checkNew(field: string, password: string): void {
  if (passwordFault(password)) throw appError('password_length', { field, ...PASSWORD_LENGTH })
}
