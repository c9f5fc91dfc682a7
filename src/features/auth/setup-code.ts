// Who may set the first password: a user at the machine, or one who can read the platform's output there.
import { hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/database.ts'
import { isLocal } from '../../http/metrics.ts'

const digits = '23456789ABCDEFGHJKMNPQRSTUVWXYZ' // no look-alike characters
const LENGTH = 10 // 49 bits

const SALT = 'setup-code'

export type SetupCodes = ReturnType<typeof setupCodes>

/** One code for all processes, new at each start: a code in an old log is useless. Only its salt is stored. */
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

const viaProxy = ['via', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto', 'cf-connecting-ip', 'true-client-ip']
const homeNames = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/**
 * A browser on this machine, showing our page. A local proxy would make every request look like that, so there must be no sign
 * of one; a host name other than a loopback name may be DNS rebinding by another site; and a program that is made to send a
 * request from here (a tool, another user's webhook) cannot send the headers that only a browser sets for its page.
 */
export function isAtHome(req: FastifyRequest, settings: { publicUrl: string | null; trustsProxy: boolean }): boolean {
  if (req.headers['sec-fetch-site'] !== 'same-origin') return false
  if (settings.trustsProxy || !isLocal(req) || viaProxy.some((name) => req.headers[name] !== undefined)) return false
  if (settings.publicUrl !== null && !homeNames.test(new URL(settings.publicUrl).host)) return false
  return homeNames.test(req.headers.host ?? '')
}
