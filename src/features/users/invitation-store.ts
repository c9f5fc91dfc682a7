// One-time links created by administrators: to join, or to set a new password. They are valid for a day; only a hash of
// the token is stored.
import { appError, found, notFound } from '../../base/errors/errors.ts'
import { DAY_MS, nowMs, toIso } from '../../base/time/clock.ts'
import { audit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { eventWriter, type WriteEvent } from '../../db/outbox.ts'
import { olderThan, type PageRequest } from '../../db/owned.ts'
import type { InvitationRow } from '../../db/people-rows.ts'
import { announce, requireAdmin } from './account-store.ts'
import { newLink, shownInvitation } from './invitation-rows.ts'
import { requireFreeEmail } from './password-store.ts'
import { checkedEmail } from './rows.ts'
import type { CreatedInvitation, Invitation, NewInvitation, PasswordLink } from './schema.ts'

/** Maximum number of unused invitations. */
const MAX_OPEN = 500

export type Invitations = ReturnType<typeof invitationStore>
export function invitationStore(db: Db) {
  const writeEvent = eventWriter(db)
  const invited = () => db.selectFrom('invitations').selectAll().where('kind', '=', 'invitation')

  return {
    page(page: PageRequest): Promise<InvitationRow[]> {
      const newest = invited().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(page.limit)
      return (page.after ? newest.where(olderThan('createdAt', page.after.at, page.after.id)) : newest).execute()
    },

    /** A second invitation of the same address replaces the first. */
    async create(actorId: string, given: NewInvitation): Promise<CreatedInvitation> {
      const email = checkedEmail(given.email)
      return db.inTransaction(async (trx) => {
        await requireAdmin(trx, actorId)
        await requireFreeEmail(trx, email)
        await trx.deleteFrom('invitations').where('kind', '=', 'invitation').where('email', '=', email).execute()
        const { open } = await trx
          .selectFrom('invitations')
          .select((count) => count.fn.countAll().as('open'))
          .where('kind', '!=', 'member') // organizations have a limit of their own
          .executeTakeFirstOrThrow()
        if (Number(open) >= MAX_OPEN) throw appError('invitations_open')
        const name = given.name?.trim() || (email.split('@')[0] as string)
        const { row, path } = newLink(actorId, {
          kind: 'invitation',
          userId: null,
          email,
          name,
          role: given.role ?? 'member',
        })
        await trx.insertInto('invitations').values(row).execute()
        await audit(trx, { kind: 'invitation', userId: actorId, after: row })
        await announce(trx, writeEvent, { type: 'user.invited', actorId, user: aboutRow(row) })
        return { ...toInvitation(row), path }
      })
    },

    /** A new link for another day; the previous one stops working. */
    async renew(actorId: string, id: string): Promise<CreatedInvitation> {
      return db.inTransaction(async (trx) => {
        await requireAdmin(trx, actorId)
        const before = await lockRow(trx, 'invitations', { id, kind: 'invitation' })
        const { row, path } = newLink(actorId, found('Invitation', before))
        const { hash, createdBy, createdAt, expiresAt } = row
        await trx
          .updateTable('invitations')
          .set({ hash, createdBy, createdAt, expiresAt })
          .where('id', '=', id)
          .execute()
        await audit(trx, { kind: 'invitation', action: 'renewed', userId: actorId, id, before, after: row })
        await announce(trx, writeEvent, { type: 'user.invited', actorId, user: aboutRow(row) })
        return { ...toInvitation({ ...row, id }), path }
      })
    },

    async revoke(actorId: string, id: string): Promise<Invitation> {
      return db.inTransaction(async (trx) => {
        await requireAdmin(trx, actorId)
        const revoked = trx
          .deleteFrom('invitations')
          .where('id', '=', id)
          .where('kind', '=', 'invitation')
          .returningAll()
        const row = found('Invitation', await revoked.executeTakeFirst())
        await audit(trx, { kind: 'invitation', userId: actorId, before: row })
        await announce(trx, writeEvent, { type: 'user.invitation_revoked', actorId, user: aboutRow(row) })
        return toInvitation(row)
      })
    },

    /** A link with which another user sets a new password; it replaces an earlier one. */
    passwordLink: (actorId: string, id: string, given: string | null): Promise<PasswordLink> =>
      db.inTransaction((trx) => passwordLink(trx, writeEvent, { actorId, id, given })),

    async removeOld(): Promise<void> {
      // Expired invitations stay in the list for a week, so that they can be renewed.
      await db
        .deleteFrom('invitations')
        .where('expiresAt', '<', toIso(nowMs() - 7 * DAY_MS))
        .execute()
    },
  }
}

async function passwordLink(
  trx: Trx,
  writeEvent: WriteEvent,
  { actorId, id, given }: { actorId: string; id: string; given: string | null },
): Promise<PasswordLink> {
  await requireAdmin(trx, actorId)
  const user = found('User', await lockRow(trx, 'users', { id }))
  if (user.removedAt) throw notFound('User')
  if (id === actorId) throw appError('own_password')
  if (user.disabledAt) throw appError('user_is_disabled')
  if (user.email === null && given === null) throw appError('no_email')
  const email = user.email ?? checkedEmail(given ?? '')
  await requireFreeEmail(trx, email, id)
  await trx.deleteFrom('invitations').where('userId', '=', id).execute()
  const { row, path } = newLink(actorId, {
    kind: 'password',
    userId: id,
    email,
    name: user.name,
    role: user.role,
  })
  await trx.insertInto('invitations').values(row).execute()
  await audit(trx, { kind: 'user', action: 'password_link_created', userId: actorId, id })
  await announce(trx, writeEvent, { type: 'user.password_link_created', actorId, user: { ...user, email } })
  return { email, path, expiresAt: row.expiresAt }
}

const aboutRow = ({ name, email, role }: InvitationRow) => ({ id: null, name, email, role })

export const toInvitation = (row: InvitationRow): Invitation => ({ ...shownInvitation(row), role: row.role })
