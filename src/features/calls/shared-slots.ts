// The slots of calls where several nodes share the database. One process that has SQLite to itself counts in memory.
import { CHECK_MS, callSlots } from '../../db/call-slots.ts'
import type { Slots } from '../../phone/capacity.ts'
import type { Job, ServiceContext } from '../service.ts'

export type SharedSlots = { slots: Slots | undefined; jobs: Job[]; close(): Promise<void> }

export function sharedSlots({ database, db, nodes }: Pick<ServiceContext, 'database' | 'db' | 'nodes'>): SharedSlots {
  if (!database.shared) return { slots: undefined, jobs: [], close: async () => {} }
  const slots = callSlots(db, nodes.processId, { lastOutageMs: database.lastOutageMs })
  return {
    slots,
    jobs: [{ name: 'call slots', everyMs: CHECK_MS, task: slots.check }],
    // What is left, at most the calls that would not end, does not count without this node's lease.
    close: () => slots.close().catch(() => {}),
  }
}
