// The events service: reading and streaming events.
import type { Db } from '../../db/database.ts'
import { eventRoutes } from './routes.ts'
import type { Event } from './schema.ts'
import { eventReader, toEvent } from './store.ts'
import { eventStreams, type StreamTimes } from './stream.ts'

export function eventService(db: Db, times: StreamTimes = {}) {
  const events = eventReader(db)
  const streams = eventStreams(db, events, times)
  return {
    /** Undefined if no longer stored. */
    async eventOf(userId: string, id: string): Promise<Event | undefined> {
      const row = await events.get(userId, id)
      return row && toEvent(row)
    },
    routes: [eventRoutes({ streams })],
    stop: () => streams.close(),
    async [Symbol.asyncDispose](): Promise<void> {
      streams.close()
    },
  }
}
