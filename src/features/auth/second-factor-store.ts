// Users' second factor: enrollment, confirmation by a first code, single-use codes, removal.
import { randomBytes } from 'node:crypto'
import type { KeyRing } from '../../base/crypto/secrets.ts'
import { appError } from '../../base/errors/errors.ts'
import { now, nowMs } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import type { SecondFactorRow } from '../../db/tables.ts'
import { auditPerson } from '../audit/rows.ts'
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts'
import { isTotp, stepOf } from './totp.ts'

/** The length of a SHA-1 output (RFC 4226 section 4, R6). */
const SECRET_BYTES = 20
/** How long after the start of enrollment the first code is accepted. */
const CONFIRM_MS = 15 * 60_000

export type SecondFactors = ReturnType<typeof secondFactors>

/** Removes blanks that people copy along with a code. */
export const plainCode = (given: string): string => given.replaceAll(/\s/g, '')

export function secondFactors(db: Db, secrets: Pick<KeyRing, 'seal' | 'open'>) {
  const place = (userId: string) => ({ table: 'secondFactors', row: userId, column: 'secretSealed', userId })
  const secretOf = (row: SecondFactorRow) => Buffer.from(secrets.open(row.secretSealed, place(row.userId)), 'base64url')

  return {
    isOn: async (userId: string): Promise<boolean> => (await confirmed(db, userId)) !== undefined,

    stateOf: (userId: string) => stateOf(db, userId),

    /** Creates a new secret, which takes effect once confirmed and replaces any unconfirmed one. */
    async begin(userId: string): Promise<Buffer> {
      const secret = randomBytes(SECRET_BYTES)
      const fresh = {
        secretSealed: secrets.seal(secret.toString('base64url'), place(userId)),
        createdAt: now(),
        lastStep: 0,
      }
      const written = await db
        .insertInto('secondFactors')
        .values({ userId, confirmedAt: null, ...fresh })
        .onConflict((c) => c.column('userId').doUpdateSet(fresh).where('secondFactors.confirmedAt', 'is', null))
        .returning('userId')
        .executeTakeFirst()
      if (!written) throw appError('second_factor_on_remove_first')
      return secret
    },

    /** Switches it on and returns the recovery codes, only this once. Undefined if the code is wrong. */
    async confirm(userId: string, code: string): Promise<string[] | undefined> {
      const row = await rowOf(db, userId)
      if (row?.confirmedAt) throw appError('second_factor_on')
      if (!row || Date.parse(row.createdAt) + CONFIRM_MS < nowMs()) throw appError('second_factor_not_begun')
      const secret = secretOf(row)
      const step = stepOf(secret, plainCode(code), nowMs(), row.lastStep)
      if (step === undefined) return undefined
      const codes = newRecoveryCodes()
      await turnOn(
        db,
        row,
        step,
        codes.map((one) => recoveryHash(secret, one)),
      )
      return codes
    },

    /** True for a valid app code or recovery code, which can then never be used again, in any process. */
    async takes(userId: string, given: string): Promise<boolean> {
      const row = await confirmed(db, userId)
      if (!row) return false
      const [secret, code] = [secretOf(row), plainCode(given)]
      if (!isTotp(code)) return takeRecoveryCode(db, userId, recoveryHash(secret, code))
      const step = stepOf(secret, code, nowMs(), row.lastStep)
      return step !== undefined && takeStep(db, userId, step)
    },

    /** Removes it with its recovery codes. False if there was none. */
    async remove(userId: string): Promise<boolean> {
      return db.inTransaction(async (trx) => {
        const own = trx.deleteFrom('secondFactors').where('userId', '=', userId)
        const wasOn = (await own.returning('confirmedAt').executeTakeFirst())?.confirmedAt != null
        if (wasOn) await auditPerson(trx, userId, { kind: 'user', action: 'second_factor_removed', id: userId })
        return wasOn
      })
    },
  }
}

const rowOf = (db: Db, userId: string) =>
  db.selectFrom('secondFactors').selectAll().where('userId', '=', userId).executeTakeFirst()

async function confirmed(db: Db, userId: string): Promise<SecondFactorRow | undefined> {
  const row = await rowOf(db, userId)
  return row && row.confirmedAt !== null ? row : undefined
}

type FactorState = { isOn: boolean; since: string | null; recoveryCodesLeft: number }

async function stateOf(db: Db, userId: string): Promise<FactorState> {
  const since = (await confirmed(db, userId))?.confirmedAt ?? null
  const { left } = await db
    .selectFrom('recoveryCodes')
    .select((count) => count.fn.countAll().as('left'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return { isOn: since !== null, since, recoveryCodesLeft: Number(left) }
}

const turnOn = (db: Db, { userId, secretSealed }: SecondFactorRow, step: number, hashes: string[]): Promise<void> =>
  db.inTransaction(async (trx) => {
    const turned = await trx
      .updateTable('secondFactors')
      .set({ confirmedAt: now(), lastStep: step })
      .where('userId', '=', userId)
      .where('confirmedAt', 'is', null)
      .where('secretSealed', '=', secretSealed) // and not an enrollment started meanwhile
      .returning('userId')
      .executeTakeFirst()
    if (!turned) throw appError('second_factor_raced')
    const rows = hashes.map((hash) => ({ userId, hash }))
    await trx.insertInto('recoveryCodes').values(rows).execute()
    await auditPerson(trx, userId, { kind: 'user', action: 'second_factor_added', id: userId })
  })

async function takeRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  const used = await db
    .deleteFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('hash', '=', hash)
    .returning('hash')
    .executeTakeFirst()
  return used !== undefined
}

async function takeStep(db: Db, userId: string, step: number): Promise<boolean> {
  const taken = await db
    .updateTable('secondFactors')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('lastStep', '<', step)
    .returning('userId')
    .executeTakeFirst()
  return taken !== undefined
}
