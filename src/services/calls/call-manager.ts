// The calls of this process: the dial queue, leases, hang-up, and calls orphaned by a dead process.
import { type Dial, dialQueue } from '../../api/calls/dial-queue.ts'
import { LEASE_MS } from '../../api/calls/leases.ts'
import type { CallStore } from '../../api/calls/store.ts'
import { campaignGate } from '../../api/campaigns/gate.ts'
import { leaseClock } from '../../db/lease-clock.ts'
import { fromJson } from '../../db/tables.ts'
import { readDbClock } from '../../db/time.ts'
import type { CallCapacity } from '../../phone/capacity.ts'
import type { Phone } from '../../phone/phone.ts'
import type { ServiceContext } from '../service.ts'

export type CallManagerParts = {
  calls: CallStore
  /** Null if the phone is off. */
  phone: Phone | null
  /** The calls of this process, on the phone and on the web. */
  live: Pick<CallCapacity, 'ids' | 'get'>
}

const notSent = { status: 'canceled', endReason: 'canceled_by_api', hangupBy: 'system' } as const

export function callManager(context: ServiceContext, parts: CallManagerParts) {
  const { config, db, isDatabaseUp, cluster, nodeName, log } = context
  const { calls, phone, live } = parts

  const dial: Dial = async (call) => {
    if (phone) {
      const gate = call.attemptId ? await campaignGate(db, call) : null
      if (gate && 'problem' in gate) return void (await calls.finish(call.id, { ...notSent, endDetail: gate.problem }))
      return phone.dial({
        ...call,
        deviceTokens: fromJson(call.deviceTokens),
        headers: fromJson(call.headers ?? null),
        via: fromJson(call.via ?? null),
        campaign: gate && { share: config.calls.campaignShare, withinMs: gate.withinMs },
      })
    }
    await calls.finish(call.id, {
      status: 'failed',
      endReason: 'trunk_unavailable',
      endDetail: 'The phone is switched off (SIP_PORT is 0): no trunk or device can carry the call',
      hangupBy: 'system',
    })
  }
  const queue = dialQueue(dial, config.calls, log)

  /** False when this node does not run the call. */
  function hangUpHere(callId: string): boolean {
    queue.forget(callId)
    const running = live.get(callId)
    running?.hangUp('api')
    return running !== undefined
  }
  cluster?.handle('hang-up', async ({ callId }: { callId: string }) => void hangUpHere(callId))

  /** Nobody waits for it: a node that it does not reach hangs up when it renews its leases. */
  async function hangUpElsewhere(callId: string): Promise<void> {
    const nodeId = await calls.nodeOf(callId)
    if (nodeId && nodeId !== nodeName) await cluster?.request(nodeId, 'hang-up', { callId })
  }

  async function hangUp(callId: string): Promise<boolean> {
    queue.forget(callId)
    const isEnded = await calls.cancel(callId)
    if (!hangUpHere(callId) && isEnded && cluster)
      void hangUpElsewhere(callId).catch((err) => log.warn({ err, callId }, 'another node hangs up later'))
    return isEnded
  }

  const leases = leaseClock(LEASE_MS, () => readDbClock(db))

  return {
    queue,
    hangUp,

    /** Renews the leases of running and queued calls, and hangs up those that another process has ended. */
    async renewLeases(): Promise<void> {
      if (!(await isDatabaseUp())) return
      for (const callId of await calls.renewLeases([...queue.waiting(), ...live.ids()])) hangUpHere(callId)
    },

    /** Dials queued calls of dead processes and closes their other calls. Never our own, however late this runs. */
    async closeOrphans(): Promise<void> {
      if (!(await leases.mayJudge())) return
      const own = new Set([...queue.waiting(), ...live.ids()])
      if (phone && queue.isOpen) {
        const orphans = await calls.takeWaiting(own)
        if (orphans.length > 0) log.info({ calls: orphans.length }, 'took over waiting calls of a dead node')
        queue.takeOver(orphans)
      }
      await calls.closeOrphans(own)
    },

    async endCallsOf(agentId: string): Promise<void> {
      for (const callId of await calls.liveOfAgent(agentId)) await hangUp(callId)
    },

    async endCallsOfUser(userId: string): Promise<void> {
      for (const callId of await calls.liveOfUser(userId)) await hangUp(callId)
    },

    /** Fails the calls that are still queued. */
    async close(): Promise<void> {
      for (const call of queue.close())
        await calls
          .finish(call.id, { status: 'failed', endReason: 'node_shutdown', hangupBy: 'system' })
          .catch((err) => log.warn({ err, callId: call.id }, 'failed to close a waiting call at shutdown'))
    },
  }
}
