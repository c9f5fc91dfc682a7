// /api/organizations. A path with an id acts in that organization, whatever the page shows (http/auth.ts).
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { appError } from '../../base/errors/errors.ts'
import type { Log } from '../../base/process/log.ts'
import type { KeyGrant, SessionGrant } from '../../http/auth.ts'
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Api, Routes } from '../../http/server.ts'
import { type MemberInvitations, toMemberInvitation } from './invitation-store.ts'
import { type Acting, type MemberStore, toMember } from './member-store.ts'
import {
  CreatedMemberInvitation,
  Member,
  MemberInvitation,
  MemberPatch,
  NewMemberInvitation,
  NewOrganization,
  Organization,
  OrganizationPatch,
} from './schema.ts'
import type { OrganizationStore } from './store.ts'

export type OrganizationRouteParts = {
  organizations: OrganizationStore
  members: MemberStore
  invitations: MemberInvitations
  /** Drops a person's cached keys and sessions in every process. */
  forget: (personId: string) => Promise<void>
  log: Log
}

const InvitationId = Type.Object({ id: Type.String(), invitationId: Type.String() })
const MemberId = Type.Object({ id: Type.String(), personId: Type.String() })

/** `userId` is the organization in the path. */
const acting = ({ userId, personId }: Pick<FastifyRequest, 'userId' | 'personId'>): Acting => ({
  organizationId: userId,
  actorId: personId,
})

/** A key sees its own organization, and a session those in which it can be used. */
function reachable(grant: KeyGrant | SessionGrant | null): string[] {
  if (grant === null) return []
  return 'organizations' in grant ? grant.organizations.map(({ id }) => id) : [grant.userId]
}

export const organizationRoutes =
  (parts: OrganizationRouteParts): Routes =>
  (api) => {
    addOrganizations(api, parts)
    addMembers(api, parts)
    addInvitations(api, parts)
  }

function addOrganizations(api: Api, { organizations, forget, log }: OrganizationRouteParts): void {
  const one = { params: ById, response: { 200: Organization } }

  api.get(
    '/organizations',
    { schema: { summary: 'List your organizations', response: { 200: Type.Array(Organization) } } },
    (req) => organizations.list(req.personId, reachable(req.grant)),
  )

  api.post(
    '/organizations',
    {
      schema: {
        summary: 'Create an organization, of which you become the owner (administrators)',
        body: NewOrganization,
        response: { 201: Organization },
      },
    },
    async (req, reply) => {
      if (req.grant?.role !== 'admin') throw appError('admin_only')
      const id = await organizations.create(req.personId, req.body.name.trim())
      await forget(req.personId)
      log.info({ organizationId: id, byUserId: req.personId }, 'organization created')
      return reply.code(201).send(await organizations.get(req.personId, id))
    },
  )

  api.get('/organizations/:id', { schema: { summary: 'Get an organization', ...one } }, (req) =>
    organizations.get(req.personId, req.userId),
  )

  api.patch(
    '/organizations/:id',
    { schema: { summary: 'Rename an organization', body: OrganizationPatch, ...one } },
    async (req) => {
      const { name } = req.body
      if (name !== undefined) await Promise.all((await organizations.rename(req.userId, name.trim())).map(forget))
      return organizations.get(req.personId, req.userId)
    },
  )
}

function addMembers(api: Api, { members, forget, log }: OrganizationRouteParts): void {
  const one = { params: MemberId, response: { 200: Member } }

  addList(api, '/organizations/:id/members', {
    summary: 'List the members of an organization',
    record: Member,
    page: (req, page) => members.page(req.userId, page),
    at: (row) => row.createdAt,
    toRecord: toMember,
  })

  api.patch(
    '/organizations/:id/members/:personId',
    { schema: { summary: 'Change the role and permissions of a member', body: MemberPatch, ...one } },
    async (req) => {
      const member = await members.change(acting(req), req.params.personId, req.body)
      await forget(member.id)
      const { role } = member
      log.info({ organizationId: req.userId, userId: member.id, role, byUserId: req.personId }, 'member changed')
      return member
    },
  )

  api.delete(
    '/organizations/:id/members/:personId',
    { schema: { summary: 'Remove a member; what they made stays, and their keys stop working', ...one } },
    async (req) => {
      const member = await members.remove(acting(req), req.params.personId)
      await forget(member.id)
      log.info({ organizationId: req.userId, userId: member.id, byUserId: req.personId }, 'member removed')
      return member
    },
  )

  api.post(
    '/organizations/:id/leave',
    { schema: { summary: 'Leave an organization', params: ById, response: { 200: Member } } },
    async (req) => {
      const member = await members.remove(acting(req), req.personId)
      await forget(member.id)
      log.info({ organizationId: req.userId, userId: member.id }, 'member left')
      return member
    },
  )
}

function addInvitations(api: Api, { invitations, log }: OrganizationRouteParts): void {
  addList(api, '/organizations/:id/invitations', {
    summary: 'List invitations to an organization that nobody has used yet',
    record: MemberInvitation,
    page: (req, page) => invitations.page(req.userId, page),
    at: (row) => row.createdAt,
    toRecord: toMemberInvitation,
  })

  api.post(
    '/organizations/:id/invitations',
    {
      schema: {
        summary: 'Invite a person; the one-time link works for 24 hours and is returned only once',
        params: ById,
        body: NewMemberInvitation,
        response: { 201: CreatedMemberInvitation },
      },
    },
    async (req, reply) => {
      const invitation = await invitations.create(acting(req), req.body)
      log.info({ organizationId: req.userId, invitationId: invitation.id, byUserId: req.personId }, 'member invited')
      return reply.code(201).send(invitation)
    },
  )

  api.post(
    '/organizations/:id/invitations/:invitationId/renew',
    {
      schema: {
        summary: 'Create a new link for an invitation; the former one stops working',
        params: InvitationId,
        response: { 200: CreatedMemberInvitation },
      },
    },
    async (req) => {
      const invitation = await invitations.renew(acting(req), req.params.invitationId)
      log.info(
        { organizationId: req.userId, invitationId: invitation.id, byUserId: req.personId },
        'invitation renewed',
      )
      return invitation
    },
  )

  api.delete(
    '/organizations/:id/invitations/:invitationId',
    {
      schema: { summary: 'Revoke an invitation', params: InvitationId, response: { 200: MemberInvitation } },
    },
    async (req) => {
      const invitation = await invitations.revoke(acting(req), req.params.invitationId)
      log.info(
        { organizationId: req.userId, invitationId: invitation.id, byUserId: req.personId },
        'invitation revoked',
      )
      return invitation
    },
  )
}
