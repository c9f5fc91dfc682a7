// Which link serves a call: one event for each answer, and one for each change from the first link and back to it.
import type { ChainKind } from '../base/domain/provider-kinds.ts'
import type { ChainEvent, ChainLink, FailureReason, Served } from './ports.ts'

export type ServingParts = {
  kind: ChainKind
  links: readonly ChainLink<unknown>[]
  onEvent: (event: ChainEvent) => void
}

export function servingReport({ kind, links, onEvent }: ServingParts) {
  /** The call begins with its first link. */
  let last = 0
  const servedBy = (at: number): Served => {
    const { id, name, model } = links[at] as ChainLink<unknown>
    return { kind, providerId: id, name, model }
  }
  return {
    /** `reason`: why an earlier link did not serve. */
    served(at: number, reason: FailureReason | null): void {
      onEvent({ type: 'served', ...servedBy(at) })
      if (at === last) return
      if (at === 0) onEvent({ type: 'recovered', kind, to: servedBy(0) })
      else onEvent({ type: 'degraded', kind, from: servedBy(last), to: servedBy(at), reason: reason ?? 'unreachable' })
      last = at
    },
  }
}
