// Call leases: a node renews those of its calls; expired ones of other nodes are adopted or closed. Uses the database
// clock.
import { expressionBuilder } from 'kysely'
import { liveStatuses } from '../../base/domain/call-statuses.ts'
import { toIso } from '../../base/time/clock.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { CallRow, Tables } from '../../db/tables.ts'
import { dbTime, readDbClock } from '../../db/time.ts'

export const LEASE_MS = 10_000
/** Another process dials a queued call of a crashed process within this time; after that the call is closed. */
const TAKE_OVER_MS = 300_000
const TAKEN_AT_ONCE = 100
/** No live process writes a lease this far ahead: the database clock was set back. */
const IMPOSSIBLE_LEASE_MS = 600_000
/** A call given to a live node is left to it for this long. */
const GIVEN_MS = 10_000
/** For stores that do not belong to a node, as in the CLI. */
export const UNNAMED_NODE = 'ramal'

/** Limits which calls may be ended: this node's, or those whose lease has expired. */
export type EndScope = { isOwn?: true; isExpired?: true }
export type End = (
  trx: Trx,
  id: string,
  set: Partial<CallRow> & { endedAt: string },
  only?: EndScope,
) => Promise<CallRow | undefined>

const orphaned = {
  status: 'failed',
  endReason: 'orphaned',
  endDetail: 'The process that ran this call ended',
  hangupBy: 'system',
} as const

const calls = expressionBuilder<Tables, 'calls'>()

/** Whether the lease has expired, by the database clock. */
export const isLeft = (db: Db) =>
  calls.or([
    calls('calls.leaseUntil', '<', dbTime(db)),
    calls('calls.leaseUntil', '>', dbTime(db, IMPOSSIBLE_LEASE_MS)),
  ])
/** Queued: nothing has been sent for it yet. */
const isUndialed = calls.and([
  calls('calls.status', '=', 'initiating'),
  calls('calls.direction', '=', 'outbound'),
  calls('calls.trunkId', 'is', null),
  calls('calls.deviceId', 'is', null),
])
/** Only the node that runs a call may change its state: another node may have adopted it. */
export const isOwnedBy = (nodeId: string) =>
  calls.or([calls('calls.nodeId', '=', nodeId), calls('calls.nodeId', 'is', null)])

/** The user's calls waiting to be dialed, on all nodes. */
export async function countWaiting(db: Db | Trx, userId: string): Promise<number> {
  const query = db.selectFrom('calls').select(({ fn }) => fn.countAll<number | string>().as('count'))
  const { count } = await query.where('userId', '=', userId).where(isUndialed).executeTakeFirstOrThrow()
  return Number(count)
}

const latest = (...times: (string | null)[]) => times.reduce<string>((a, b) => (b !== null && b > a ? b : a), '')

/** `end` ends a call within its scope. */
export function callLeases(db: Db, nodeId: string, end: End) {
  return {
    /** Returns the calls that no longer belong to this node, because another process ended or adopted them. */
    async renewLeases(ids: readonly string[]): Promise<string[]> {
      const over = new Set(ids)
      for (let i = 0; i < ids.length; i += 500) {
        const live = await db
          .updateTable('calls')
          .set({ leaseUntil: dbTime(db, LEASE_MS) })
          .where('id', 'in', ids.slice(i, i + 500))
          .where('status', 'in', liveStatuses)
          .where(isOwnedBy(nodeId))
          .returning('id')
          .execute()
        for (const { id } of live) over.delete(id)
      }
      return [...over]
    },

    /** The calls among these that another process has closed because their lease had expired. */
    async orphanedOf(ids: readonly string[]): Promise<string[]> {
      const query = db.selectFrom('calls').select('id').where('id', 'in', ids).where('endReason', '=', 'orphaned')
      return (await query.execute()).map(({ id }) => id)
    },

    /** Gives a queued call to another node: ends its lease, and for a while only that node may take it. */
    async give(id: string, toNode: string): Promise<boolean> {
      const given = await db
        .updateTable('calls')
        .set({ nodeId: toNode, leaseUntil: dbTime(db, -1) })
        .where('id', '=', id)
        .where(isUndialed)
        .where(isOwnedBy(nodeId))
        .returning('id')
        .executeTakeFirst()
      return given !== undefined
    },

    /**
     * Adopts queued calls that were given to this node, and those of crashed processes. `others`: the other live nodes.
     */
    takeWaiting: (own: ReadonlySet<string> = new Set(), others: readonly string[] = []): Promise<CallRow[]> =>
      takeWaiting(db, nodeId, own, others),

    /**
     * Ends calls of crashed processes; never `own`, the calls of this process, however late their renewal is.
     * `ofThisNode`: only those of an earlier process of this node.
     */
    async closeOrphans(own: ReadonlySet<string> = new Set(), { ofThisNode = false } = {}): Promise<CallRow[]> {
      const left = await db
        .selectFrom('calls')
        .leftJoin('conversations', 'conversations.id', 'calls.conversationId')
        .select(['calls.id', 'calls.leaseUntil', 'calls.startedAt', 'calls.answeredAt'])
        .select(['conversations.startedAt as talkedAt', 'conversations.lastMessageAt as saidAt'])
        .where('calls.status', 'in', liveStatuses)
        .where(isLeft(db))
        .$if(ofThisNode, (query) => query.where(isOwnedBy(nodeId)))
        .where((where) => where.or([where.not(isUndialed), where('calls.leaseUntil', '<', dbTime(db, -TAKE_OVER_MS))]))
        .execute()
      if (left.length === 0) return []
      const at = toIso(await readDbClock(db))
      const closed: CallRow[] = []
      for (const { id, leaseUntil, ...times } of left) {
        if (own.has(id)) continue
        // Its process ran at most until the lease expired, and the call did not end before its last known event.
        const endedAt = latest(leaseUntil < at ? leaseUntil : at, ...Object.values(times))
        const ended = await db.inTransaction((trx) => end(trx, id, { ...orphaned, endedAt }, { isExpired: true }))
        if (ended) closed.push(ended)
      }
      return closed
    },
  }
}

async function takeWaiting(
  db: Db,
  nodeId: string,
  own: ReadonlySet<string>,
  others: readonly string[],
): Promise<CallRow[]> {
  const left = await db
    .selectFrom('calls')
    .select('id')
    .where(isUndialed)
    .where(isLeft(db))
    .$if(others.length > 0, (query) =>
      query.where((where) =>
        where.or([
          where('nodeId', 'is', null),
          where('nodeId', 'not in', others),
          where('leaseUntil', '<', dbTime(db, -GIVEN_MS)),
        ]),
      ),
    )
    .where('leaseUntil', '>=', dbTime(db, -TAKE_OVER_MS))
    .orderBy('id')
    .limit(TAKEN_AT_ONCE)
    .execute()
  const taken: CallRow[] = []
  for (const { id } of left) {
    if (own.has(id)) continue
    const row = await db
      .updateTable('calls')
      .set({ nodeId, leaseUntil: dbTime(db, LEASE_MS) })
      .where('id', '=', id)
      .where(isUndialed)
      .where(isLeft(db))
      .returningAll()
      .executeTakeFirst()
    if (row) taken.push(row)
  }
  return taken
}
