// The setup code, printed at start, with which someone who is not at the machine can set the first password.
import { hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from '../../db/database.ts'

const digits = '23456789ABCDEFGHJKMNPQRSTUVWXYZ' // no look-alike characters
const LENGTH = 10 // 49 bits

const SALT = 'setup-code'

export type SetupCodes = ReturnType<typeof setupCodes>

/** One code for all processes, new at each start, so that a code in an old log is useless. Only its salt is stored. */
export function setupCodes(db: Db, masterKey: string) {
  const codeOf = (salt: string) => {
    const chance = new Uint16Array(hkdfSync('sha256', masterKey, salt, 'ramal setup code', 2 * LENGTH))
    const code = [...chance].map((number) => digits[number % digits.length]).join('')
    return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`
  }
  return {
    async current(): Promise<string | undefined> {
      const row = await db.selectFrom('meta').select('value').where('name', '=', SALT).executeTakeFirst()
      return row && codeOf(row.value)
    },

    /** The code of the process that started last is the valid one. */
    async renew(): Promise<string> {
      const value = randomBytes(16).toString('base64url')
      await db
        .insertInto('meta')
        .values({ name: SALT, value })
        .onConflict((c) => c.column('name').doUpdateSet({ value }))
        .execute()
      return codeOf(value)
    },
  }
}

export function isSetupCode(given: string, code: string | undefined): boolean {
  if (code === undefined) return false
  const [a, b] = [given, code].map((text) => Buffer.from(text.toUpperCase().replaceAll(/[\s-]/g, '')))
  return a !== undefined && b !== undefined && a.length === b.length && timingSafeEqual(a, b)
}
