// The calls of this process: those that wait to be dialled, their leases, how one is hung up, and what dead processes left behind.
import { type Dial, dialQueue } from './api/calls/dial-queue.ts'
import { type CallStore, LEASE_MS } from './api/calls/store.ts'
import { monotonicMs } from './base/clock.ts'
import type { Log } from './base/log.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import { fromJson } from './db/tables.ts'
import type { LiveCalls } from './phone/live-calls.ts'
import type { Phone } from './phone/phone.ts'

export type CallDesk = ReturnType<typeof callDesk>

export function callDesk(parts: {
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

  let lostAt = Number.NEGATIVE_INFINITY
  async function isDatabaseThere(): Promise<boolean> {
    const isThere = await database.ping().then(
      () => true,
      () => false,
    )
    if (!isThere) lostAt = monotonicMs()
    return isThere
  }

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

    async closeOrphans(): Promise<void> {
      // After an absence of the database every lease has run out, and the others need a moment to renew theirs.
      if (monotonicMs() - lostAt < LEASE_MS || !(await isDatabaseThere())) return
      await calls.closeOrphans()
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
