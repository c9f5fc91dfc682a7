// Using a one-time link: see what it is for, then join or set a new password. A link works once.
import { hash, timingSafeEqual } from 'node:crypto'
import { appError } from '../../base/errors/errors.ts'
import { nowMs } from '../../base/time/clock.ts'
import { type Db, isUniqueViolation, type Trx } from '../../db/database.ts'
import { eventWriter } from '../../db/outbox.ts'
import type { InvitationRow } from '../../db/people-rows.ts'
import { announce } from './account-store.ts'
import { requireFreeEmail } from './password-store.ts'
import { newUserRow, type User, userFields } from './rows.ts'

const TOKEN_LENGTH = 43 // in base64url

export type InvitationLinks = ReturnType<typeof invitationLinks>
/** What the holder of the link is shown. */
export type OpenLink = Pick<InvitationRow, 'kind' | 'email' | 'name'>

/** The same error as for a token that never existed, so that nobody learns which links there were. */
const linkGone = () => appError('link_gone')

export function invitationLinks(db: Db) {
  const writeEvent = eventWriter(db)
  return {
    /** What a link is for, while it is valid. */
    async open(token: string): Promise<OpenLink> {
      const row = await openRow(db, token)
      if (!row) throw linkGone()
      return row
    },

    /** Creates the invited user. */
    async join(token: string, given: { name: string; passwordHash: string }): Promise<User> {
      const work = db.inTransaction(async (trx) => {
        const { email, role, createdBy } = await take(trx, token, 'invitation')
        if (email !== null) await requireFreeEmail(trx, email)
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
        if (email !== null) await requireFreeEmail(trx, email, userId ?? '')
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
  }
}

async function openRow(from: Db | Trx, token: string): Promise<InvitationRow | undefined> {
  if (token.length !== TOKEN_LENGTH) return undefined
  const given = hash('sha256', token)
  const row = await from.selectFrom('invitations').selectAll().where('hash', '=', given).executeTakeFirst()
  if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(given))) return undefined
  return Date.parse(row.expiresAt) > nowMs() ? row : undefined
}

/** Deleting the row uses up the link: of two concurrent uses, the second finds none. */
async function take(trx: Trx, token: string, kind: InvitationRow['kind']): Promise<InvitationRow> {
  const row = await openRow(trx, token)
  const taken =
    row?.kind === kind &&
    (await trx.deleteFrom('invitations').where('id', '=', row.id).returning('id').executeTakeFirst())
  if (!row || !taken) throw linkGone()
  return row
}

/** The address was free when checked, but another transaction was faster. */
function takenMeanwhile(error: unknown): never {
  throw isUniqueViolation(error) ? appError('email_taken', {}, { cause: error }) : error
}
