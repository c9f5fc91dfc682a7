// The texts of devices: each that comes in once, each that goes out once, in the order of its sender. Two queues in one table.
import type { RawBuilder, UpdateObject } from 'kysely'
import { now } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { DeviceTextRow, Tables } from '../../db/tables.ts'
import { dbTime } from '../../db/time.ts'
import { eventWriter } from '../events/store.ts'

export type DeviceTexts = ReturnType<typeof deviceTexts>
type Direction = DeviceTextRow['direction']
export type NewText = Pick<DeviceTextRow, 'userId' | 'deviceId' | 'key' | 'peer' | 'own' | 'text'> & {
  conversationId?: string | null
}

type NewRow = Omit<DeviceTextRow, 'dueAt'> & { dueAt: RawBuilder<string> }

const taken = { in: 'answering', out: 'sending' } as const
const unfinished = ['waiting', 'answering', 'sending'] as const

export function deviceTexts(db: Db) {
  const tell = eventWriter(db)
  const rowOf = (direction: Direction, status: DeviceTextRow['status'], text: NewText, inMs = 0): NewRow => ({
    conversationId: null,
    ...text,
    id: newId('txt'),
    direction,
    status,
    tries: 0,
    dueAt: dbTime(db, inMs),
    farId: null,
    error: null,
    createdAt: now(),
    endedAt: null,
  })
  /** Undefined when it was there before. */
  const insert = (on: Db | Trx, row: NewRow): Promise<DeviceTextRow | undefined> =>
    on
      .insertInto('deviceTexts')
      .values(row)
      .onConflict((c) => c.columns(['deviceId', 'direction', 'key']).doNothing())
      .returningAll()
      .executeTakeFirst()
  const set = (on: Db | Trx, id: string, to: UpdateObject<Tables, 'deviceTexts'>) =>
    on.updateTable('deviceTexts').set(to).where('id', '=', id).execute()

  return {
    /** Kept, now or before. */
    received: (text: NewText): Promise<void> =>
      db.inTransaction(async (trx) => {
        const kept = await insert(trx, rowOf('in', 'waiting', text))
        if (!kept) return
        const { userId, deviceId, peer: from, own: to, id, createdAt } = kept
        const device = trx.selectFrom('devices').select('agentId').where('id', '=', deviceId)
        const agentId = (await device.executeTakeFirst())?.agentId ?? null
        const data = { deviceId, text: { id, from, to, content: kept.text, createdAt } }
        await tell(trx, { userId, type: 'device.text_received', agentId, data })
      }),

    /** The next one, which is the caller's for so long. The texts of one sender come one after the other. */
    async next(direction: Direction, leaseMs: number): Promise<DeviceTextRow | undefined> {
      const at = dbTime(db)
      const row = await db
        .updateTable('deviceTexts')
        .set({ status: taken[direction], dueAt: dbTime(db, leaseMs) })
        .where('status', '=', 'waiting')
        .where('id', '=', (from) =>
          from
            .selectFrom('deviceTexts as text')
            .select('text.id')
            .where('text.direction', '=', direction)
            .where('text.status', '=', 'waiting')
            .where('text.dueAt', '<=', at)
            .where((where) =>
              where.not(
                where.exists(
                  where
                    .selectFrom('deviceTexts as before')
                    .select('before.id')
                    .whereRef('before.deviceId', '=', 'text.deviceId')
                    .whereRef('before.peer', '=', 'text.peer')
                    .where('before.direction', '=', direction)
                    .where('before.status', 'in', unfinished)
                    .whereRef('before.id', '<', 'text.id'),
                ),
              ),
            )
            .orderBy('text.id')
            .limit(1),
        )
        .returningAll()
        .executeTakeFirst()
      return row
    },

    /** Whoever had it died: what was being answered is answered again, what was being sent is not sent twice. */
    async closeLeft(): Promise<void> {
      const late = db.updateTable('deviceTexts').where('dueAt', '<', dbTime(db))
      await late.set({ status: 'waiting' }).where('status', '=', 'answering').execute()
      await late
        .set({ status: 'in_doubt', error: 'The server stopped while it was being sent', endedAt: now() })
        .where('status', '=', 'sending')
        .execute()
    },

    /** The conversation that this sender was in before this text, and when it last went on. */
    async lastOf(text: DeviceTextRow): Promise<{ conversationId: string; at: string } | undefined> {
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
    },

    inConversation: async (id: string, conversationId: string): Promise<void> =>
      void (await set(db, id, { conversationId })),

    /** Answered: from now on its answer waits to be sent. */
    async answered(text: DeviceTextRow, answer: string, conversationId: string): Promise<void> {
      const { userId, deviceId, peer, own, id } = text
      await db.inTransaction(async (trx) => {
        await insert(
          trx,
          rowOf('out', 'waiting', { userId, deviceId, peer, own, key: id, text: answer, conversationId }),
        )
        await set(trx, id, { status: 'answered', conversationId, endedAt: now(), error: null })
      })
    },

    /** One that is sent at once by who asks for it; undefined when it was asked for before. */
    begin: (text: NewText, leaseMs: number): Promise<DeviceTextRow | undefined> =>
      insert(db, rowOf('out', 'sending', text, leaseMs)),

    async finish(id: string, end: Pick<DeviceTextRow, 'status'> & Partial<DeviceTextRow>): Promise<void> {
      await set(db, id, { ...end, endedAt: now() })
    },

    /** What the far side tells of one later, by our id of it or by its own: that it did not arrive, or that it did though nobody knew. */
    async delivered(
      deviceId: string,
      { key, farId, error }: { key: string | null; farId: string; error: string | null },
    ): Promise<void> {
      const one = db
        .updateTable('deviceTexts')
        .where('deviceId', '=', deviceId)
        .where('direction', '=', 'out')
        .where((where) => where.or([where('farId', '=', farId), where('id', '=', key ?? '')]))
      if (error === null) await one.set({ status: 'sent', farId, error }).where('status', '=', 'in_doubt').execute()
      else await one.set({ status: 'failed', error }).where('status', 'in', ['sent', 'in_doubt']).execute()
    },

    async tryAgain({ id, tries }: DeviceTextRow, inMs: number, error: string): Promise<void> {
      await set(db, id, { status: 'waiting', tries: tries + 1, dueAt: dbTime(db, inMs), error })
    },
  }
}
