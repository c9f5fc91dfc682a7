// Device texts: each is received once and sent once, in order per sender. Two leased queues share one table: after a
// crash, incoming texts are answered again, while outgoing ones are not resent but end in doubt.
import { type RawBuilder, sql, type UpdateObject } from 'kysely'
import { newId } from '../../base/ids.ts'
import { now } from '../../base/time/clock.ts'
import type { Db, Trx } from '../../db/database.ts'
import { leasedQueue } from '../../db/leased-queue.ts'
import { eventWriter, type WriteEvent } from '../../db/outbox.ts'
import type { DeviceTextRow, Tables } from '../../db/tables.ts'
import { dbTime } from '../../db/time.ts'

export type DeviceTexts = ReturnType<typeof deviceTexts>
type Direction = DeviceTextRow['direction']
export type NewText = Pick<DeviceTextRow, 'userId' | 'deviceId' | 'key' | 'peer' | 'own' | 'text'> & {
  conversationId?: string | null
}
/** A text under a lease. */
export type ClaimedText = DeviceTextRow & { leaseUntil: string }

type NewRow = Omit<DeviceTextRow, 'dueAt'> & { dueAt: RawBuilder<string> }
type Changes = UpdateObject<Tables, 'deviceTexts'>

const LEASE_MS = 120_000
const unfinished = ['waiting', 'answering', 'sending'] as const

export function deviceTexts(db: Db) {
  const writeEvent = eventWriter(db)
  const queue = (claimed: 'answering' | 'sending') =>
    leasedQueue(db, {
      table: 'deviceTexts',
      dueAt: 'dueAt',
      status: { column: 'status', waiting: 'waiting', claimed, claimable: ['waiting'] },
      leaseMs: LEASE_MS,
    })
  const queues = { in: queue('answering'), out: queue('sending') }

  /** Only while leased. An outgoing text also when in doubt: its sender is late, and no other process sends it. */
  async function set(text: ClaimedText, to: Changes, on: Db | Trx = db): Promise<boolean> {
    if (await queues[text.direction].finish(text, to as Partial<DeviceTextRow>, on)) return true
    if (text.direction === 'in') return false
    const inDoubt = on.updateTable('deviceTexts').set(to).where('id', '=', text.id).where('status', '=', 'in_doubt')
    return (await inDoubt.returning('id').executeTakeFirst()) !== undefined
  }

  return {
    received: (text: NewText): Promise<void> => storeReceived(db, writeEvent, text),

    /** Claims the next text. Texts of one sender are handled in order. */
    next: (direction: Direction, leaseMs: number): Promise<ClaimedText | undefined> =>
      queues[direction].claim({
        leaseMs,
        orderBy: 'id',
        where: sql<boolean>`candidate.direction = ${direction} and not exists (
          select 1 from ${sql.table('deviceTexts')} as earlier
          where ${sql.ref('earlier.deviceId')} = ${sql.ref('candidate.deviceId')} and earlier.peer = candidate.peer
            and earlier.direction = ${direction} and earlier.status in (${sql.join(unfinished)})
            and earlier.id < candidate.id)`,
      }),

    /** After a crash: incoming texts are answered again, outgoing ones are not sent twice. */
    async closeLeft(): Promise<void> {
      await queues.in.expire({ status: 'waiting' })
      const error = 'The server stopped while it was being sent'
      await queues.out.expire({ status: 'in_doubt', error, endedAt: now() })
    },

    lastOf: (text: DeviceTextRow) => lastOf(db, text),

    async inConversation(id: string, conversationId: string): Promise<void> {
      await db.updateTable('deviceTexts').set({ conversationId }).where('id', '=', id).execute()
    },

    /** Finishes an incoming text and queues its answer, in one transaction. */
    async answered(text: ClaimedText, answer: string, conversationId: string): Promise<void> {
      const { userId, deviceId, peer, own, id } = text
      await db.inTransaction(async (trx) => {
        const isHeld = await set(text, { status: 'answered', conversationId, endedAt: now(), error: null }, trx)
        if (!isHeld) return
        await insert(trx, newRow(db, 'out', { userId, deviceId, peer, own, key: id, text: answer, conversationId }))
      })
    },

    /** A text that the caller sends itself, immediately; undefined if its key was used before. */
    async begin(text: NewText, leaseMs: number): Promise<ClaimedText | undefined> {
      const row = await insert(db, { ...newRow(db, 'out', text), status: 'sending', dueAt: dbTime(db, leaseMs) })
      return row && { ...row, leaseUntil: row.dueAt }
    },

    async finish(text: ClaimedText, end: Pick<DeviceTextRow, 'status'> & Partial<DeviceTextRow>): Promise<void> {
      await set(text, { ...end, endedAt: now() })
    },

    async tryAgain(text: ClaimedText, inMs: number, error: string): Promise<void> {
      const { tries } = text
      await set(text, { status: 'waiting', tries: tries + 1, dueAt: dbTime(db, inMs), error, endedAt: null })
    },

    delivered: (deviceId: string, report: DeliveryReport) => markDelivered(db, deviceId, report),
  }
}

