// Who may set the first password: whoever sits at the machine, or can read what the platform printed there.
import { hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/database.ts'
import { isLocal } from '../../http/metrics.ts'

const digits = '23456789ABCDEFGHJKMNPQRSTUVWXYZ' // nothing that looks like another
const LENGTH = 10 // 49 bits

const SALT = 'setup-code'

export type SetupCodes = ReturnType<typeof setupCodes>

/** One for all processes, and another with each start: a code in an old log opens nothing. Only what it is made with is stored. */
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

    /** Of the processes that have started, the last one's is good. */
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
 * Sits at this machine, in front of a browser with our page. A proxy here would look the same for the whole world, so nothing may
 * speak of one; a name that is not the machine's own may be a page elsewhere whose name was made to point here; and a program that
 * is made to send a request from here (a tool, a webhook of somebody else's) cannot say what only a browser says of its page.
 */
export function isAtHome(req: FastifyRequest, settings: { publicUrl: string | null; trustsProxy: boolean }): boolean {
  if (req.headers['sec-fetch-site'] !== 'same-origin') return false
  if (settings.trustsProxy || !isLocal(req) || viaProxy.some((name) => req.headers[name] !== undefined)) return false
  if (settings.publicUrl !== null && !homeNames.test(new URL(settings.publicUrl).host)) return false
  return homeNames.test(req.headers.host ?? '')
}
