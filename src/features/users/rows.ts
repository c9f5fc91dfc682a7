// Users for other features: a new row, normalized e-mail addresses, and role and e-mail by id for work without a
// request.
import type { Role } from '../../base/domain/role.ts'
import { appError } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import type { UserRow } from '../../db/tables.ts'

/** A user as shown, without the password hash. */
export type User = Pick<UserRow, 'id' | 'name' | 'email' | 'role' | 'createdAt'>
export const userFields = ['id', 'name', 'email', 'role', 'createdAt'] as const

export const newUserRow = (name: string, email: string | null, role: Role): User => ({
  id: newId('usr'),
  name,
  email,
  role,
  createdAt: now(),
})

/** Normalized for storage and look-up; undefined if it is not an e-mail address. */
export function normalizeEmail(text: string): string | undefined {
  const email = text.trim().normalize('NFC').toLowerCase()
  return email.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email) ? email : undefined
}

export function checkedEmail(given: string): string {
  const email = normalizeEmail(given)
  if (email === undefined) throw appError('email_invalid')
  return email
}

export type UserIdentity = { id: string; role: Role; email: string | null }
/** Whether an organization may receive and place calls: it has a member who is not disabled. */
export type IsUserActive = (userId: string) => Promise<boolean>
export type FindUserIdentity = (userId: string) => Promise<UserIdentity | undefined>

export function userIdentities(db: Db): FindUserIdentity {
  const byId = prepared<{ id: string }, UserIdentity>(db, (slot) =>
    db.selectFrom('users').select(['id', 'role', 'email']).where('id', '=', slot('id')),
  )
  return async (userId) => (await byId({ id: userId }))[0]
}

export function userActivity(db: Db): IsUserActive {
  const byId = prepared<{ id: string }, { id: string }>(db, (slot) =>
    db.selectFrom('organizations').select('id').where('id', '=', slot('id')).where('disabledAt', 'is', null),
  )
  return async (userId) => (await byId({ id: userId })).length > 0
}

/** An admin, or a user listed by the operator by id or e-mail. */
export const isAdminOrListed = (user: UserIdentity | undefined, named: readonly string[]): boolean =>
  user !== undefined && (user.role === 'admin' || named.includes(user.id) || named.includes(user.email ?? ''))
