// Limits on TCP and TLS connections: few for unauthenticated peers, many for known ones, and a reserve for those we open.
import { peerNetworkOf } from '../../base/peer-network.ts'

export type SlotLimits = {
  /** In both directions. */
  maxConnections: number
  /** Of these, kept free for connections that we open: trunks stay reachable whoever connects to us. */
  outboundReserve: number
  /** From one address or IPv6 /64: nobody can take all of them. */
  maxPerNetwork: number
  /** The same while nothing that came was authenticated. */
  maxUnauthenticatedPerNetwork: number
  /** From all networks together; the oldest gives way to a new one. */
  maxUnauthenticated: number
}

export type Slot = { authenticate(): void; leave(): void }
type Held = { close: () => void }
type Count = { all: number; unauthenticated: number }

export class ConnectionSlots {
  readonly #limits: SlotLimits
  readonly #perNetwork = new Map<string, Count>()
  /** Oldest first. */
  readonly #unauthenticated = new Set<Held>()
  #inbound = 0
  #outbound = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /** For a connection that we open. */
  enterOutbound(): Slot | undefined {
    if (this.#inbound + this.#outbound >= this.#limits.maxConnections) return undefined
    this.#outbound += 1
    return once(() => {
      this.#outbound -= 1
    })
  }

  /** For a connection that came. `close` ends it when it has to give way. */
  enterInbound(address: string, isAuthenticated: boolean, close: () => void): Slot | undefined {
    const { maxConnections, outboundReserve, maxPerNetwork } = this.#limits
    const { maxUnauthenticatedPerNetwork, maxUnauthenticated } = this.#limits
    const network = peerNetworkOf(address)
    const count = this.#perNetwork.get(network) ?? { all: 0, unauthenticated: 0 }
    if (count.all >= maxPerNetwork) return undefined
    if (!isAuthenticated && count.unauthenticated >= maxUnauthenticatedPerNetwork) return undefined
    const isFull = this.#inbound >= maxConnections - outboundReserve
    if (isFull || (!isAuthenticated && this.#unauthenticated.size >= maxUnauthenticated)) {
      const [oldest] = this.#unauthenticated
      if (!oldest) return undefined
      oldest.close()
    }
    const held: Held = { close }
    this.#inbound += 1
    this.#count(network, 1, isAuthenticated ? 0 : 1)
    if (!isAuthenticated) this.#unauthenticated.add(held)
    return once(
      () => {
        this.#inbound -= 1
        this.#count(network, -1, this.#unauthenticated.delete(held) ? -1 : 0)
      },
      () => {
        if (this.#unauthenticated.delete(held)) this.#count(network, 0, -1)
      },
    )
  }

  #count(network: string, all: number, unauthenticated: number): void {
    const count = this.#perNetwork.get(network) ?? { all: 0, unauthenticated: 0 }
    const next = { all: count.all + all, unauthenticated: count.unauthenticated + unauthenticated }
    if (next.all > 0) this.#perNetwork.set(network, next)
    else this.#perNetwork.delete(network)
  }
}

function once(leave: () => void, authenticate: () => void = () => {}): Slot {
  let isHeld = true
  return {
    authenticate() {
      if (isHeld) authenticate()
    },
    leave() {
      if (isHeld) leave()
      isHeld = false
    },
  }
}