/** Stores a text once, however often it is received. */
const storeReceived = (db: Db, writeEvent: WriteEvent, text: NewText): Promise<void> =>
  db.inTransaction(async (trx) => {
    const stored = await insert(trx, newRow(db, 'in', text))
    if (!stored) return
    const { userId, deviceId, peer: from, own: to, id, createdAt } = stored
    const device = trx.selectFrom('devices').select('agentId').where('id', '=', deviceId)
    const agentId = (await device.executeTakeFirst())?.agentId ?? null
    const data = { deviceId, text: { id, from, to, content: stored.text, createdAt } }
    await writeEvent(trx, { userId, type: 'device.text_received', agentId, data })
  })

type DeliveryReport = { key: string | null; externalId: string; error: string | null }

/** Applies a delivery report, matched by our id or the network's: a sent text failed, or a doubtful one did arrive. */
async function markDelivered(db: Db, deviceId: string, { key, externalId, error }: DeliveryReport): Promise<void> {
  const one = db
    .updateTable('deviceTexts')
    .where('deviceId', '=', deviceId)
    .where('direction', '=', 'out')
    .where((where) => where.or([where('externalId', '=', externalId), where('id', '=', key ?? '')]))
  if (error === null) await one.set({ status: 'sent', externalId, error }).where('status', '=', 'in_doubt').execute()
  else await one.set({ status: 'failed', error }).where('status', 'in', ['sent', 'in_doubt']).execute()
}

/** The conversation of this sender's previous text, and the time of that text. */
async function lastOf(db: Db, text: DeviceTextRow): Promise<{ conversationId: string; at: string } | undefined> {
  const row = await db
    .selectFrom('deviceTexts')
    .select(['conversationId', 'createdAt'])
    .where('deviceId', '=', text.deviceId)
    .where('peer', '=', text.peer)
    .where('conversationId', 'is not', null)
    .where('id', '!=', text.id)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row?.conversationId ? { conversationId: row.conversationId, at: row.createdAt } : undefined
}

const newRow = (db: Db, direction: Direction, text: NewText): NewRow => ({
  conversationId: null,
  ...text,
  id: newId('txt'),
  direction,
  status: 'waiting',
  tries: 0,
  dueAt: dbTime(db),
  externalId: null,
  error: null,
  createdAt: now(),
  endedAt: null,
})

/** Undefined if it was already stored. */
const insert = (on: Db | Trx, row: NewRow): Promise<DeviceTextRow | undefined> =>
  on
    .insertInto('deviceTexts')
    .values(row)
    .onConflict((c) => c.columns(['deviceId', 'direction', 'key']).doNothing())
    .returningAll()
    .executeTakeFirst()
