// Users as the CLI manages them. Administrators' actions in the UI are in account-store.ts.

import { appError, found } from '../../base/errors/errors.ts'
import { now } from '../../base/time/clock.ts'
import type { Db, Trx } from '../../db/database.ts'
import { forUpdate } from '../../db/lock-row.ts'
import type { Role } from '../../db/tables.ts'
import { activeAdmins } from './account-store.ts'
import { newUserRow, type User, userFields } from './rows.ts'

export function userStore(db: Db) {
  const present = (from: Db | Trx = db) =>
    from.selectFrom('users').select(userFields).where('removedAt', 'is', null).where('isPerson', '=', 1)
  return {
    async create(name: string, email: string | null = null, role: Role = 'member'): Promise<User> {
      const row = newUserRow(name, email, role)
      await db.insertInto('users').values(row).execute()
      return row
    },

    list: (): Promise<User[]> => present().orderBy('createdAt').orderBy('id').execute(),

    /** By id, or by a name or e-mail that is unique. */
    async get(who: string): Promise<User> {
      const matches = await present()
        .where((where) => where.or([where('id', '=', who), where('name', '=', who), where('email', '=', who)]))
        .execute()
      if (matches.length > 1) throw new Error(`More than one user is called ${who}: name the id`)
      return found('User', matches[0])
    },

    async setRole(id: string, role: Role): Promise<User> {
      return db.inTransaction(async (trx) => {
        if (role !== 'admin') await keepAnAdmin(trx, id)
        const row = await trx
          .updateTable('users')
          .set({ role })
          .where('id', '=', id)
          .where('removedAt', 'is', null)
          .returning(userFields)
          .executeTakeFirst()
        return found('User', row)
      })
    },

    /**
     * Signs the user out and hides them from every reader at once, with all agents; the rest of their data is purged
     * later (db/purge.ts). Numbers and trunks are deleted now, because another user may need them. An organization that
     * has other members stays, with what the user made in it: false, if that is the one with the user's own id.
     */
    async remove(id: string): Promise<boolean> {
      return db.inTransaction(async (trx) => {
        await keepAnAdmin(trx, id)
        found('User', await present(trx).where('id', '=', id).executeTakeFirst())
        await keepOwners(trx, id)
        if (await hasOtherMembers(trx, id)) {
          await removePerson(trx, id)
          return false
        }
        const set = { removedAt: now(), email: null, passwordHash: null }
        const hidden = trx.updateTable('users').set(set).where('id', '=', id).where('removedAt', 'is', null)
        found('User', await hidden.returning('id').executeTakeFirst())
        await trx.updateTable('agents').set({ removedAt: now() }).where('userId', '=', id).execute()
        await trx.updateTable('webhooks').set({ isActive: 0 }).where('userId', '=', id).execute()
        await trx.updateTable('devices').set({ agentId: null }).where('userId', '=', id).execute()
        // Trunks last: their trigger locks the change counter, which must not be held while waiting for other rows.
        for (const table of ['sessions', 'apiKeys', 'dids', 'trunks'] as const)
          await trx.deleteFrom(table).where('userId', '=', id).execute()
        await trx.deleteFrom('members').where('personId', '=', id).execute()
        return true
      })
    },
  }
}

async function hasOtherMembers(trx: Trx, id: string): Promise<boolean> {
  const others = trx.selectFrom('members').select('personId').where('organizationId', '=', id)
  return (await others.where('personId', '!=', id).executeTakeFirst()) !== undefined
}

/** Throws if an organization with other members would lose its only owner. */
async function keepOwners(trx: Trx, id: string): Promise<void> {
  const owned = await trx
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organizationId')
    .select(['organizations.id', 'organizations.name'])
    .where('members.personId', '=', id)
    .where('members.role', '=', 'owner')
    .execute()
  for (const organization of owned) {
    const others = await trx
      .selectFrom('members')
      .select('role')
      .where('organizationId', '=', organization.id)
      .where('personId', '!=', id)
      .execute()
    if (others.length > 0 && !others.some(({ role }) => role === 'owner'))
      throw appError('last_owner_of', { name: organization.name })
  }
}

/** The person is gone; the row stays as the owner of what their organization has. */
async function removePerson(trx: Trx, id: string): Promise<void> {
  const set = { isPerson: 0 as const, email: null, passwordHash: null, lastOrganizationId: null }
  await trx.updateTable('users').set(set).where('id', '=', id).execute()
  for (const table of ['sessions', 'secondFactors', 'recoveryCodes'] as const)
    await trx.deleteFrom(table).where('userId', '=', id).execute()
  await trx.deleteFrom('members').where('personId', '=', id).execute()
  await trx.deleteFrom('invitations').where('createdBy', '=', id).execute()
}

/**
 * Throws if `id` is the only administrator. Locks all administrators, so that of two concurrent demotions the second
 * sees the first.
 */
async function keepAnAdmin(trx: Trx, id: string): Promise<void> {
  const admins = await forUpdate(trx, activeAdmins(trx)).execute()
  if (admins.length === 1 && admins[0]?.id === id) throw appError('last_admin')
}
