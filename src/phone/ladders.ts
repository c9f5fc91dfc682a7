// The SIP messages of calls while they go on, so that each call can keep its own. Bounded: what nobody asks for is forgotten.
import { nowMs } from '../base/clock.ts'
import { Recent } from '../base/recent.ts'
import { type LadderEntry, ladderEntry } from '../sip/ladder.ts'
import type { TraceEvent } from '../sip/stack.ts'

const MAX_CALLS = 2000
const MAX_MESSAGES = 200

export type Ladders = ReturnType<typeof createLadders>

export function createLadders() {
  const entries = new Recent<string, LadderEntry[]>(MAX_CALLS)
  const sipIds = new Recent<string, string[]>(MAX_CALLS)
  const watchers = new Set<(entry: LadderEntry, sipCallId: string) => void>()
  return {
    trace(event: TraceEvent): void {
      const sipCallId = event.message.headers.get('call-id')
      if (sipCallId === undefined) return
      const entry = ladderEntry(event, nowMs())
      const known = entries.get(sipCallId)
      if (!known) entries.set(sipCallId, [entry])
      else if (known.length < MAX_MESSAGES) known.push(entry)
      for (const told of watchers) told(entry, sipCallId)
    },

    /** Every message so far of this call, over all the ways it was tried by. */
    of(callId: string, sipCallId: string): LadderEntry[] {
      const ids = sipIds.get(callId) ?? []
      if (!ids.includes(sipCallId)) sipIds.set(callId, [...ids, sipCallId])
      return (sipIds.get(callId) ?? []).flatMap((id) => entries.get(id) ?? [])
    },

    /** For the doctor: what passes while it looks. */
    watch(told: (entry: LadderEntry, sipCallId: string) => void): () => void {
      watchers.add(told)
      return () => watchers.delete(told)
    },
  }
}
