// Reads events, ordered by the sequence that the outbox assigns (db/outbox.ts).
import type { EventType } from '../../base/domain/event-types.ts'
import type { Db } from '../../db/database.ts'
import type { EventRow } from '../../db/event-rows.ts'
import { prepared } from '../../db/prepared.ts'
import { agentNotRemoved } from '../../db/removal.ts'
import type { Event } from './schema.ts'

export type EventReader = ReturnType<typeof eventReader>

export function eventReader(db: Db) {
  const after = prepared<{ userId: string; sequence: number; limit: number }, EventRow>(db, (slot) =>
    db
      .selectFrom('events')
      .selectAll()
      .where('userId', '=', slot('userId'))
      .where('sequence', '>', slot('sequence'))
      .where(agentNotRemoved())
      .orderBy('sequence')
      .limit(slot('limit')),
  )
  return {
    /** Events after a sequence, oldest first. */
    after: (userId: string, sequence: number, limit: number): Promise<EventRow[]> => after({ userId, sequence, limit }),

    async get(userId: string, id: string): Promise<EventRow | undefined> {
      const own = db.selectFrom('events').selectAll().where('userId', '=', userId)
      return own.where('id', '=', id).where(agentNotRemoved()).executeTakeFirst()
    },

    /** The sequence of each user's last event. */
    async lastOf(userIds: readonly string[]): Promise<Map<string, number>> {
      const rows = await db.selectFrom('eventCounters').selectAll().where('userId', 'in', userIds).execute()
      return new Map(rows.map(({ userId, last }) => [userId, last]))
    },

    /** The newest event. */
    newest: (userId: string): Promise<{ id: string; sequence: number } | undefined> =>
      db
        .selectFrom('events')
        .select(['id', 'sequence'])
        .where('userId', '=', userId)
        .orderBy('sequence', 'desc')
        .limit(1)
        .executeTakeFirst(),

    /** The sequence of an event; for a removed one, that of the last event before it, since ids sort by time. */
    async sequenceOf(userId: string, id: string): Promise<number> {
      const row = await db
        .selectFrom('events')
        .select('sequence')
        .where('userId', '=', userId)
        .where('id', '<=', id)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.sequence ?? 0
    },
  }
}

export function toEvent({ id, type, createdAt, sequence, callId, conversationId, agentId, data }: EventRow): Event {
  const ids = { callId, conversationId, agentId }
  return { id, type: type as EventType, createdAt, sequence, data: { ...ids, ...JSON.parse(data) } }
}
