// The SIP messages of calls while they go on, so that each call can keep its own. Bounded: what nobody asks for is forgotten.
import { Recent } from '../base/recent.ts'
import { Ladder, type LadderEntry } from '../sip/ladder.ts'
import type { TraceEvent } from '../sip/stack.ts'

const MAX_CALLS = 2000

export type Ladders = ReturnType<typeof createLadders>

export function createLadders() {
  const ladders = new Recent<string, Ladder>(MAX_CALLS)
  const sipIds = new Recent<string, string[]>(MAX_CALLS)
  return {
    trace(event: TraceEvent): void {
      const sipCallId = event.message.headers.get('call-id')
      if (sipCallId === undefined) return
      const known = ladders.get(sipCallId)
      const ladder = known ?? new Ladder()
      ladder.add(event)
      if (!known) ladders.set(sipCallId, ladder)
    },

    /** Every message of this dialog. */
    ofDialog: (sipCallId: string): LadderEntry[] => ladders.get(sipCallId)?.entries ?? [],

    /** Every message so far of this call, over all the ways it was tried by and both legs of a bridge, in order of time. */
    of(callId: string, sipCallId: string): LadderEntry[] {
      const ids = sipIds.get(callId) ?? []
      if (!ids.includes(sipCallId)) sipIds.set(callId, [...ids, sipCallId])
      const all = (sipIds.get(callId) ?? []).flatMap((id) => ladders.get(id)?.entries ?? [])
      return all.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1))
    },
  }
}
