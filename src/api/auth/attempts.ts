// Guessing passwords and codes is made slow, by network and by account, counted where the rate limits are: in Redis for all
// processes together where there is one. An account that does not exist is counted like one that does. Each purpose has windows of
// its own, which leave by time alone: nobody can have a count forgotten by making others.
import { hash } from 'node:crypto'
import { AppError } from '../../base/errors.ts'
import { peerNetworkOf } from '../../base/peer-network.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'

type Bound = { name: string; max: number; windowMs: number; refusal: string }

const ofANetwork = (purpose: string): Bound => ({
  name: `${purpose} network`,
  max: 20,
  windowMs: 60_000,
  refusal: 'Too many failed tries to sign in from this address',
})
const ofAnAccount: Bound = {
  name: 'account',
  max: 10,
  windowMs: 300_000,
  refusal: 'Too many failed tries to sign in as this user',
}
/** Of a browser in which this user has signed in before, whatever strangers do elsewhere. */
const ofADevice: Bound = { ...ofAnAccount, name: 'device', refusal: 'Too many failed tries to sign in on this device' }
/** Six digits are few: whoever knows the password must not go through them in a matter of months. */
const ofCodes: Bound = {
  name: 'code',
  max: 10,
  windowMs: 3_600_000,
  refusal: 'Too many wrong codes of this user: wait, or use a recovery code',
}

/** Takes a try back: it was a good one. */
export type Succeeded = () => Promise<void>
export type Attempts = ReturnType<typeof attempts>

export function attempts(limiter: Pick<RateLimiter, 'of'>) {
  /** Counted before it is known whether it is wrong: of many at once, none is let by. */
  async function count({ name, max, windowMs, refusal }: Bound, whose: string): Promise<Succeeded> {
    const windows = limiter.of(`sign-in ${name}`)
    const key = hash('sha256', whose)
    const { admitted, resetMs } = await windows.admit(key, max, windowMs)
    if (!admitted) {
      const headers = { 'retry-after': String(Math.max(1, Math.ceil(resetMs / 1000))) }
      throw new AppError('too_many_requests', refusal, { headers })
    }
    return async () => {
      // That it could not be taken back is no reason to refuse who is right.
      await Promise.resolve(windows.takeBack(key)).catch(() => {})
    }
  }

  return {
    /** Throws where there were too many. */
    begin: (purpose: 'setup' | 'key' | 'confirm', ip: string): Promise<Succeeded> =>
      count(ofANetwork(purpose), peerNetworkOf(ip)),

    /** `device`: where the account's own user is known to be. */
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
