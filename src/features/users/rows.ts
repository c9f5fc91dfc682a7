// A user's role and e-mail by id, for work without a request, such as a tool in a call.
import type { Role } from '../../base/domain/role.ts'
import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'

export type UserIdentity = { id: string; role: Role; email: string | null }
/** Whether a user may take and place calls: not disabled by an administrator. */
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
    db.selectFrom('users').select('id').where('id', '=', slot('id')).where('disabledAt', 'is', null),
  )
  return async (userId) => (await byId({ id: userId })).length > 0
}

/** An admin, or a user whom the operator lists by id or e-mail. */
export const isAdminOrListed = (user: UserIdentity | undefined, named: readonly string[]): boolean =>
  user !== undefined && (user.role === 'admin' || named.includes(user.id) || named.includes(user.email ?? ''))
