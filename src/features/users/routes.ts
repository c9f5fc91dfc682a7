// /api/users and /api/invitations, for administrators.
import type { Log } from '../../base/process/log.ts'
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Api, Routes } from '../../http/server.ts'
import { type Accounts, toAccount } from './account-store.ts'
import { type Invitations, toInvitation } from './invitation-store.ts'
import {
  Account,
  AccountPatch,
  CreatedInvitation,
  Invitation,
  NewInvitation,
  NewPasswordLink,
  PasswordLink,
} from './schema.ts'

export type UserRouteParts = {
  accounts: Accounts
  invitations: Invitations
  /** Drops a user's cached keys and sessions in every process. */
  forget: (userId: string) => Promise<void>
  /** Ends the calls and rehearsals of a disabled organization. */
  endWork: (organizationId: string) => Promise<void>
  log: Log
}

export const userRoutes =
  (parts: UserRouteParts): Routes =>
  (api) => {
    addUsers(api, parts)
    addInvitations(api, parts)
  }

function addUsers(api: Api, { accounts, invitations, forget, endWork, log }: UserRouteParts): void {
  const one = { params: ById, response: { 200: Account } }

  addList(api, '/users', {
    summary: 'List users (administrators)',
    record: Account,
    page: (_req, page) => accounts.page(page),
    at: (row) => row.createdAt,
    toRecord: toAccount,
  })

  api.get('/users/:id', { schema: { summary: 'Get a user (administrators)', ...one } }, (req) =>
    accounts.get(req.params.id),
  )

  api.patch(
    '/users/:id',
    {
      schema: {
        summary:
          'Change the role of another user, or disable them: sessions, keys and calls end at once (administrators)',
        body: AccountPatch,
        ...one,
      },
    },
    async (req) => {
      const user = await accounts.change(req.personId, req.params.id, req.body)
      await forget(user.id)
      if (!user.isActive) for (const id of await accounts.disabledWith(user.id)) await endWork(id)
      log.info({ userId: user.id, role: user.role, isActive: user.isActive, byUserId: req.personId }, 'user changed')
      return user
    },
  )

  api.post(
    '/users/:id/password-link',
    {
      schema: {
        summary: 'Create a one-time link with which another user sets a new password (administrators)',
        params: ById,
        body: NewPasswordLink,
        response: { 201: PasswordLink },
      },
    },
    async (req, reply) => {
      const link = await invitations.passwordLink(req.personId, req.params.id, req.body.email ?? null)
      log.info({ userId: req.params.id, byUserId: req.personId }, 'password link created')
      return reply.code(201).send(link)
    },
  )

  api.post(
    '/users/:id/remove-second-factor',
    {
      schema: {
        summary: 'Remove the second factor of another user and end their sessions (administrators)',
        ...one,
      },
    },
    async (req) => {
      const user = await accounts.removeSecondFactor(req.personId, req.params.id)
      await forget(user.id)
      log.info({ userId: user.id, byUserId: req.personId }, 'second factor removed')
      return user
    },
  )
}

function addInvitations(api: Api, { invitations, log }: UserRouteParts): void {
  addList(api, '/invitations', {
    summary: 'List invitations that nobody has used yet (administrators)',
    record: Invitation,
    page: (_req, page) => invitations.page(page),
    at: (row) => row.createdAt,
    toRecord: toInvitation,
  })

  api.post(
    '/invitations',
    {
      schema: {
        summary: 'Invite a user; the one-time link works for 24 hours and is returned only once (administrators)',
        body: NewInvitation,
        response: { 201: CreatedInvitation },
      },
    },
    async (req, reply) => {
      const invitation = await invitations.create(req.personId, req.body)
      log.info({ invitationId: invitation.id, byUserId: req.personId }, 'user invited')
      return reply.code(201).send(invitation)
    },
  )

  api.post(
    '/invitations/:id/renew',
    {
      schema: {
        summary: 'Create a new link for an invitation; the former one stops working (administrators)',
        params: ById,
        response: { 200: CreatedInvitation },
      },
    },
    async (req) => {
      const invitation = await invitations.renew(req.personId, req.params.id)
      log.info({ invitationId: invitation.id, byUserId: req.personId }, 'invitation renewed')
      return invitation
    },
  )

  api.delete(
    '/invitations/:id',
    { schema: { summary: 'Revoke an invitation (administrators)', params: ById, response: { 200: Invitation } } },
    async (req) => {
      const invitation = await invitations.revoke(req.personId, req.params.id)
      log.info({ invitationId: invitation.id, byUserId: req.personId }, 'invitation revoked')
      return invitation
    },
  )
}
