// The calls of this process: dial queue, leases, hang-up, and calls orphaned by a dead process.

import { coalesced } from '../../base/concurrency/coalesced.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import type { Database } from '../../db/database.ts'
import { leaseClock } from '../../db/lease-clock.ts'
import { PERMIT_LEAD_MS, takePermit } from '../../db/pace.ts'
import { fromJson } from '../../db/tables.ts'
import { readDbClock } from '../../db/time.ts'
import type { CallCapacity } from '../../phone/capacity.ts'
import type { Phone } from '../../phone/phone.ts'
import { campaignGate } from '../campaigns/gate-rows.ts'
import type { ServiceContext } from '../service.ts'
import { type Dial, dialQueue, type SharedQueue } from './dial-queue.ts'
import { countWaiting, LEASE_MS } from './lease-store.ts'
import { callPlacement } from './placement.ts'
import type { CallStore } from './store.ts'

export type CallManagerParts = {
  calls: CallStore
  /** Null if the phone is off. */
  phone: Phone | null
  /** Phone and web calls of this process. */
  live: Pick<CallCapacity, 'ids' | 'get' | 'total' | 'maxCalls'>
  elapsedMs?: () => number
}

/** Limit of one renewal attempt: two attempts and the pause between rounds fit into a lease. */
const RENEW_LIMIT_MS = 3000
const notSent = { status: 'canceled', endReason: 'canceled_by_api', hangupBy: 'system' } as const

export function callManager(context: ServiceContext, parts: CallManagerParts) {
  const { config, db, database, log, nodes, nodeName, cluster } = context
  const { calls, phone, live, elapsedMs = monotonicMs } = parts
  const startedMs = elapsedMs()
  const wakes = new Map<string, () => Promise<unknown>>()
  /** A node that the bus does not reach finds the calls by polling. Many calls at once become two messages. */
  function wake(node: string): void {
    const tell = wakes.get(node) ?? coalesced(async () => cluster?.request(node, 'calls-wait', {})).run
    wakes.set(node, tell)
    void tell().catch(() => {})
  }
  const placement = callPlacement({
    nodeName,
    hasPhone: phone !== null,
    live,
    calls,
    list: nodes.list,
    wake,
    log,
  })

  const dial: Dial = async (call) => {
    if (phone) {
      const gate = call.attemptId ? await campaignGate(db, call) : null
      if (gate && 'problem' in gate) return void (await calls.finish(call.id, { ...notSent, endDetail: gate.problem }))
      return phone.dial({
        ...call,
        deviceTokens: fromJson(call.deviceTokens),
        headers: fromJson(call.headers ?? null),
        via: fromJson(call.via ?? null),
        handOn: () => placement.place(call, true),
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
  const queue = dialQueue({ dial, ...config.calls, shared: sharedQueue(context), placement, log })

  /** False if this node does not run the call. */
  function hangUpHere(callId: string): boolean {
    queue.forget(callId)
    const running = live.get(callId)
    running?.hangUp('api')
    return running !== undefined
  }
  cluster?.handle('hang-up', async ({ callId }: { callId: string }) => void hangUpHere(callId))

  /** Not awaited: a node that the message does not reach hangs up when it renews its leases. */
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

  const { lastOutageMs } = database
  const leases = leaseClock(LEASE_MS, { readClock: () => readDbClock(db), lastOutageMs, elapsedMs })
  let renewedMs = startedMs
  /** The database may have been down until this node started, so the other nodes get one lease period to renew. */
  const isNew = () => database.shared && elapsedMs() - startedMs < LEASE_MS
  const own = () => new Set([...queue.waiting(), ...live.ids()])

  /** Leaves out calls that were hung up through another node. */
  async function reportLost(ids: readonly string[], lateMs: number): Promise<void> {
    const lost = await calls.orphanedOf(ids)
    if (lost.length > 0)
      log.warn({ calls: lost.length, lateMs }, 'hung up calls that another node had closed: their leases had expired')
  }

  async function closeLeft(): Promise<void> {
    const closed = await calls.closeOrphans(own(), { ofThisNode: isNew() })
    for (const [node, { length }] of Map.groupBy(closed, ({ nodeId }) => nodeId))
      log.warn({ node, calls: length }, 'closed the calls of a process that ended')
  }

  /** Queues calls that were given to this node, and calls of dead nodes. */
  const takeWaiting = coalesced(async (): Promise<void> => {
    if (!phone || !queue.isOpen) return
    const taken = await calls.takeWaiting(own(), placement.liveNames())
    if (taken.length > 0) log.info({ calls: taken.length }, 'took over waiting calls of another node')
    queue.takeOver(taken)
  }).run
  const takeGiven = coalesced(async (): Promise<void> => {
    if (await leases.mayJudge()) await takeWaiting()
  }).run
  cluster?.handle('calls-wait', takeGiven)

  return {
    queue,
    hangUp,

    /** Renews the leases of running and queued calls, and hangs up calls that another process has ended. */
    async renewLeases(): Promise<void> {
      const ids = [...own()]
      const over = await renewInTime(database, () => calls.renewLeases(ids))
      const lateMs = Math.round(elapsedMs() - renewedMs)
      renewedMs = elapsedMs()
      const hungUp = over.filter(hangUpHere)
      if (hungUp.length > 0) await reportLost(hungUp, lateMs)
    },

    /**
     * Dials queued calls of dead processes and closes their other calls. Never touches our own calls, however late this
     * runs.
     */
    async closeOrphans(): Promise<void> {
      await placement.refresh()
      if (!(await leases.mayJudge())) return
      nodes.reportChanges()
      await takeWaiting()
      await closeLeft()
    },

    async endCallsOf(agentId: string): Promise<void> {
      for (const callId of await calls.liveOfAgent(agentId)) await hangUp(callId)
    },

    async endCallsOfUser(userId: string): Promise<void> {
      for (const callId of await calls.liveOfUser(userId)) await hangUp(callId)
    },

    /** Gives queued calls to other nodes, if there are any. */
    drain: (): void =>
      void queue.drain().catch((err) => log.warn({ err }, 'failed to give waiting calls to other nodes')),

    /** Fails the calls that are still queued. */
    async close(): Promise<void> {
      for (const call of queue.close())
        await calls
          .finish(call.id, { status: 'failed', endReason: 'node_shutdown', hangupBy: 'system' })
          .catch((err) => log.warn({ err, callId: call.id }, 'failed to close a waiting call at shutdown'))
    },
  }
}

/** A hanging statement may affect only its own connection, so retry while there is still time. */
function renewInTime(database: Database, renewLeases: () => Promise<string[]>): Promise<string[]> {
  const renew = () => database.within(RENEW_LIMIT_MS, renewLeases())
  return renew().catch((error) => {
    if (database.isAway()) throw error
    return renew()
  })
}

/** Pacing and queue limits across nodes that share the database. */
function sharedQueue({ database, db }: ServiceContext): SharedQueue | undefined {
  if (!database.shared) return undefined
  return {
    takePermit: (userId, gapMs) => takePermit(db, { name: `dial:${userId}`, gapMs }),
    leadMs: PERMIT_LEAD_MS,
    countWaiting: (userId) => countWaiting(db, userId),
  }
}
