// A browser in which a user has signed in before has its own attempt budget, so that strangers who know the e-mail
// address cannot lock its owner out with wrong passwords. Nothing is stored: the cookie is signed for one user.
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

export const DEVICE_COOKIE = 'ramal_device'
export const DEVICE_SECONDS = 180 * 86_400

export type KnownDevices = ReturnType<typeof knownDevices>

export function knownDevices(masterKey: string) {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'ramal known device', 32))
  const signature = (userId: string, id: string) => createHmac('sha256', key).update(`${userId} ${id}`).digest()

  /** The device's id; undefined if this user has not signed in on it. */
  function idOf(cookie: string | undefined, userId: string): string | undefined {
    const [, id, given] = /^([\w-]{16})\.([\w-]{43})$/.exec(cookie ?? '') ?? []
    if (!id || !given) return undefined
    const [one, other] = [Buffer.from(given, 'base64url'), signature(userId, id)]
    return one.length === other.length && timingSafeEqual(one, other) ? id : undefined
  }

  return {
    idOf,

    /** The cookie for a device on which this user has just signed in. `cookie` is the one it already has. */
    cookieFor(cookie: string | undefined, userId: string): string {
      const id = idOf(cookie, userId) ?? randomBytes(12).toString('base64url')
      return `${id}.${signature(userId, id).toString('base64url')}`
    },
  }
}
