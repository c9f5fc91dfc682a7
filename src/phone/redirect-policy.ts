// Redirects (3xx) that a call of a trunk may follow: to addresses of the same carrier, for allowed numbers, so that the password stays there.
import { parseUri } from '../sip/message/uri.ts'
import type { Resolver } from '../sip/transport/resolver.ts'
import type { DialPolicy } from './dial-policy.ts'
import type { Trunk } from './ports.ts'
import { proxyOf, trunkUri } from './route.ts'

export const redirectPolicy =
  (resolver: Pick<Resolver, 'resolve'>, dialPolicy: DialPolicy) =>
  (trunk: Trunk) =>
  async (uri: string): Promise<boolean> => {
    if (!trunk.host || !dialPolicy.allows(uri)) return false
    const hopsOf = async (text: string) => {
      const target = parseUri(text)
      return target ? resolver.resolve(target) : []
    }
    const ways = [trunkUri(trunk, trunk.host), proxyOf(trunk) ?? []].flat()
    const own = (await Promise.all(ways.map(hopsOf))).flat()
    const hops = await hopsOf(uri)
    return (
      hops.length > 0 &&
      hops.every(
        ({ address, transport }) =>
          own.some((each) => each.address === address) && (trunk.transport !== 'tls' || transport === 'tls'),
      )
    )
  }
