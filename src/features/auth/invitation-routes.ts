// /auth/invitation: what the person with a one-time link does: see what it is for, then join or set a new password.
// The token is sent in the body, which is never logged.
import { Type } from 'typebox'
import { PASSWORD_LENGTH, passwordFault, type passwordHasher } from '../../base/crypto/password-hash.ts'
import { appError } from '../../base/errors/errors.ts'
import { Body, Choice, errorAnswers, Nullable, Text } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import type { InvitationLinks } from '../users/link-store.ts'
import type { Attempts } from './attempts.ts'
import { SessionState } from './schema.ts'
import type { SessionContext } from './session-routes.ts'
import type { Sessions } from './session-store.ts'

export type InvitationRouteParts = {
  links: InvitationLinks
  sessions: Pick<Sessions, 'forgetUser'>
  hasher: ReturnType<typeof passwordHasher>
  tries: Attempts
  context: SessionContext
}

const token = Type.String({ minLength: 1, maxLength: 100 })
const OpenBody = Body({ token })
const AcceptBody = Body({
  token,
  name: Type.Optional(Nullable(Text(255))),
  /** Not for a person who accepts while signed in. */
  password: Type.Optional(Type.String({ maxLength: 1024 })),
})
const OpenLink = Type.Object({
  kind: Choice(['invitation', 'password', 'member']),
  email: Nullable(Type.String()),
  name: Type.String(),
  organization: Nullable(Type.String()),
  isKnown: Type.Boolean(),
})

function checkLength(password: string): string {
  if (passwordFault(password)) throw appError('password_length', { field: 'password', ...PASSWORD_LENGTH })
  return password
}

export const invitationRoutes =
  ({ links, sessions, hasher, tries, context }: InvitationRouteParts): Routes =>
  (app) => {
    const answers = (answer: object) => ({ hide: true, response: { 200: answer, ...errorAnswers } })

    app.post('/auth/invitation', { schema: { ...answers(OpenLink), body: OpenBody } }, async (req) => {
      context.fromOurPage(req)
      const succeeded = await tries.begin('invitation', req.ip)
      const link = await links.open(req.body.token)
      await succeeded()
      return link
    })

    app.post(
      '/auth/invitation/accept',
      { schema: { ...answers(SessionState), body: AcceptBody } },
      async (req, reply) => {
        context.fromOurPage(req)
        const { token, password, name } = req.body
        if (password !== undefined) checkLength(password)
        const succeeded = await tries.begin('invitation', req.ip)
        const link = await links.open(token) // before the costly hash
        if (link.isKnown) {
          const { user } = await context.signedIn(req)
          await links.accept(token, user.id)
          await sessions.forgetUser(user.id)
          await succeeded()
          return context.current(req)
        }
        const passwordHash = await hasher.hash(checkLength(password ?? ''), req.ip)
        if (link.kind !== 'password') {
          const given = { name: name?.trim() || link.name, passwordHash }
          const user = await (link.kind === 'member' ? links.joinOrganization : links.join)(token, given)
          await succeeded()
          return context.signIn(req, reply, user, null)
        }
        // The user is not signed in yet: a second factor, if set up, is still required.
        const user = await links.resetPassword(token, passwordHash)
        await sessions.forgetUser(user.id)
        await succeeded()
        return context.stateFor(req, null)
      },
    )
  }
