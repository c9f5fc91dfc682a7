// A browser in which a user has signed in before has its own attempt budget: strangers who know the e-mail cannot lock its owner
// out with wrong passwords. Nothing is stored: the cookie is signed for one user.
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { cookieName, cookieOf, isHttps } from '../../http/same-origin.ts'

const DEVICE_COOKIE = 'ramal_device'
const LIFE_SECONDS = 180 * 86_400

export type KnownDevices = ReturnType<typeof knownDevices>

export function knownDevices(masterKey: string) {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'ramal known device', 32))
  const signature = (userId: string, id: string) => createHmac('sha256', key).update(`${userId} ${id}`).digest()

  return {
    /** The device's id; undefined if this user has not signed in on it. */
    of(req: FastifyRequest, userId: string): string | undefined {
      const [, id, given] = /^([\w-]{16})\.([\w-]{43})$/.exec(cookieOf(req, DEVICE_COOKIE) ?? '') ?? []
      if (!id || !given) return undefined
      const [one, other] = [Buffer.from(given, 'base64url'), signature(userId, id)]
      return one.length === other.length && timingSafeEqual(one, other) ? id : undefined
    },

    /** The Set-Cookie value for a device on which this user has just signed in. */
    cookieFor(req: FastifyRequest, userId: string): string {
      const id = this.of(req, userId) ?? randomBytes(12).toString('base64url')
      const value = `${id}.${signature(userId, id).toString('base64url')}`
      return cookieLine(req, DEVICE_COOKIE, value, LIFE_SECONDS)
    },
  }
}

/** A cookie that scripts cannot read and other sites cannot send. */
export function cookieLine(req: FastifyRequest, name: string, value: string, maxAge: number): string {
  const isSecure = isHttps(req)
  const flags = ['Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${maxAge}`, ...(isSecure ? ['Secure'] : [])]
  return [`${cookieName(name, isSecure)}=${value}`, ...flags].join('; ')
}
