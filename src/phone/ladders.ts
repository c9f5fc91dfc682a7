// The SIP messages of calls while they go on, so that each call can keep its own. Bounded: what nobody asks for is forgotten.
import { LruCache } from '../base/lru-cache.ts'
import { Ladder, type LadderEntry } from '../sip/ladder.ts'
import type { TraceEvent } from '../sip/stack.ts'

/** Messages of strangers, of pings and of calls that have ended. */
const MAX_PASSING = 2000
/** Live calls. More than a process carries: it only bounds what nobody released. */
const MAX_HELD = 20_000

export type Ladders = ReturnType<typeof createLadders>

/** Strangers can only push each other's messages out: those of a live call are held apart from theirs. */
export function createLadders() {
  const passing = new LruCache<string, Ladder>(MAX_PASSING)
  const held = new LruCache<string, Ladder>(MAX_HELD)
  const sipIds = new LruCache<string, string[]>(MAX_HELD)
  const find = (sipCallId: string) => held.get(sipCallId) ?? passing.get(sipCallId)
  return {
    trace(event: TraceEvent): void {
      const sipCallId = event.message.headers.get('call-id')
      if (sipCallId === undefined) return
      const known = find(sipCallId)
      const ladder = known ?? new Ladder()
      ladder.add(event)
      if (!known) passing.set(sipCallId, ladder)
    },

    /** This dialog belongs to a call of ours: its messages stay until `release`. */
    hold(sipCallId: string): void {
      held.set(sipCallId, find(sipCallId) ?? new Ladder())
      passing.delete(sipCallId)
    },

    /** The call is over, or no call came of this dialog: its messages may be forgotten. */
    release(id: string): void {
      for (const sipCallId of sipIds.get(id) ?? [id]) {
        const ladder = held.get(sipCallId)
        if (!ladder) continue
        held.delete(sipCallId)
        passing.set(sipCallId, ladder)
      }
      sipIds.delete(id)
    },

    /** Every message so far of this call, over all the ways it was tried by and both legs of a bridge, in order of time. */
    of(callId: string, sipCallId: string): LadderEntry[] {
      const ids = sipIds.get(callId) ?? []
      if (!ids.includes(sipCallId)) sipIds.set(callId, [...ids, sipCallId])
      const all = (sipIds.get(callId) ?? []).flatMap((id) => find(id)?.entries ?? [])
      return all.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1))
    },
  }
}
