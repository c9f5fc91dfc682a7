// Invitations to an organization: one-time links, valid for a day. Using them is in users/link-store.ts.
import { appError, found } from '../../base/errors/errors.ts'
import { audit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { olderThan, type PageRequest } from '../../db/owned.ts'
import type { InvitationRow } from '../../db/people-rows.ts'
import { newLink, shownInvitation } from '../users/invitation-rows.ts'
import { checkedEmail } from '../users/rows.ts'
import { type Acting, lockAsActor, requireRank } from './member-store.ts'
import type { CreatedMemberInvitation, MemberInvitation, NewMemberInvitation } from './schema.ts'

/** Maximum number of unused invitations of an organization. */
const MAX_OPEN = 200

export type MemberInvitations = ReturnType<typeof memberInvitations>

export function memberInvitations(db: Db) {
  const own = (from: Db | Trx, organizationId: string) =>
    from.selectFrom('invitations').selectAll().where('kind', '=', 'member').where('organizationId', '=', organizationId)

  /** The actor's role permits this invitation; locked until the transaction ends. */
  async function lockInvitation(trx: Trx, acting: Acting, id: string): Promise<InvitationRow> {
    const actor = await lockAsActor(trx, acting)
    const { organizationId } = acting
    const row = found('Invitation', await lockRow(trx, 'invitations', { id, kind: 'member', organizationId }))
    if (row.memberRole) requireRank(actor, [row.memberRole])
    return row
  }

  return {
    page(organizationId: string, page: PageRequest): Promise<InvitationRow[]> {
      const newest = own(db, organizationId).orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(page.limit)
      return (page.after ? newest.where(olderThan('createdAt', page.after.at, page.after.id)) : newest).execute()
    },

    /** A second invitation of the same address replaces the first. */
    async create(acting: Acting, given: NewMemberInvitation): Promise<CreatedMemberInvitation> {
      const email = checkedEmail(given.email)
      const { organizationId, actorId } = acting
      return db.inTransaction(async (trx) => {
        requireRank(await lockAsActor(trx, acting), [given.role])
        await requireNotMember(trx, organizationId, email)
        const same = trx.deleteFrom('invitations').where('organizationId', '=', organizationId)
        await same.where('kind', '=', 'member').where('email', '=', email).execute()
        if ((await own(trx, organizationId).execute()).length >= MAX_OPEN) throw appError('invitations_open')
        const { row, path } = newLink(actorId, {
          kind: 'member',
          userId: null,
          email,
          name: given.name?.trim() || (email.split('@')[0] as string),
          role: 'member',
          organizationId,
          memberRole: given.role,
        })
        await trx.insertInto('invitations').values(row).execute()
        await audit(trx, { kind: 'invitation', userId: organizationId, after: row })
        return { ...toMemberInvitation(row), path }
      })
    },

    /** A new link for another day; the previous one stops working. */
    async renew(acting: Acting, id: string): Promise<CreatedMemberInvitation> {
      return db.inTransaction(async (trx) => {
        const before = await lockInvitation(trx, acting, id)
        const { row, path } = newLink(acting.actorId, before)
        const { hash, createdBy, createdAt, expiresAt } = row
        const set = trx.updateTable('invitations').set({ hash, createdBy, createdAt, expiresAt })
        await set.where('id', '=', id).execute()
        const userId = acting.organizationId
        await audit(trx, { kind: 'invitation', action: 'renewed', userId, id, before, after: row })
        return { ...toMemberInvitation({ ...row, id }), path }
      })
    },

    async revoke(acting: Acting, id: string): Promise<MemberInvitation> {
      return db.inTransaction(async (trx) => {
        const row = await lockInvitation(trx, acting, id)
        await trx.deleteFrom('invitations').where('id', '=', id).execute()
        await audit(trx, { kind: 'invitation', userId: acting.organizationId, before: row })
        return toMemberInvitation(row)
      })
    },
  }
}

async function requireNotMember(trx: Trx, organizationId: string, email: string): Promise<void> {
  const member = await trx
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.personId')
    .select('users.id')
    .where('members.organizationId', '=', organizationId)
    .where('users.email', '=', email)
    .executeTakeFirst()
  if (member) throw appError('member_already')
}

export const toMemberInvitation = (row: InvitationRow): MemberInvitation => ({
  ...shownInvitation(row),
  role: row.memberRole ?? 'viewer',
})
