// Rows of invitations and of saved rehearsals.
import type { Role } from '../base/domain/role.ts'

/** A one-time link: to join, or to set a new password. Using or revoking it deletes the row. */
export type InvitationRow = {
  id: string
  kind: 'invitation' | 'password'
  userId: string | null // whose password it sets; null: for a new user
  email: string | null
  name: string
  role: Role
  hash: string // SHA-256 of the token in the link
  createdBy: string
  createdAt: string
  expiresAt: string
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
