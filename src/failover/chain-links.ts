// What the three chains share: the order in which a call tries its links, and what they report to the circuit breakers.
import { EMBEDDED_ID } from '../base/domain/provider-kinds.ts'
import type { Clock } from '../voice/ports.ts'
import { isProviderFault } from './failure-reason.ts'
import type { Breaker, ChainLink, FailureReason, Trial } from './ports.ts'

type AnyLink = ChainLink<unknown>

export const isEmbedded = ({ id }: AnyLink) => id === EMBEDDED_ID

/** A link that has failed in this call, or was slower than the next, comes last for this long, even if its breaker is closed. */
const DEMOTED_MS = 30_000

export function demotions(clock: Clock) {
  const until = new Map<AnyLink, number>()
  return {
    demote: (link: AnyLink) => void until.set(link, clock.now() + DEMOTED_MS),
    isDemoted: (link: AnyLink) => !isEmbedded(link) && clock.now() < (until.get(link) ?? 0),
  }
}

/** Takes links in order. Those whose breaker is open come when nothing else is left, but never beside another one (`isHedge`). */
export function candidates<Link extends AnyLink>(order: readonly Link[], isAdmitted: (link: Link) => boolean) {
  const left = [...order]
  const skipped: Link[] = []
  return {
    left: left as readonly Link[],
    next(isHedge = false): Link | undefined {
      for (let link = left[0]; link && !(isHedge && isEmbedded(link)); link = left[0]) {
        left.shift()
        if (isEmbedded(link) || isAdmitted(link)) return link
        skipped.push(link)
      }
      return isHedge ? undefined : skipped.shift()
    },
  }
}

/** A failure of the request itself, such as a model that was removed, says nothing about the provider. */
export function reportFailure(breaker: Breaker, error: unknown, reason: FailureReason, trial?: Trial): void {
  if (isProviderFault(error)) breaker.failed(reason, trial)
  else breaker.abandoned()
}
