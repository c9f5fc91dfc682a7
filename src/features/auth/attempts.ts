// Throttles guessing of passwords and codes, by network and by account. Counted by the rate limiter for all nodes, in
// Redis or PostgreSQL. Unknown accounts are counted like existing ones. Each purpose has its own windows, which expire
// by time only: nobody can evict a count by creating others.
import { hash } from 'node:crypto'
import { appError } from '../../base/errors/errors.ts'
import { peerNetworkOf } from '../../base/network/peer-network.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'

type Bound = {
  name: string
  max: number
  windowMs: number
  refusal: 'sign_in_tries_network' | 'sign_in_tries_user' | 'sign_in_tries_device' | 'code_tries_user'
}

const ofANetwork = (purpose: string): Bound => ({
  name: `${purpose} network`,
  max: 20,
  windowMs: 60_000,
  refusal: 'sign_in_tries_network',
})
const ofAnAccount: Bound = {
  name: 'account',
  max: 10,
  windowMs: 300_000,
  refusal: 'sign_in_tries_user',
}
/** For a browser in which this user has signed in before: attempts elsewhere do not count against it. */
const ofADevice: Bound = { ...ofAnAccount, name: 'device', refusal: 'sign_in_tries_device' }
/** Six digits are few: someone who knows the password must not be able to try all codes within months. */
const ofCodes: Bound = {
  name: 'code',
  max: 10,
  windowMs: 3_600_000,
  refusal: 'code_tries_user',
}

/** Takes the attempt off the count after a success. */
export type Succeeded = () => Promise<void>
export type Attempts = ReturnType<typeof attempts>

export function attempts(limiter: Pick<RateLimiter, 'of'>) {
  /** Counted before the result is known, so that concurrent attempts cannot exceed the limit. */
  async function count({ name, max, windowMs, refusal }: Bound, whose: string): Promise<Succeeded> {
    const windows = limiter.of(`sign-in ${name}`)
    const key = hash('sha256', whose)
    const { admitted, resetMs } = await windows.admit(key, max, windowMs)
    if (!admitted) {
      const headers = { 'retry-after': String(Math.max(1, Math.ceil(resetMs / 1000))) }
      throw appError(refusal, {}, { headers })
    }
    return async () => {
      // A failure to reduce the count is no reason to reject a correct password.
      await Promise.resolve(windows.takeBack(key)).catch(() => {})
    }
  }

  return {
    /** Throws after too many attempts. */
    begin: (purpose: 'setup' | 'key' | 'confirm' | 'invitation', ip: string): Promise<Succeeded> =>
      count(ofANetwork(purpose), peerNetworkOf(ip)),

    /** `device`: a browser in which the user of this account has signed in before. */
    async beginPassword(ip: string, account: string, device: string | undefined): Promise<Succeeded> {
      if (device !== undefined) return count(ofADevice, `${account} ${device}`)
      const counted = [await count(ofANetwork('password'), peerNetworkOf(ip)), await count(ofAnAccount, account)]
      return async () => {
        for (const succeeded of counted) await succeeded()
      }
    },

    beginCode: (userId: string, device?: string): Promise<Succeeded> =>
      count(ofCodes, device === undefined ? userId : `${userId} ${device}`),
  }
}
