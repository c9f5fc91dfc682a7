// Whether an address given by a user may be called: scheme, port, and every IP address that its name resolves to.
import { addressGuard, isPortAllowed, literalAddress } from '../network/cidr.ts'
import { orAborted } from './deadline.ts'
import { type DnsCache, dnsCache } from './dns-cache.ts'
import { HttpError } from './http-error.ts'
import type { OwnListeners } from './own-listeners.ts'

export type AddressCheckOptions = {
  /** Non-public networks that may be reached: 10.0.0.0/8. */
  allowedNetworks?: readonly string[]
  /** This server's own listeners: never called, whatever is allowed. */
  own?: OwnListeners
  names?: DnsCache
  /** Plural noun for refusals: "tools". */
  who: string
}

const MAX_ADDRESSES = 8

export function addressCheck({ allowedNetworks = [], own, names, who }: AddressCheckOptions) {
  const guard = addressGuard(allowedNetworks, own?.isOwnAddress)
  const resolve = dnsCache(names)

  function refusalOf(url: URL, addresses: readonly string[]): string | null {
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    if (own?.isListener(url.hostname, addresses, port)) return `${url.host} is this server, which ${who} may not call`
    const isAllowed = addresses.every((address) => guard.mayReach(address))
    return isAllowed ? null : `${url.host} is in a network that ${who} may not reach`
  }

  return {
    /** Fails closed: one forbidden address is enough to refuse. */
    async checkedAddresses(url: URL, signal: AbortSignal): Promise<string[]> {
      const literal = literalAddress(url.hostname)
      const addresses = literal === null ? await orAborted(resolve(url.hostname), signal) : [literal]
      if (addresses.length === 0) throw new HttpError('unreachable', `${url.host} has no address`, false)
      const refusal = refusalOf(url, addresses)
      if (refusal !== null) throw new HttpError('refused', refusal, false)
      return addresses.slice(0, MAX_ADDRESSES)
    },

    /** Why an address is refused before connecting; null for a name, which can only be judged once it is resolved. */
    refusalFor(text: string): string | null {
      if (!URL.canParse(text)) return null
      try {
        const url = checkedUrl(text)
        const literal = literalAddress(url.hostname)
        return literal === null ? null : refusalOf(url, [literal])
      } catch (error) {
        if (error instanceof HttpError) return error.message
        throw error
      }
    },
  }
}

export function checkedUrl(text: string): URL {
  const refuse = (why: string) => new HttpError('refused', why, false)
  if (!URL.canParse(text)) throw refuse('the address is not a valid URL')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse('only http and https addresses can be called')
  if (url.username !== '' || url.password !== '') throw refuse('an address must not hold a user name or password')
  if (url.port !== '' && !isPortAllowed(Number(url.port))) throw refuse(`port ${url.port} may not be called`)
  return url
}
