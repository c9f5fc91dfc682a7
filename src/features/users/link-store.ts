// Using a one-time link: see what it is for, then join or set a new password. A link works once.
import { hash, timingSafeEqual } from 'node:crypto'
import { appError } from '../../base/errors/errors.ts'
import { now } from '../../base/time/clock.ts'
import { audit } from '../../db/audit.ts'
import { type Db, isUniqueViolation, type Trx } from '../../db/database.ts'
import { eventWriter } from '../../db/outbox.ts'
import type { InvitationRow } from '../../db/people-rows.ts'
import { bit } from '../../db/tables.ts'
import { auditPerson } from '../audit/rows.ts'
import { announce } from './account-store.ts'
import { isExpired } from './invitation-rows.ts'
import { requireFreeEmail } from './password-store.ts'
import { newUserRow, type User, userFields } from './rows.ts'

const TOKEN_LENGTH = 43 // in base64url

export type InvitationLinks = ReturnType<typeof invitationLinks>
/** What the holder of the link is shown. */
export type OpenLink = Pick<InvitationRow, 'kind' | 'email' | 'name'> & {
  /** The organization that the person is invited to. */
  organization: string | null
  /** Somebody signs in with this address already: they sign in to accept. */
  isKnown: boolean
}

/** The same error as for a token that never existed, so that nobody learns which links there were. */
const linkGone = () => appError('link_gone')

export function invitationLinks(db: Db) {
  const writeEvent = eventWriter(db)
  return {
    /** What a link is for, while it is valid. */
    async open(token: string): Promise<OpenLink> {
      const row = await openRow(db, token)
      if (!row) throw linkGone()
      const { kind, email, name } = row
      if (kind !== 'member') return { kind, email, name, organization: null, isKnown: false }
      const organization = await organizationOf(db, row)
      return { kind, email, name, organization: organization.name, isKnown: (await withEmail(db, email)) !== undefined }
    },

    /** Adds a person who already has an account. Only the account with the invited address may use the link. */
    async accept(token: string, personId: string): Promise<string> {
      return db.inTransaction(async (trx) => {
        const row = await take(trx, token, 'member')
        if ((await withEmail(trx, row.email)) !== personId) throw appError('invitation_other_person')
        return addMember(trx, row, personId)
      })
    },

    /** Creates the invited person as a member; they get no organization of their own. */
    async joinOrganization(token: string, given: { name: string; passwordHash: string }): Promise<User> {
      const work = db.inTransaction(async (trx) => {
        const row = await take(trx, token, 'member')
        const user = newUserRow(given.name, row.email, 'member')
        if (row.email !== null) await requireFreeEmail(trx, row.email)
        await trx
          .insertInto('users')
          .values({ ...user, passwordHash: given.passwordHash })
          .execute()
        await trx.deleteFrom('organizations').where('id', '=', user.id).execute()
        await addMember(trx, row, user.id)
        return user
      })
      return work.catch(takenMeanwhile)
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
        await auditPerson(trx, user.id, { kind: 'user', action: 'password_reset', id: user.id }, byLink(user.id))
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
  return isExpired(row) ? undefined : row
}

async function organizationOf(
  from: Db | Trx,
  { organizationId }: InvitationRow,
): Promise<{ id: string; name: string }> {
  const row = from
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('id', '=', organizationId ?? '')
  const organization = await row.executeTakeFirst()
  if (!organization) throw linkGone()
  return organization
}

/** The person who signs in with this address. */
async function withEmail(from: Db | Trx, email: string | null): Promise<string | undefined> {
  const person = from
    .selectFrom('users')
    .select('id')
    .where('email', '=', email ?? '')
  return (await person.where('passwordHash', 'is not', null).executeTakeFirst())?.id
}

/** Returns the id of the organization. A member keeps the role that they have. */
async function addMember(trx: Trx, invitation: InvitationRow, personId: string): Promise<string> {
  const { id: organizationId } = await organizationOf(trx, invitation)
  const role = invitation.memberRole ?? 'viewer'
  await trx
    .insertInto('members')
    .values({ organizationId, personId, role, mayListen: bit(false), mayExport: bit(false), createdAt: now() })
    .onConflict((c) => c.columns(['organizationId', 'personId']).doNothing())
    .execute()
  const after = { role, mayListen: 0, mayExport: 0 }
  await audit(trx, { kind: 'member', userId: organizationId, id: personId, after }, byLink(personId))
  await trx.updateTable('users').set({ lastOrganizationId: organizationId }).where('id', '=', personId).execute()
  return organizationId
}

/** The holder of the link is taken for the person. */
const byLink = (personId: string) => ({ personId, credentialId: null, address: null })

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
