// Users' sign-in data: e-mail and password hash. Never part of a response.
import { appError } from '../../base/errors/errors.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { UserRow } from '../../db/tables.ts'
import { auditPerson } from '../audit/rows.ts'
import { type User, userFields } from './rows.ts'

export type Passwords = ReturnType<typeof userPasswords>

export function userPasswords(db: Db) {
  return {
    async isAnySet(): Promise<boolean> {
      const row = await db.selectFrom('users').select('id').where('passwordHash', 'is not', null).executeTakeFirst()
      return row !== undefined
    },

    byEmail: (email: string): Promise<UserRow | undefined> =>
      db
        .selectFrom('users')
        .selectAll()
        .where('email', '=', email)
        .where('passwordHash', 'is not', null)
        .executeTakeFirst(),

    byId: (id: string): Promise<UserRow | undefined> =>
      db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst(),

    user: (id: string): Promise<User | undefined> =>
      db.selectFrom('users').select(userFields).where('id', '=', id).executeTakeFirst(),

    /** Sets the password of the first user, or otherwise the oldest, while no user has one; undefined if one has. */
    async setFirst(email: string, passwordHash: string): Promise<User | undefined> {
      return db.inTransaction(async (trx) => {
        const id = await firstUser(trx)
        if (id === undefined) throw appError('user_missing')
        return trx
          .updateTable('users')
          .set({ email, passwordHash })
          .where('id', '=', id)
          .where('passwordHash', 'is', null) // of two concurrent requests, the second finds the row changed
          .where((where) =>
            where.not(
              where.exists(trx.selectFrom('users as other').select('id').where('other.passwordHash', 'is not', null)),
            ),
          )
          .returning(userFields)
          .executeTakeFirst()
      })
    },

    async set(id: string, email: string, passwordHash: string): Promise<void> {
      await db.inTransaction(async (trx) => {
        await requireFreeEmail(trx, email, id)
        await trx.updateTable('users').set({ email, passwordHash }).where('id', '=', id).execute()
        await auditPerson(trx, id, { kind: 'user', action: 'password_changed', id })
      })
    },
  }
}

/** Throws if another user signs in with this address. */
export async function requireFreeEmail(trx: Trx, email: string, exceptId = ''): Promise<void> {
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('passwordHash', 'is not', null)
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  if (other) throw appError('email_taken')
}

async function firstUser(trx: Trx): Promise<string | undefined> {
  const made = await trx
    .selectFrom('meta')
    .innerJoin('users', 'users.id', 'meta.value')
    .select('users.id')
    .where('meta.name', '=', 'first-user')
    .where('users.removedAt', 'is', null)
    .where('users.isPerson', '=', 1)
    .executeTakeFirst()
  const oldest = () =>
    trx
      .selectFrom('users')
      .select('id')
      .where('removedAt', 'is', null)
      .where('isPerson', '=', 1)
      .orderBy('createdAt')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
  return (made ?? (await oldest()))?.id
}
