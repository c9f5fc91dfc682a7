// Users. They are managed by the command line; the spec has no route for them.
import { now } from '../../base/clock.ts'
import { AppError, found } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { Role, UserRow } from '../../db/tables.ts'

/** What is told of a user: never the password, in any form. */
export type User = Omit<UserRow, 'passwordHash'>
export const userFields = ['id', 'name', 'email', 'role', 'createdAt'] as const

export const newUserRow = (name: string, email: string | null, role: Role): User => ({
  id: newId('usr'),
  name,
  email,
  role,
  createdAt: now(),
})

export function userStore(db: Db) {
  return {
    async create(name: string, email: string | null = null, role: Role = 'member'): Promise<User> {
      const row = newUserRow(name, email, role)
      await db.insertInto('users').values(row).execute()
      return row
    },

    list: (): Promise<User[]> => db.selectFrom('users').select(userFields).orderBy('createdAt').orderBy('id').execute(),

    /** By id, or by a name or e-mail that only one user has. */
    async get(who: string): Promise<User> {
      const matches = await db
        .selectFrom('users')
        .select(userFields)
        .where((where) => where.or([where('id', '=', who), where('name', '=', who), where('email', '=', who)]))
        .execute()
      if (matches.length > 1) throw new Error(`More than one user is called ${who}: name the id`)
      return found('User', matches[0])
    },

    async setRole(id: string, role: Role): Promise<User> {
      return db.transaction().execute(async (trx) => {
        if (role !== 'admin') await keepAnAdmin(trx, id)
        const row = await trx
          .updateTable('users')
          .set({ role })
          .where('id', '=', id)
          .returning(userFields)
          .executeTakeFirst()
        return found('User', row)
      })
    },

    /** With everything that is theirs. Returns the recordings, whose files the caller removes. */
    async remove(id: string): Promise<string[]> {
      return db.transaction().execute(async (trx) => {
        await keepAnAdmin(trx, id)
        const calls = await trx.selectFrom('calls').select('recording').where('userId', '=', id).execute()
        found('User', await trx.deleteFrom('users').where('id', '=', id).returning('id').executeTakeFirst())
        return calls.flatMap((call) => call.recording ?? [])
      })
    },
  }
}

/** Throws where `id` is the only administrator. Writing their rows locks them: of two demotions at once, the second sees the first. */
async function keepAnAdmin(trx: Trx, id: string): Promise<void> {
  const admins = await trx
    .updateTable('users')
    .set({ role: 'admin' })
    .where('role', '=', 'admin')
    .returning('id')
    .execute()
  if (admins.length === 1 && admins[0]?.id === id)
    throw new AppError('conflict', 'This is the only administrator: make another user an administrator first')
}
