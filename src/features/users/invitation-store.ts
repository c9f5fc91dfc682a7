// One-time links: to join, or to set a new password. They work for a day and once; only a hash of the token is stored.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { appError, found, notFound } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { DAY_MS, nowMs, toIso } from '../../base/time/clock.ts'
import { type Db, isUniqueViolation, type Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { WriteEvent } from '../../db/outbox.ts'
import { olderThan, type PageRequest } from '../../db/owned.ts'
import type { InvitationRow } from '../../db/people-rows.ts'
import { announce, requireAdmin } from './account-store.ts'
import { normalizeEmail } from './password-store.ts'
import type { CreatedInvitation, Invitation, NewInvitation, PasswordLink } from './schema.ts'
import { newUserRow, type User, userFields } from './store.ts'

const LIFE_MS = DAY_MS
const TOKEN_BYTES = 32
const TOKEN_LENGTH = 43 // in base64url
/** Invitations that nobody has used yet. */
const MAX_OPEN = 500

export type Invitations = ReturnType<typeof invitationStore>
/** What the person with the link is shown. */
export type OpenLink = Pick<InvitationRow, 'kind' | 'email' | 'name'>

/** The same for a token that never existed: nobody learns which links there were. */
const linkGone = () => appError('link_gone')

export function invitationStore(db: Db, writeEvent: WriteEvent) {
  const invited = () => db.selectFrom('invitations').selectAll().where('kind', '=', 'invitation')

  async function openRow(from: Db | Trx, token: string): Promise<InvitationRow | undefined> {
    if (token.length !== TOKEN_LENGTH) return undefined
    const given = hash('sha256', token)
    const row = await from.selectFrom('invitations').selectAll().where('hash', '=', given).executeTakeFirst()
    if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(given))) return undefined
    return Date.parse(row.expiresAt) > nowMs() ? row : undefined
  }

  /** Deleting the row is what uses the link: of two at once, the second finds none. */
  async function take(trx: Trx, token: string, kind: InvitationRow['kind']): Promise<InvitationRow> {
    const row = await openRow(trx, token)
    const taken =
      row?.kind === kind &&
      (await trx.deleteFrom('invitations').where('id', '=', row.id).returning('id').executeTakeFirst())
    if (!row || !taken) throw linkGone()
    return row
  }

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
        await requireFree(trx, email)
        await trx.deleteFrom('invitations').where('kind', '=', 'invitation').where('email', '=', email).execute()
        const { open } = await trx
          .selectFrom('invitations')
          .select((count) => count.fn.countAll().as('open'))
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
        await announce(trx, writeEvent, { type: 'user.invited', actorId, user: aboutRow(row) })
        return { ...toInvitation(row), path }
      })
    },

    /** A new link for another day; the former one stops working. */
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
        await announce(trx, writeEvent, { type: 'user.invitation_revoked', actorId, user: aboutRow(row) })
        return toInvitation(row)
      })
    },

    /** A link with which another user sets a new password; it replaces an earlier one. */
    async passwordLink(actorId: string, id: string, given: string | null): Promise<PasswordLink> {
      return db.inTransaction(async (trx) => {
        await requireAdmin(trx, actorId)
        const user = found('User', await lockRow(trx, 'users', { id }))
        if (user.removedAt) throw notFound('User')
        if (id === actorId) throw appError('own_password')
        if (user.disabledAt) throw appError('user_is_disabled')
        if (user.email === null && given === null) throw appError('no_email')
        const email = user.email ?? checkedEmail(given ?? '')
        await requireFree(trx, email, id)
        await trx.deleteFrom('invitations').where('userId', '=', id).execute()
        const { row, path } = newLink(actorId, {
          kind: 'password',
          userId: id,
          email,
          name: user.name,
          role: user.role,
        })
        await trx.insertInto('invitations').values(row).execute()
        await announce(trx, writeEvent, { type: 'user.password_link_created', actorId, user: { ...user, email } })
        return { email, path, expiresAt: row.expiresAt }
      })
    },

    /** What a link is for, while it works. */
    async open(token: string): Promise<OpenLink> {
      const row = await openRow(db, token)
      if (!row) throw linkGone()
      return row
    },

    /** Creates the invited user. */
    async join(token: string, given: { name: string; passwordHash: string }): Promise<User> {
      const work = db.inTransaction(async (trx) => {
        const { email, role, createdBy } = await take(trx, token, 'invitation')
        if (email !== null) await requireFree(trx, email)
        const user = newUserRow(given.name, email, role)
        await trx
          .insertInto('users')
          .values({ ...user, passwordHash: given.passwordHash })
          .execute()
        await announce(trx, writeEvent, { type: 'user.joined', actorId: createdBy, user })
        return user
      })
      return work.catch(takenMeanwhile)
    },

    /** Sets the new password and ends every session of the user. */
    async resetPassword(token: string, passwordHash: string): Promise<User> {
      const work = db.inTransaction(async (trx) => {
        const { userId, email, createdBy } = await take(trx, token, 'password')
        if (email !== null) await requireFree(trx, email, userId ?? '')
        const set = trx
          .updateTable('users')
          .set({ email, passwordHash })
          .where('id', '=', userId ?? '')
        const user = await set
          .where('removedAt', 'is', null)
          .where('disabledAt', 'is', null)
          .returning(userFields)
          .executeTakeFirst()
        if (!user) throw linkGone()
        await trx.deleteFrom('sessions').where('userId', '=', user.id).execute()
        await announce(trx, writeEvent, { type: 'user.password_reset', actorId: createdBy, user })
        return user
      })
      return work.catch(takenMeanwhile)
    },

    async removeOld(): Promise<void> {
      // Expired invitations stay in the list for a week, to be renewed.
      await db
        .deleteFrom('invitations')
        .where('expiresAt', '<', toIso(nowMs() - 7 * DAY_MS))
        .execute()
    },
  }
}

function newLink(actorId: string, given: Pick<InvitationRow, 'kind' | 'userId' | 'email' | 'name' | 'role'>) {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const { kind, userId, email, name, role } = given
  const createdMs = nowMs()
  const row: InvitationRow = {
    id: newId('inv'),
    kind,
    userId,
    email,
    name,
    role,
    hash: hash('sha256', token),
    createdBy: actorId,
    createdAt: toIso(createdMs),
    expiresAt: toIso(createdMs + LIFE_MS),
  }
  // After the #: browsers send this part to no server, so that it is in no access log.
  return { row, path: `/invite#${token}` }
}

const aboutRow = ({ name, email, role }: InvitationRow) => ({ id: null, name, email, role })

function checkedEmail(given: string): string {
  const email = normalizeEmail(given)
  if (email === undefined) throw appError('email_invalid')
  return email
}

/** The address was free when it was checked, and another transaction was quicker. */
function takenMeanwhile(error: unknown): never {
  throw isUniqueViolation(error) ? appError('email_taken', {}, { cause: error }) : error
}

async function requireFree(trx: Trx, email: string, exceptId = ''): Promise<void> {
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('passwordHash', 'is not', null)
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  if (other) throw appError('email_taken')
}

export const toInvitation = ({
  id,
  email,
  name,
  role,
  createdBy,
  createdAt,
  expiresAt,
}: InvitationRow): Invitation => ({
  id,
  email: email ?? '',
  name,
  role,
  createdBy,
  createdAt,
  expiresAt,
  isExpired: Date.parse(expiresAt) <= nowMs(),
})
