// Events as server-sent events. Each listener reads from its own sequence at its own pace, so a slow one costs no
// memory; one poll per process finds the listeners that have more to read.
import { Readable } from 'node:stream'
import { appError } from '../../base/errors/errors.ts'
import type { Db } from '../../db/database.ts'
import { onEvent } from '../../db/outbox.ts'
import { type EventReader, toEvent } from './store.ts'

export type EventStreams = ReturnType<typeof eventStreams>
export type StreamTimes = { heartbeatMs?: number; lookMs?: number }
export type StreamRequest = {
  userId: string
  wants: (type: string) => boolean
  /** The last event that the client received; null to start from now. */
  lastEventId: string | null
}

type Start = { sequence: number; id: string | null }
type Listener = {
  userId: string
  stream: Readable
  /** Sequence of the last event that was read. */
  sequence: number
  hasMore: boolean
  pump: () => void
}

const MAX_LISTENERS = 1000
const MAX_PER_USER = 20
/** Shorter than the idle timeout of common proxies. */
const HEARTBEAT_MS = 15_000
/** Poll interval for events of other processes. */
const LOOK_MS = 500
const PAGE = 50
/** A client with more unread heartbeats than this is disconnected. */
const MAX_UNREAD = 4

export function eventStreams(
  db: Db,
  events: EventReader,
  { heartbeatMs = HEARTBEAT_MS, lookMs = LOOK_MS }: StreamTimes,
) {
  const listeners = new Set<Listener>()
  let round: NodeJS.Timeout | undefined
  const stopHearing = onEvent(db, () => void look())

  async function look(): Promise<void> {
    const users = [...new Set([...listeners].map(({ userId }) => userId))]
    if (users.length === 0) return
    const last = await events.lastOf(users).catch(() => new Map<string, number>())
    for (const listener of listeners) {
      if ((last.get(listener.userId) ?? 0) <= listener.sequence) continue
      listener.hasMore = true
      listener.pump()
    }
  }

  /** Polls one at a time, while there are listeners. */
  function lookOn(): void {
    round ??= setTimeout(async () => {
      await look()
      round = undefined
      if (listeners.size > 0) lookOn()
    }, lookMs).unref()
  }

  function follow({ userId, wants }: StreamRequest, from: Start): Readable {
    const listener = eventListener({
      userId,
      wants,
      from,
      events,
      heartbeatMs,
      onEnd: () => listeners.delete(listener),
    })
    listeners.add(listener)
    lookOn()
    return listener.stream
  }

  return {
    async open(request: StreamRequest): Promise<Readable> {
      const own = [...listeners].filter(({ userId }) => userId === request.userId).length
      if (listeners.size >= MAX_LISTENERS || own >= MAX_PER_USER)
        throw appError('too_many_listeners', {}, { headers: { 'retry-after': '10' } })
      if (request.lastEventId !== null) {
        const sequence = await events.sequenceOf(request.userId, request.lastEventId)
        return follow(request, { sequence, id: request.lastEventId })
      }
      const newest = await events.newest(request.userId)
      return follow(request, newest ?? { sequence: 0, id: null })
    },
    get size(): number {
      return listeners.size
    },
    close(): void {
      stopHearing()
      clearTimeout(round)
      for (const { stream } of listeners) if (!stream.destroyed) stream.push(null)
    },
  }
}

type ListenerParts = {
  userId: string
  wants: StreamRequest['wants']
  from: Start
  events: Pick<EventReader, 'after'>
  heartbeatMs: number
  onEnd(): void
}

/** Reads the events of one client as fast as the client takes them. */
function eventListener({ userId, wants, from, events, heartbeatMs, onEnd }: ListenerParts): Listener {
  let isWanted = false
  let isReading = false
  let unread = 0

  async function pump(): Promise<void> {
    if (isReading) return
    isReading = true
    try {
      while (isWanted && listener.hasMore && !stream.destroyed) {
        listener.hasMore = false // reset before the read: look() sets it again for an event committed meanwhile
        const rows = await events.after(userId, listener.sequence, PAGE)
        if (rows.length === PAGE) listener.hasMore = true
        for (const row of rows) {
          listener.sequence = row.sequence
          if (wants(row.type) && !stream.destroyed) isWanted = stream.push(wire(toEvent(row)))
        }
      }
    } catch {
      stream.destroy() // the client reconnects with Last-Event-ID
    } finally {
      isReading = false
    }
  }

  function beat(): void {
    if (stream.readableLength > 0 && ++unread > MAX_UNREAD) return void stream.destroy()
    if (!stream.destroyed && stream.readableLength === 0) stream.push(': still here\n\n')
  }

  const stream = new Readable({
    read() {
      isWanted = true
      unread = 0
      void pump()
    },
    destroy(error, done) {
      clearInterval(beating)
      onEnd()
      done(error)
    },
  })
  const listener: Listener = {
    userId,
    stream,
    sequence: from.sequence,
    hasMore: true,
    pump: () => void pump(),
  }
  const beating = setInterval(beat, heartbeatMs).unref()
  // An id without data, so that a client cut off before the first event can resume.
  stream.push(`retry: 2000\n${from.id === null ? '' : `id: ${from.id}\n`}\n`)
  return listener
}

const wire = (event: ReturnType<typeof toEvent>) =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
