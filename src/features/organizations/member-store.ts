// Members of an organization. Whoever changes them is judged again inside the transaction, under the lock of the
// organization: an organization always has an owner who can sign in, and only owners make or remove owners.
import type { MemberRole } from '../../base/domain/organization-roles.ts'
import { appError, found } from '../../base/errors/errors.ts'
import { audit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { olderThan, type PageRequest } from '../../db/owned.ts'
import type { MemberRow } from '../../db/people-rows.ts'
import { bit, type UserRow } from '../../db/tables.ts'
import { rightsOf } from './rows.ts'
import type { Member, MemberPatch } from './schema.ts'

export type MemberStore = ReturnType<typeof memberStore>
export type MemberSeen = MemberRow & Pick<UserRow, 'name' | 'email' | 'disabledAt' | 'lastSignInAt'> & { id: string }
/** The organization, and who acts in it. */
export type Acting = { organizationId: string; actorId: string }

export function memberStore(db: Db) {
  const seen = (from: Db | Trx, organizationId: string) =>
    from
      .selectFrom('members')
      .innerJoin('users', 'users.id', 'members.personId')
      .selectAll('members')
      .select(['users.id', 'users.name', 'users.email', 'users.disabledAt', 'users.lastSignInAt'])
      .where('members.organizationId', '=', organizationId)

  async function one(from: Db | Trx, organizationId: string, personId: string): Promise<MemberSeen> {
    return found('Member', await seen(from, organizationId).where('members.personId', '=', personId).executeTakeFirst())
  }

  return {
    page(organizationId: string, page: PageRequest): Promise<MemberSeen[]> {
      const newest = seen(db, organizationId)
        .orderBy('members.createdAt', 'desc')
        .orderBy('members.personId', 'desc')
        .limit(page.limit)
      const { after } = page
      return (
        after ? newest.where(olderThan('members.createdAt', after.at, after.id, 'members.personId')) : newest
      ).execute()
    },

    async change({ organizationId, actorId }: Acting, personId: string, patch: MemberPatch): Promise<Member> {
      return db.inTransaction(async (trx) => {
        const actor = await lockAsActor(trx, { organizationId, actorId })
        const before = await one(trx, organizationId, personId)
        const role = patch.role ?? before.role
        requireRank(actor, [before.role, role])
        const set = {
          role,
          mayListen: bit(patch.mayListen ?? before.mayListen === 1),
          mayExport: bit(patch.mayExport ?? before.mayExport === 1),
        }
        const at = trx.updateTable('members').set(set).where('organizationId', '=', organizationId)
        await at.where('personId', '=', personId).execute()
        await keepAnOwner(trx, organizationId)
        await audit(trx, { ...recordOf(organizationId, personId), before: pick(before), after: set })
        if (!rightsOf({ ...set }).may.has('members:write')) await dropInvitationsBy(trx, organizationId, personId)
        return toMember(await one(trx, organizationId, personId))
      })
    },

    /** Removes another member, or the actor. What they made stays; their keys stop working. */
    async remove({ organizationId, actorId }: Acting, personId: string): Promise<Member> {
      return db.inTransaction(async (trx) => {
        const isLeaving = personId === actorId
        if (isLeaving) await lockRow(trx, 'organizations', { id: organizationId })
        const actor = isLeaving ? undefined : await lockAsActor(trx, { organizationId, actorId })
        const removed = await one(trx, organizationId, personId)
        if (actor) requireRank(actor, [removed.role])
        const row = trx.deleteFrom('members').where('organizationId', '=', organizationId)
        await row.where('personId', '=', personId).execute()
        await keepAnOwner(trx, organizationId)
        await audit(trx, { ...recordOf(organizationId, personId), before: pick(removed) })
        await dropInvitationsBy(trx, organizationId, personId)
        return toMember(removed)
      })
    },
  }
}

const recordOf = (userId: string, id: string) => ({ kind: 'member', userId, id }) as const
/** The columns of a member that the audit log compares. */
const pick = ({ role, mayListen, mayExport }: MemberRow) => ({ role, mayListen, mayExport })

/** Locks the organization and returns the actor's role, which must still permit changing members. */
export async function lockAsActor(trx: Trx, { organizationId, actorId }: Acting): Promise<MemberRole> {
  found('Organization', await lockRow(trx, 'organizations', { id: organizationId }))
  const row = await lockRow(trx, 'members', { organizationId, personId: actorId })
  if (!row) throw appError('organization_none')
  if (!rightsOf(row).may.has('members:write'))
    throw appError('role_missing', { permission: 'members:write', role: row.role })
  return row.role
}

/** Only an owner makes, changes or removes owners. */
export function requireRank(actor: MemberRole, touched: readonly MemberRole[]): void {
  if (actor !== 'owner' && touched.includes('owner')) throw appError('owner_only')
}

async function keepAnOwner(trx: Trx, organizationId: string): Promise<void> {
  const owner = await trx
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.personId')
    .select('members.personId')
    .where('members.organizationId', '=', organizationId)
    .where('members.role', '=', 'owner')
    .where('users.disabledAt', 'is', null)
    .executeTakeFirst()
  if (!owner) throw appError('last_owner')
}

/** Their links would outlive their right to invite. */
async function dropInvitationsBy(trx: Trx, organizationId: string, createdBy: string): Promise<void> {
  const own = trx.deleteFrom('invitations').where('organizationId', '=', organizationId)
  await own.where('createdBy', '=', createdBy).execute()
}

export const toMember = (row: MemberSeen): Member => ({
  id: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  mayListen: row.mayListen === 1,
  mayExport: row.mayExport === 1,
  isActive: !row.disabledAt,
  lastSignInAt: row.lastSignInAt ?? null,
  joinedAt: row.createdAt,
})
