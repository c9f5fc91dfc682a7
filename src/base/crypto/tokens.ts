// Short-lived signed tokens. Nothing is stored; changing the master key revokes them all.
//   rtk_<base64url of [subject, expires in ms]>.<HMAC-SHA256>
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { nowMs } from '../time/clock.ts'

export type TokenSigner = ReturnType<typeof tokenSigner>

export function tokenSigner(masterKeys: readonly string[], purpose: string) {
  const keys = masterKeys.map((text) => Buffer.from(hkdfSync('sha256', text, '', `ramal token ${purpose}`, 32)))
  const sign = (key: Buffer, statement: string) => createHmac('sha256', key).update(statement).digest()
  return {
    issue(subject: string, lifeMs: number): { token: string; expiresMs: number } {
      const expiresMs = nowMs() + lifeMs
      const statement = Buffer.from(JSON.stringify([subject, expiresMs])).toString('base64url')
      return { token: `rtk_${statement}.${sign(keys[0] as Buffer, statement).toString('base64url')}`, expiresMs }
    },
    /** The token's subject, if it is valid. */
    subjectOf(token: string): string | undefined {
      const [, statement, signature] = /^rtk_([\w-]{1,512})\.([\w-]{43})$/.exec(token) ?? []
      if (!statement || !signature) return undefined
      const given = Buffer.from(signature, 'base64url')
      if (!keys.some((key) => timingSafeEqual(sign(key, statement), given))) return undefined
      const [subject, expiresMs] = JSON.parse(Buffer.from(statement, 'base64url').toString('utf8')) as [string, number]
      return expiresMs > nowMs() ? subject : undefined
    },
  }
}
