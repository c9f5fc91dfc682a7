// Limits on TCP and TLS connections: few for unauthenticated peers, many for known ones, and a reserve for those we open.
import { peerNetworkOf } from '../../base/network/peer-network.ts'

export type SlotLimits = {
  /** In both directions. */
  maxConnections: number
  /** Of these, reserved for connections that we open: trunks stay reachable however many peers connect to us. */
  outboundReserve: number
  /** From one address or IPv6 /64. */
  maxPerNetwork: number
  /** Authenticated connections of one owner, from all addresses. */
  maxPerOwner: number
  /** From one address, while unauthenticated. */
  maxUnauthenticatedPerNetwork: number
  /** From all networks together; a new one replaces the oldest. */
  maxUnauthenticated: number
}

export type Slot = {
  readonly isAuthenticated: boolean
  /** False: the owner has no slots left, and the connection stays unauthenticated. */
  authenticate(owner?: string): boolean
  leave(): void
}
type Held = { close: () => void; owner: string | undefined }
type Count = { all: number; unauthenticated: number }

export class ConnectionSlots {
  readonly #limits: SlotLimits
  readonly #perNetwork = new Map<string, Count>()
  readonly #perOwner = new Map<string, number>()
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
    let isHeld = true
    return {
      isAuthenticated: true,
      authenticate: () => true,
      leave: () => {
        if (isHeld) this.#outbound -= 1
        isHeld = false
      },
    }
  }

  /** For an inbound connection; `owner`: of the known peer. `close` is called when another connection replaces it. */
  enterInbound(address: string, owner: string | undefined, close: () => void): Slot | undefined {
    const { maxConnections, outboundReserve, maxPerNetwork } = this.#limits
    const { maxUnauthenticatedPerNetwork, maxUnauthenticated } = this.#limits
    const network = peerNetworkOf(address)
    const isAuthenticated = owner !== undefined && !this.#isFull(owner)
    const count = this.#perNetwork.get(network) ?? { all: 0, unauthenticated: 0 }
    if (count.all >= maxPerNetwork) return undefined
    if (!isAuthenticated && count.unauthenticated >= maxUnauthenticatedPerNetwork) return undefined
    const isFull = this.#inbound >= maxConnections - outboundReserve
    if (isFull || (!isAuthenticated && this.#unauthenticated.size >= maxUnauthenticated)) {
      const [oldest] = this.#unauthenticated
      if (!oldest) return undefined
      oldest.close()
    }
    const held: Held = { close, owner: undefined }
    this.#inbound += 1
    this.#count(network, 1, 1)
    this.#unauthenticated.add(held)
    const slot = this.#slotOf(held, network)
    if (isAuthenticated) slot.authenticate(owner)
    return slot
  }

  #slotOf(held: Held, network: string): Slot {
    const waiting = this.#unauthenticated
    let isHeld = true
    return {
      get isAuthenticated() {
        return isHeld && !waiting.has(held)
      },
      authenticate: (owner) => {
        if (!isHeld || !waiting.has(held)) return isHeld
        if (owner !== undefined && this.#isFull(owner)) return false
        waiting.delete(held)
        held.owner = owner
        this.#count(network, 0, -1)
        this.#countOwner(owner, 1)
        return true
      },
      leave: () => {
        if (!isHeld) return
        isHeld = false
        this.#inbound -= 1
        this.#count(network, -1, waiting.delete(held) ? -1 : 0)
        this.#countOwner(held.owner, -1)
      },
    }
  }

  #isFull(owner: string): boolean {
    return (this.#perOwner.get(owner) ?? 0) >= this.#limits.maxPerOwner
  }

  #countOwner(owner: string | undefined, more: number): void {
    if (owner === undefined) return
    const count = (this.#perOwner.get(owner) ?? 0) + more
    if (count > 0) this.#perOwner.set(owner, count)
    else this.#perOwner.delete(owner)
  }

  #count(network: string, all: number, unauthenticated: number): void {
    const count = this.#perNetwork.get(network) ?? { all: 0, unauthenticated: 0 }
    const next = { all: count.all + all, unauthenticated: count.unauthenticated + unauthenticated }
    if (next.all > 0) this.#perNetwork.set(network, next)
    else this.#perNetwork.delete(network)
  }
}
