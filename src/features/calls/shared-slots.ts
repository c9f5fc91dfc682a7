// Call slots shared by several nodes on one database. A process with its own SQLite counts in memory.
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
    // Leftover slots (calls that did not end) no longer count once this node's lease is gone.
    close: () => slots.close().catch(() => {}),
  }
}
