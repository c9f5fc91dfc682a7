// Counts the calls that this process ends or refuses, for /metrics.
import { type EndReason, endReasons } from '../../base/domain/end-reasons.ts'
import type { CallLifecycle } from './lifecycle-store.ts'
import type { CallStore } from './store.ts'

type Ending = Pick<CallStore, 'finish' | 'cancel' | 'closeOrphans'>

/** The codes that the platform itself answers with; an answer hook may choose others from its list. */
const usualRefusals = [403, 404, 486, 488, 500, 503] as const

export function callCounts() {
  const ended = new Map<EndReason, number>(endReasons.map((reason) => [reason, 0]))
  const refused = new Map<number, number>(usualRefusals.map((code) => [code, 0]))
  const end = (reason: EndReason | null | undefined) => reason && ended.set(reason, (ended.get(reason) ?? 0) + 1)

  return {
    ended: (): ReadonlyMap<EndReason, number> => ended,
    refused: (): ReadonlyMap<number, number> => refused,
    /** Called when an INVITE was answered with this code. */
    refuse: (code: number): void => void refused.set(code, (refused.get(code) ?? 0) + 1),

    /** The same store, with every ended call counted. */
    counted: <Store extends Ending>(store: Store): Store => ({
      ...store,
      async finish(id, how) {
        const isEnded = await store.finish(id, how)
        if (isEnded) end(how.endReason)
        return isEnded
      },
      async cancel(id) {
        const isEnded = await store.cancel(id)
        if (isEnded) end('canceled_by_api')
        return isEnded
      },
      async closeOrphans(...asked) {
        const closed = await store.closeOrphans(...asked)
        for (const _ of closed) end('orphaned')
        return closed
      },
    }),
    countedRefusals:
      (store: Pick<CallLifecycle, 'refused'>): CallLifecycle['refused'] =>
      async (call, how) => {
        const row = await store.refused(call, how)
        end(how.endReason)
        return row
      },
  }
}
