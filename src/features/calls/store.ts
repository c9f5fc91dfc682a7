// Creates and lists calls. The state transitions of a live call are in lifecycle-store.ts, its end is in end-store.ts.

import { liveStatuses } from '../../base/domain/call-statuses.ts'
import { appError, found } from '../../base/errors/errors.ts'
import { audit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import { eventWriter } from '../../db/outbox.ts'
import { ownedRow } from '../../db/owned.ts'
import { agentNotRemoved } from '../../db/removal.ts'
import { type CallRow, toJson } from '../../db/tables.ts'
import { dbTime } from '../../db/time.ts'
import { markWritten } from '../../db/write-once.ts'
import { callEvent, newCallColumns, toCall } from './call-record.ts'
import { callDetails } from './details-store.ts'
import { queueFull } from './dial-queue.ts'
import { callEnder, callEnds } from './end-store.ts'
import { callLeases, countWaiting, LEASE_MS, UNNAMED_NODE } from './lease-store.ts'
import { callPages } from './list-store.ts'
import type { Call } from './schema.ts'

export type CallStore = ReturnType<typeof callStore>

export type NewOutboundCall = {
  agentId: string
  toNumber: string
  deviceTokens: string[] | null
  /** SIP headers of the INVITE. */
  headers?: Record<string, string> | null
  variables: Record<string, string> | null
  metadata: Record<string, unknown> | null
  /** For campaign calls: the outbound route (CallVia in phone/ports.ts) and the attempt. */
  via?: Readonly<Record<string, string | null>> | null
  attemptId?: string | null
}

/** Maximum number of devices tried for one call. */
const MAX_DEVICES = 20

/**
 * `maxWaiting`: how many calls of a user may wait on all nodes; without it, the dial queue of the only process sets the
 * limit.
 */
export function callStore(db: Db, nodeId = UNNAMED_NODE, maxWaiting = Number.POSITIVE_INFINITY) {
  const row = ownedRow(db, 'calls')
  const writeEvent = eventWriter(db)
  const end = callEnder(db, nodeId, writeEvent)
  const pages = callPages(db)

  async function liveWhere(column: 'agentId' | 'userId', id: string): Promise<string[]> {
    const query = db.selectFrom('calls').select('id').where(column, '=', id).where('status', 'in', liveStatuses)
    return (await query.execute()).map((call) => call.id)
  }

  async function insertOutbound(trx: Trx, userId: string, call: NewOutboundCall): Promise<CallRow> {
    const stored: CallRow = {
      ...newCallColumns(nodeId, call),
      userId,
      agentId: call.agentId,
      direction: 'outbound',
      status: 'initiating',
      fromNumber: null,
      toNumber: call.toNumber,
      trunkId: null,
      deviceId: null,
      deviceTokens: toJson(call.deviceTokens),
      headers: toJson(call.headers ?? null),
      via: toJson(call.via ?? null),
      attemptId: call.attemptId ?? null,
      ringingAt: null,
    }
    await trx
      .insertInto('calls')
      .values({ ...stored, leaseUntil: dbTime(trx, LEASE_MS) })
      .execute()
    await writeEvent(trx, callEvent(stored, 'call.initiated'))
    // Exact: the event holds the lock of the user's event counter until the commit, and this query sees everything
    // committed before.
    if (Number.isFinite(maxWaiting) && (await countWaiting(trx, userId)) > maxWaiting) throw queueFull(1000)
    return stored
  }

  return {
    async get(userId: string, id: string): Promise<Call> {
      return toCall(found('Call', await row(userId, id)))
    },

    /** Ids of the devices that a user may call through, oldest first; an id that matches nothing if there are none. */
    async devicesOf(userId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('devices')
        .select('id')
        .where('userId', '=', userId)
        .where('status', '!=', 'disabled')
        .orderBy('createdAt')
        .limit(MAX_DEVICES)
        .execute()
      return rows.length === 0 ? ['none'] : rows.map(({ id }) => id)
    },

    /** `admit` throws if the user's budget is used up. */
    async createOutbound(userId: string, call: NewOutboundCall, admit = async () => {}): Promise<CallRow> {
      const agent = await db
        .selectFrom('agents')
        .select(['isActive', 'direction'])
        .where('userId', '=', userId)
        .where('id', '=', call.agentId)
        .where('removedAt', 'is', null)
        .executeTakeFirst()
      const { isActive, direction } = found('Agent', agent)
      if (!isActive) throw appError('agent_inactive')
      if (direction === 'inbound') throw appError('agent_inbound_only')
      await admit()
      return db.inTransaction(async (trx) => {
        await markWritten(trx)
        const stored = await insertOutbound(trx, userId, call)
        const { id, agentId } = stored
        await audit(trx, { kind: 'call', action: 'placed', userId, id, after: { agentId } })
        return stored
      })
    },

    /** Runs in the transaction that requests the call; the queue that receives the row dials it. */
    insertOutbound,

    /** Filtered, newest first. */
    page: pages.pageOf,
    count: pages.count,
    details: callDetails(db),

    active: (userId: string): Promise<CallRow[]> =>
      db
        .selectFrom('calls')
        .selectAll()
        .where('userId', '=', userId)
        .where('direction', '=', 'outbound')
        .where('status', 'in', liveStatuses)
        .where(agentNotRemoved())
        .orderBy('startedAt', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    /** The node that runs, or ran, the call. */
    async nodeOf(id: string): Promise<string | null> {
      const found = await db.selectFrom('calls').select('nodeId').where('id', '=', id).executeTakeFirst()
      return found?.nodeId ?? null
    },

    liveOfAgent: (agentId: string): Promise<string[]> => liveWhere('agentId', agentId),
    liveOfUser: (userId: string): Promise<string[]> => liveWhere('userId', userId),

    ...callEnds(db, end),
    ...callLeases(db, nodeId, end),
  }
}
