// API schemas of users and invitations, for administrators.
import { type Static, Type } from 'typebox'
import { Body, Choice, Example, Id, Maybe, Nullable, Text, Timestamp } from '../../http/schema.ts'

const role = Choice(['admin', 'member'], { examples: ['member'] })
const Email = Type.String({ minLength: 3, maxLength: 320, examples: ['bia@example.com'] })

export const Account = Type.Object(
  {
    id: Id('usr'),
    name: Example('Bia Nunes'),
    email: Nullable(Example('bia@example.com')),
    role,
    isActive: Type.Boolean({ description: 'false: disabled; signs in nowhere, and takes and places no calls' }),
    hasPassword: Type.Boolean({ description: 'false: signs in only with an API key' }),
    hasSecondFactor: Type.Boolean({ examples: [false] }),
    lastSignInAt: Nullable({ ...Timestamp, description: 'On the page, since this is recorded' }),
    createdAt: Timestamp,
  },
  { title: 'User' },
)
export type Account = Static<typeof Account>

export const AccountPatch = Body({ role: Type.Optional(role), isActive: Type.Optional(Type.Boolean()) })
export type AccountPatch = Static<typeof AccountPatch>

export const Invitation = Type.Object(
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
  { title: 'Invitation' },
)
export type Invitation = Static<typeof Invitation>

export const NewInvitation = Body({
  email: Email,
  name: Maybe(Text(255, { description: 'Proposed name; the invited person may change it', examples: ['Bia Nunes'] })),
  role: Maybe(role),
})
export type NewInvitation = Static<typeof NewInvitation>

const link = {
  path: Example('/invite#q3v0…', {
    description:
      'The one-time link, below the address of the dashboard; returned only once. Send it to the person yourself',
  }),
  expiresAt: Timestamp,
}

export const CreatedInvitation = Type.Object({ ...Invitation.properties, ...link }, { title: 'CreatedInvitation' })
export type CreatedInvitation = Static<typeof CreatedInvitation>

export const NewPasswordLink = Body({
  email: Maybe(Type.String({ ...Email, description: 'For a user who has no e-mail address yet' })),
})
export const PasswordLink = Type.Object({ email: Example('bia@example.com'), ...link }, { title: 'PasswordLink' })
export type PasswordLink = Static<typeof PasswordLink>
