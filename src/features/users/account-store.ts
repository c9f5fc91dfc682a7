// Users as administrators manage them: role, disabling, second factor. Each change writes an event for every
// administrator.

import type { EventType } from '../../base/domain/event-types.ts'
import { appError, found, notFound } from '../../base/errors/errors.ts'
import { now } from '../../base/time/clock.ts'
import { audit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import { forUpdate, lockRow } from '../../db/lock-row.ts'
import { eventWriter, type WriteEvent } from '../../db/outbox.ts'
import { olderThan, type PageRequest } from '../../db/owned.ts'
import type { UserRow } from '../../db/tables.ts'
import type { Account, AccountPatch } from './schema.ts'

export type Accounts = ReturnType<typeof accountStore>
type UserEvent = Extract<EventType, `user.${string}`>
type AccountRow = UserRow & { confirmedAt: string | null }

export function accountStore(db: Db) {
  const writeEvent = eventWriter(db)
  const present = (from: Db | Trx) =>
    from
      .selectFrom('users')
      .leftJoin('secondFactors', 'secondFactors.userId', 'users.id')
      .selectAll('users')
      .select('secondFactors.confirmedAt')
      .where('users.removedAt', 'is', null)
      .where('users.isPerson', '=', 1)

  const byId = (from: Db | Trx, id: string): Promise<AccountRow | undefined> =>
    present(from).where('users.id', '=', id).executeTakeFirst()

  /** Locks and returns the other user, if the actor is still an administrator. */
  async function otherUser(trx: Trx, actorId: string, id: string): Promise<UserRow> {
    await requireAdmin(trx, actorId)
    const user = found('User', await lockRow(trx, 'users', { id }))
    if (user.removedAt || user.isPerson === 0) throw notFound('User')
    return user
  }

  return {
    page(page: PageRequest): Promise<AccountRow[]> {
      const newest = present(db).orderBy('users.createdAt', 'desc').orderBy('users.id', 'desc').limit(page.limit)
      const { after } = page
      return (after ? newest.where(olderThan('users.createdAt', after.at, after.id, 'users.id')) : newest).execute()
    },

    get: async (id: string): Promise<Account> => toAccount(found('User', await byId(db, id))),

    /** Disabling deletes the sessions; the caller clears the caches and ends the calls. */
    async change(actorId: string, id: string, patch: AccountPatch): Promise<Account> {
      return db.inTransaction(async (trx) => {
        const user = await otherUser(trx, actorId, id)
        const role = patch.role ?? user.role
        const isActive = patch.isActive ?? !user.disabledAt
        // Actors must remain active administrators themselves, so that there is always one.
        if (id === actorId && (role !== 'admin' || !isActive)) throw appError('own_account')
        const isDisabled = !user.disabledAt && !isActive
        const disabledAt = isActive ? null : (user.disabledAt ?? now())
        await trx.updateTable('users').set({ role, disabledAt }).where('id', '=', id).execute()
        await judgeOrganizations(trx, id)
        await audit(trx, { kind: 'user', userId: actorId, id, before: user, after: { ...user, role, disabledAt } })
        if (isDisabled) await trx.deleteFrom('sessions').where('userId', '=', id).execute()
        // Their links would let them back in.
        if (isDisabled) await trx.deleteFrom('invitations').where('userId', '=', id).execute()
        const made = trx.deleteFrom('invitations').where('createdBy', '=', id)
        if (isDisabled) await made.execute()
        // Inviting to an organization takes no role on the platform.
        else if (role !== 'admin') await made.where('kind', '!=', 'member').execute()
        const account = toAccount(found('User', await byId(trx, id)))
        if (role !== user.role) await announce(trx, writeEvent, { type: 'user.role_changed', actorId, user: account })
        if (isActive !== !user.disabledAt)
          await announce(trx, writeEvent, { type: isActive ? 'user.enabled' : 'user.disabled', actorId, user: account })
        return account
      })
    },

    /** The organizations of the person that are disabled, because no other member is active. */
    async disabledWith(id: string): Promise<string[]> {
      const rows = await db
        .selectFrom('members')
        .innerJoin('organizations', 'organizations.id', 'members.organizationId')
        .select('organizations.id')
        .where('members.personId', '=', id)
        .where('organizations.disabledAt', 'is not', null)
        .execute()
      return rows.map((row) => row.id)
    },

    /** Also ends all sessions: a lost phone may be in the wrong hands. */
    async removeSecondFactor(actorId: string, id: string): Promise<Account> {
      return db.inTransaction(async (trx) => {
        await otherUser(trx, actorId, id)
        if (id === actorId) throw appError('own_second_factor')
        const removed = await trx
          .deleteFrom('secondFactors')
          .where('userId', '=', id)
          .returning('confirmedAt')
          .execute()
        if (!removed[0]?.confirmedAt) throw appError('no_second_factor')
        await trx.deleteFrom('sessions').where('userId', '=', id).execute()
        const user = toAccount(found('User', await byId(trx, id)))
        await audit(trx, { kind: 'user', action: 'second_factor_removed', userId: actorId, id })
        await announce(trx, writeEvent, { type: 'user.second_factor_removed', actorId, user })
        return user
      })
    },
  }
}

/** An organization of this person is disabled while none of its members is active. */
async function judgeOrganizations(trx: Trx, personId: string): Promise<void> {
  const own = trx.selectFrom('members').select('organizationId').where('personId', '=', personId)
  const active = trx
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.personId')
    .select('members.organizationId')
    .where('users.disabledAt', 'is', null)
  const ofPerson = () => trx.updateTable('organizations').where('id', 'in', own)
  await ofPerson().set({ disabledAt: null }).where('id', 'in', active).execute()
  await ofPerson().set({ disabledAt: now() }).where('disabledAt', 'is', null).where('id', 'not in', active).execute()
}

/** Locks all active administrators, in a fixed order. Throws if the actor is no longer one of them. */
export async function requireAdmin(trx: Trx, actorId: string): Promise<void> {
  const admins = await forUpdate(trx, activeAdmins(trx)).execute()
  if (!admins.some(({ id }) => id === actorId)) throw appError('admin_only')
}

export const activeAdmins = (trx: Trx) =>
  trx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('isPerson', '=', 1)
    .where('removedAt', 'is', null)
    .where('disabledAt', 'is', null)
    .orderBy('id')

export type UserChange = {
  type: UserEvent
  actorId: string | null
  user: Pick<Account, 'name' | 'email' | 'role'> & { id: string | null }
}

/** Call last in the transaction. Every administrator sees what the others do. */
export async function announce(trx: Trx, write: WriteEvent, { type, actorId, user }: UserChange): Promise<void> {
  const { id, name, email, role } = user
  const data = { actorId, user: { id, name, email, role } }
  for (const admin of await activeAdmins(trx).execute()) await write(trx, { userId: admin.id, type, data })
}

export const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  isActive: !row.disabledAt,
  hasPassword: row.passwordHash !== null,
  hasSecondFactor: row.confirmedAt !== null,
  lastSignInAt: row.lastSignInAt ?? null,
  createdAt: row.createdAt,
})
