// API schemas of organizations, their members and invitations.
import { type Static, Type } from 'typebox'
import { memberRoles } from '../../base/domain/organization-roles.ts'
import { Body, Choice, Example, Id, Maybe, Nullable, Text, Timestamp } from '../../http/schema.ts'

const role = Choice([...memberRoles], {
  examples: ['builder'],
  description:
    'owner: everything; admin: everything but owners; builder: agents, tools and knowledge; ' +
    'attendant: calls and call-backs, no prompts, keys or providers; viewer: reads',
})
const mayListen = Type.Boolean({ description: 'Listens to recordings, beyond the role', examples: [false] })
const mayExport = Type.Boolean({ description: 'Exports results and lists, beyond the role', examples: [false] })
const OrganizationName = Text(255, { examples: ['Clínica Boa Vista'] })

export const Organization = Type.Object(
  {
    id: Type.String({ examples: ['org_01kjq4m8x2v6t0c3r9n5h7wzde'] }),
    name: OrganizationName,
    role: { ...role, description: 'Your role' },
    permissions: Type.Array(Type.String({ examples: ['calls:read'] }), { description: 'What you may do in it' }),
    isActive: Type.Boolean({ description: 'false: no member can sign in; it takes and places no calls' }),
    createdAt: Timestamp,
  },
  { title: 'Organization' },
)
export type Organization = Static<typeof Organization>

export const NewOrganization = Body({ name: OrganizationName })
export const OrganizationPatch = Body({ name: Type.Optional(OrganizationName) })

export const Member = Type.Object(
  {
    id: Id('usr'),
    name: Example('Bia Nunes'),
    email: Nullable(Example('bia@example.com')),
    role,
    mayListen,
    mayExport,
    isActive: Type.Boolean({ description: 'false: disabled by an administrator of the platform' }),
    lastSignInAt: Nullable(Timestamp),
    joinedAt: Timestamp,
  },
  { title: 'Member' },
)
export type Member = Static<typeof Member>

export const MemberPatch = Body({
  role: Type.Optional(role),
  mayListen: Type.Optional(mayListen),
  mayExport: Type.Optional(mayExport),
})
export type MemberPatch = Static<typeof MemberPatch>

export const MemberInvitation = Type.Object(
  {
    id: Id('inv'),
    email: Example('bia@example.com'),
    name: Example('Bia Nunes'),
    role,
    createdBy: Id('usr'),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    isExpired: Type.Boolean({ examples: [false] }),
  },
  { title: 'MemberInvitation' },
)
export type MemberInvitation = Static<typeof MemberInvitation>

export const NewMemberInvitation = Body({
  email: Type.String({ minLength: 3, maxLength: 320, examples: ['bia@example.com'] }),
  name: Maybe(Text(255, { description: 'Proposed name; the invited person may change it', examples: ['Bia Nunes'] })),
  role,
})
export type NewMemberInvitation = Static<typeof NewMemberInvitation>

export const CreatedMemberInvitation = Type.Object(
  {
    ...MemberInvitation.properties,
    path: Example('/invite#q3v0…', {
      description:
        'The one-time link, below the address of the dashboard; returned only once. Send it to the person yourself',
    }),
  },
  { title: 'CreatedMemberInvitation' },
)
export type CreatedMemberInvitation = Static<typeof CreatedMemberInvitation>
