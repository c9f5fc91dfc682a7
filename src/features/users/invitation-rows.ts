// One-time links for other features: a new row with its token, and an invitation as shown.
import { hash, randomBytes } from 'node:crypto'
import { newId } from '../../base/ids.ts'
import { DAY_MS, nowMs, toIso } from '../../base/time/clock.ts'
import type { InvitationRow } from '../../db/people-rows.ts'

const LIFE_MS = DAY_MS
const TOKEN_BYTES = 32

type About = Omit<InvitationRow, 'id' | 'hash' | 'createdBy' | 'createdAt' | 'expiresAt'>

/** The row and the path of a new link; only a hash of its token is stored. */
export function newLink(actorId: string, about: About): { row: InvitationRow; path: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const createdMs = nowMs()
  const row: InvitationRow = {
    kind: about.kind,
    userId: about.userId,
    email: about.email,
    name: about.name,
    role: about.role,
    organizationId: about.organizationId ?? null,
    memberRole: about.memberRole ?? null,
    id: newId('inv'),
    hash: hash('sha256', token),
    createdBy: actorId,
    createdAt: toIso(createdMs),
    expiresAt: toIso(createdMs + LIFE_MS),
  }
  // After the #: browsers do not send this part to servers, so it appears in no access log.
  return { row, path: `/invite#${token}` }
}

export const isExpired = ({ expiresAt }: Pick<InvitationRow, 'expiresAt'>): boolean => Date.parse(expiresAt) <= nowMs()

/** What all invitations show. */
export const shownInvitation = (row: InvitationRow) => ({
  id: row.id,
  email: row.email ?? '',
  name: row.name,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  isExpired: isExpired(row),
})
