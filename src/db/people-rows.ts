// Rows of organizations, their members, invitations, and saved rehearsals.
import type { MemberRole } from '../base/domain/organization-roles.ts'
import type { Role } from '../base/domain/role.ts'

/** Owns records: its id is in their `userId`. The organization of one person has that person's id. */
export type OrganizationRow = {
  id: string
  name: string
  createdAt: string
  disabledAt: string | null // no active member is left: it takes and places no calls
}

export type MemberRow = {
  organizationId: string
  personId: string
  role: MemberRole
  mayListen: 0 | 1 // to recordings, beyond the role
  mayExport: 0 | 1
  createdAt: string
}

/** A one-time link: to join, or to set a new password. Using or revoking it deletes the row. */
export type InvitationRow = {
  id: string
  kind: 'invitation' | 'password' | 'member'
  userId: string | null // whose password it sets; null: for a new user
  email: string | null
  name: string
  role: Role
  hash: string // SHA-256 of the token in the link
  createdBy: string
  createdAt: string
  expiresAt: string
  organizationId?: string | null // of which the person becomes a member
  memberRole?: MemberRole | null
}

/** A saved rehearsal: what its caller does, and what is expected. */
export type RehearsalScriptRow = {
  id: string
  userId: string
  agentId: string
  callId: string | null // the call whose caller it replays; removed with that call
  name: string
  script: string // JSON
  createdAt: string
  updatedAt: string
}
