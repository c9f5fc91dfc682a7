// The address in our SDP: PUBLIC_ADDRESS, else ours as the next hop sees it; of the peer's family where we listen on both.
import { isIP } from 'node:net'
import { nextHop } from '../sip/agent-context.ts'
import type { InboundCall } from '../sip/dialog/call.ts'
import type { Flow, Hop } from '../sip/message/message.ts'
import { parseUri } from '../sip/message/uri.ts'
import { parseNameAddr } from '../sip/message/values.ts'
import { localAddressFor } from '../sip/transport/local-address.ts'
import type { Resolver } from '../sip/transport/resolver.ts'
import { plainAddress } from './address-set.ts'
import type { PhoneSettings } from './phone-parts.ts'
import type { RequestSources } from './request-source.ts'
import type { Route } from './route.ts'

type Parts = {
  contactOf: (to: Hop | Flow) => { host: string }
  sources: Pick<RequestSources, 'sourceOf'>
  resolver: Pick<Resolver, 'resolve'>
  /** Our address on the interface that leads there. */
  ownAddressFor?: (remote: string) => string
}

type Target = Pick<Route, 'flow' | 'uri' | 'route' | 'path'>

export function sdpAddresses({ host, publicAddress }: Pick<PhoneSettings, 'host' | 'publicAddress'>, parts: Parts) {
  const { contactOf, sources, resolver, ownAddressFor = localAddressFor } = parts

  /** Audio goes straight to the peer, whose address may be of another family than that of a proxy in between. */
  function inFamilyOf(peer: string, address: string): string {
    const isSame = isIP(peer) === isIP(address) || isIP(peer) === 0 || isIP(address) === 0
    return isSame || host !== '::' ? address : ownAddressFor(peer)
  }

  async function ownFor({ flow, ...target }: Target): Promise<string> {
    if (flow) return contactOf(flow).host
    const uri = parseUri(nextHop(target))
    // An unresolvable name fails the call itself; here any address will do.
    const [hop] = uri ? await resolver.resolve(uri).catch(() => []) : []
    return hop ? contactOf(hop).host : host
  }

  return {
    /** For our answer to an INVITE. */
    forCall({ invite, flow, offer }: Pick<InboundCall, 'invite' | 'flow' | 'offer'>): string {
      const offered = /^c=IN IP[46] (\S+)/m.exec(offer ?? '')?.[1] ?? ''
      const peer = isIP(offered) ? offered : sources.sourceOf(invite, flow)?.address
      return inFamilyOf(peer ?? '', publicAddress ?? contactOf(flow).host)
    },

    /** For our offer to the destination of a route. */
    forRoute: async (target: Target): Promise<string> =>
      inFamilyOf(peerOf(target), publicAddress ?? (await ownFor(target))),
  }
}

/** A phone behind proxies is where our proxy saw it (`received` in its Path), else where its Contact says. */
function peerOf({ flow, uri, route, path = [] }: Target): string {
  if (flow) return plainAddress(flow.remote.address)
  if (path.length === 0) return parseUri(route ?? uri)?.host ?? ''
  const proxy = parseUri(parseNameAddr(path.at(-1) ?? '')?.uri ?? '')
  return parseUri(proxy?.params.get('received') ?? uri)?.host ?? ''
}
