// The calls service: the dial queue, leases, live control, removal, and their routes.
import { auditor } from '../../db/audit.ts'
import type { CallCapacity } from '../../phone/capacity.ts'
import type { DialPolicy } from '../../phone/dial-policy.ts'
import type { Phone } from '../../phone/phone.ts'
import { drawLadder } from '../../sip/ladder.ts'
import type { RecordingService } from '../recordings/port.ts'
import type { ServiceContext } from '../service.ts'
import type { Stores } from '../stores.ts'
import { callManager } from './call-manager.ts'
import { callMetrics } from './call-metrics.ts'
import type { CallStorage } from './call-storage.ts'
import { forgetNumber } from './forget-number-store.ts'
import { type CallSupervisor, liveCallRoutes } from './live-routes.ts'
import { removalRoutes } from './removal-routes.ts'
import { removal } from './removal-store.ts'
import { callRoutes } from './routes.ts'

export type CallServiceParts = {
  stores: Pick<Stores, 'agents' | 'trunks' | 'links'>
  storage: CallStorage
  recordings: RecordingService
  /** Null if the phone is off. */
  phone: Phone | null
  live: CallCapacity
  supervisor: CallSupervisor
  dialPolicy: DialPolicy
  spendCall: (userId: string) => Promise<void>
}

export function callService(context: ServiceContext, parts: CallServiceParts) {
  const { db, diskId } = context
  const { stores, recordings, phone, live, supervisor, dialPolicy, spendCall } = parts
  const { calls, course, turns } = parts.storage
  const note = auditor(db)
  const manager = callManager(context, { calls, phone, live })
  return {
    endCallsOf: manager.endCallsOf,
    endCallsOfUser: manager.endCallsOfUser,
    queue: manager.queue,
    ...callMetrics(context, { counts: parts.storage.counts, live, queue: manager.queue }),
    routes: [
      callRoutes({
        calls,
        ladderOf: course.ladder,
        turnsOf: turns.of,
        drawLadder,
        queue: manager.queue,
        spendCall,
        recordings: recordings.files,
        dialPolicy,
        headersOf: outboundHeaders(stores),
        hookOf: parts.storage.hooks.of,
        hangUp: manager.hangUp,
        note,
      }),
      removalRoutes({ remove: removal(db, diskId), forget: forgetNumber(db, diskId) }),
      liveCallRoutes({ calls, agents: stores.agents, live: supervisor, note }),
    ],
    jobs: [
      { name: 'renewal of call leases', everyMs: 3000, task: manager.renewLeases, isVital: true },
      { name: 'calls of dead nodes', everyMs: 2000, task: manager.closeOrphans },
    ],
    drain: manager.drain,
    [Symbol.asyncDispose]: manager.close,
  }
}

/** Names of the SIP headers that the agent's outbound trunks allow. */
const outboundHeaders =
  ({ trunks, links }: Pick<Stores, 'trunks' | 'links'>) =>
  async (userId: string, agentId: string): Promise<string[]> => {
    const ids = await links.outboundOf(userId, agentId)
    const all = await Promise.all(ids.map((id) => trunks.get(userId, id)))
    return all.flatMap((trunk) => trunk.outboundHeaders)
  }
