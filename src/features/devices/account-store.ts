// The user's account at a gateway service. The password is write-only in the API.

import type { KeyRing } from '../../base/crypto/secrets.ts'
import { found } from '../../base/errors/errors.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import { audit, audited } from '../../db/audit.ts'
import type { Db } from '../../db/database.ts'
import type { GatewayCredentialsRow } from '../../db/tables.ts'
import type { Credentials, NewCredentials } from './schema.ts'

export type GatewayAccount = ReturnType<typeof gatewayAccount>

export function gatewayAccount(db: Db, secrets: KeyRing) {
  const place = (userId: string) => ({ table: 'gatewayCredentials', row: userId, column: 'passwordSealed', userId })
  const own = (userId: string) => db.selectFrom('gatewayCredentials').selectAll().where('userId', '=', userId)
  return {
    async save(
      userId: string,
      { email, password }: NewCredentials,
    ): Promise<{ made: boolean; credentials: Credentials }> {
      return db.inTransaction(async (trx) => {
        const account = {
          email,
          passwordSealed: secrets.seal(password, place(userId)),
          status: 'unverified' as const,
          lastVerifiedAt: null,
        }
        const createdAt = now()
        const made = await trx
          .insertInto('gatewayCredentials')
          .values({ userId, ...account, createdAt, updatedAt: createdAt })
          .onConflict((c) => c.column('userId').doNothing())
          .returningAll()
          .executeTakeFirst()
        if (made) {
          await audit(trx, { kind: 'gatewayAccount', after: made })
          return { made: true, credentials: toCredentials(made) }
        }
        const own = trx.selectFrom('gatewayCredentials').selectAll().where('userId', '=', userId)
        const before = await own.executeTakeFirst()
        const saved = await trx
          .updateTable('gatewayCredentials')
          .set({ ...account, updatedAt: nowAfter(before?.updatedAt ?? createdAt) })
          .where('userId', '=', userId)
          .returningAll()
          .executeTakeFirstOrThrow()
        await audit(trx, { kind: 'gatewayAccount', before, after: saved })
        return { made: false, credentials: toCredentials(saved) }
      })
    },

    async get(userId: string): Promise<Credentials> {
      return toCredentials(found('Gateway credentials', await own(userId).executeTakeFirst()))
    },

    /** For the gateway driver only: no route returns the password. */
    async account(userId: string): Promise<{ email: string; password: string } | undefined> {
      const row = await own(userId).executeTakeFirst()
      return row && { email: row.email, password: secrets.open(row.passwordSealed, place(userId)) }
    },

    /** Stores the result of a login, unless another account was saved meanwhile. */
    async checked(userId: string, status: 'valid' | 'invalid', savedAt?: string): Promise<void> {
      const own = db
        .updateTable('gatewayCredentials')
        .set({ status, lastVerifiedAt: now() })
        .where('userId', '=', userId)
      await (savedAt === undefined ? own : own.where('updatedAt', '=', savedAt)).execute()
    },

    async remove(userId: string): Promise<Credentials> {
      const removed = await audited(
        db,
        (on) => on.deleteFrom('gatewayCredentials').where('userId', '=', userId).returningAll().executeTakeFirst(),
        (before) => before && { kind: 'gatewayAccount', before },
      )
      return toCredentials(found('Gateway credentials', removed))
    },
  }
}

const toCredentials = ({ userId, passwordSealed, ...row }: GatewayCredentialsRow): Credentials => ({
  ...row,
  hasPassword: true,
})
