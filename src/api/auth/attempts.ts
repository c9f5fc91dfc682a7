// Guessing passwords is made slow, by address and by account. An account that does not exist is counted like one that does.
import { isIPv6 } from 'node:net'
import { FailureLimiter } from '../../http/failure-limit.ts'

const OF_AN_ADDRESS = { max: 20, windowMs: 60_000 }
const OF_AN_ACCOUNT = { max: 10, windowMs: 300_000 }

export function attempts() {
  const addresses = new FailureLimiter(
    OF_AN_ADDRESS.max,
    OF_AN_ADDRESS.windowMs,
    'Too many failed tries to sign in from this address',
  )
  const accounts = new FailureLimiter(
    OF_AN_ACCOUNT.max,
    OF_AN_ACCOUNT.windowMs,
    'Too many failed tries to sign in as this user',
  )
  return {
    /** Throws where there were too many. What it returns takes the try back: it was a good one. */
    begin(ip: string, account?: string): () => void {
      const address = networkOf(ip)
      addresses.begin(address)
      if (account !== undefined) accounts.begin(account)
      return () => {
        addresses.forgive(address)
        if (account !== undefined) accounts.forgive(account)
      }
    },
  }
}

/** Of IPv6 the first 64 bits: whoever has one such address has all of them. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped) return mapped
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = (ip.split('%', 1)[0] ?? '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const all = [...before, ...Array(Math.max(0, zeros)).fill('0'), ...after]
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')}::`
}
