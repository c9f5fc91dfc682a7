// SIP ladders of live calls, in memory and bounded.
import { LruCache } from '../base/lru-cache.ts'
import { Ladder, type LadderEntry } from '../sip/ladder.ts'
import type { TraceEvent } from '../sip/stack.ts'

/** Dialogs of unknown peers, pings and ended calls. */
const MAX_TRANSIENT = 2000
/** Dialogs of live calls: more than a process carries, as a bound against leaks. */
const MAX_HELD = 20_000

export type Ladders = ReturnType<typeof createLadders>

/** Unknown peers can only evict each other's ladders: those of live calls are kept apart. */
export function createLadders() {
  const transient = new LruCache<string, Ladder>(MAX_TRANSIENT)
  const held = new LruCache<string, Ladder>(MAX_HELD)
  const sipIds = new LruCache<string, string[]>(MAX_HELD)
  const find = (sipCallId: string) => held.get(sipCallId) ?? transient.get(sipCallId)
  return {
    trace(event: TraceEvent): void {
      const sipCallId = event.message.headers.get('call-id')
      if (sipCallId === undefined) return
      const known = find(sipCallId)
      const ladder = known ?? new Ladder()
      ladder.add(event)
      if (!known) transient.set(sipCallId, ladder)
    },

    /** Keeps the ladder of a call's dialog until `release`. */
    hold(sipCallId: string): void {
      held.set(sipCallId, find(sipCallId) ?? new Ladder())
      transient.delete(sipCallId)
    },

    /** The ladder may be evicted: the call is over, or the dialog led to no call. */
    release(id: string): void {
      for (const sipCallId of sipIds.get(id) ?? [id]) {
        const ladder = held.get(sipCallId)
        if (!ladder) continue
        held.delete(sipCallId)
        transient.set(sipCallId, ladder)
      }
      sipIds.delete(id)
    },

    /** All messages of this call so far, over every route tried and both legs of a bridge, in order of time. */
    of(callId: string, sipCallId: string): LadderEntry[] {
      const ids = sipIds.get(callId) ?? []
      if (!ids.includes(sipCallId)) sipIds.set(callId, [...ids, sipCallId])
      const all = (sipIds.get(callId) ?? []).flatMap((id) => find(id)?.entries ?? [])
      return all.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1))
    },
  }
}
