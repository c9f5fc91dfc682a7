// The calls of this process: those that wait to be dialled, their leases, how one is hung up, and what dead processes left behind.
import { type Dial, dialQueue } from '../../api/calls/dial-queue.ts'
import { LEASE_MS } from '../../api/calls/leases.ts'
import type { CallStore } from '../../api/calls/store.ts'
import type { Log } from '../../base/log.ts'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/database.ts'
import { leaseClock } from '../../db/lease-clock.ts'
import { fromJson } from '../../db/tables.ts'
import { readDbClock } from '../../db/time.ts'
import type { LiveCalls } from '../../phone/capacity.ts'
import type { Phone } from '../../phone/phone.ts'

export type CallDesk = ReturnType<typeof callManager>

export function callManager(parts: {
  calls: CallStore
  /** Null when it is switched off. */
  phone: Phone | null
  /** The calls of this process, on the telephone and on the web. */
  live: Pick<LiveCalls, 'ids' | 'get'>
  settings: Config['calls']
  database: Database
  failed: (error: unknown) => void
  log: Log
}) {
  const { calls, phone, live, settings, database, failed, log } = parts

  const dial: Dial = async (call) => {
    if (phone) return phone.dial({ ...call, deviceTokens: fromJson(call.deviceTokens) })
    await calls.finish(call.id, {
      status: 'failed',
      endReason: 'trunk_unavailable',
      endDetail: 'The telephone is switched off (SIP_PORT is 0): no trunk or device can carry the call',
      hangupBy: 'system',
    })
  }
  const queue = dialQueue(dial, settings, log)

  async function hangUp(callId: string): Promise<boolean> {
    queue.forget(callId)
    const isEnded = await calls.cancel(callId)
    live.get(callId)?.hangUp('api')
    return isEnded
  }

  const isDatabaseThere = (): Promise<boolean> =>
    database.ping().then(
      () => true,
      () => false,
    )
  const leases = leaseClock(LEASE_MS, () => readDbClock(database.db))

  return {
    queue,
    hangUp,
    isDatabaseThere,

    /** Leases of the calls that we run or that wait here; what another process has hung up ends here too. */
    async renewLeases(): Promise<void> {
      if (!(await isDatabaseThere())) return
      for (const callId of await calls.renewLeases([...queue.waiting(), ...live.ids()])) {
        queue.forget(callId)
        live.get(callId)?.hangUp('api')
      }
    },

    /** What dead processes left: waiting calls are dialled from here, the others are closed. Never our own, however late we are. */
    async closeOrphans(): Promise<void> {
      if (!(await leases.mayJudge())) return
      const own = new Set([...queue.waiting(), ...live.ids()])
      if (phone && queue.isOpen) {
        const taken = await calls.takeWaiting(own)
        if (taken.length > 0) log.info({ calls: taken.length }, 'took over waiting calls of a node that is gone')
        queue.takeOver(taken)
      }
      await calls.closeOrphans(own)
    },

    async endCallsOf(agentId: string): Promise<void> {
      for (const callId of await calls.liveOfAgent(agentId)) await hangUp(callId)
    },

    /** What still waited is over. */
    async close(): Promise<void> {
      for (const call of queue.close())
        await calls.finish(call.id, { status: 'failed', endReason: 'node_shutdown', hangupBy: 'system' }).catch(failed)
    },
  }
}
