// /api/events
import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { eventTypes } from '../../base/domain/event-types.ts'
import { appError } from '../../base/errors/errors.ts'
import type { Routes } from '../../http/server.ts'
import { EventQuery, mayReceive } from './schema.ts'
import type { EventStreams } from './stream.ts'

export const eventRoutes =
  ({ streams }: { streams: EventStreams }): Routes =>
  (api) => {
    api.get(
      '/events',
      {
        schema: {
          summary: "Stream events live, limited to the key's scopes",
          querystring: EventQuery,
          response: { 200: eventsAnswer },
        },
      },
      async (req, reply) => {
        const { userId, grant } = req
        const types = typesOf(req.query.types)
        const lastEventId = idOf(req.headers['last-event-id'])
        reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no')
        if (req.method === 'HEAD') return reply.send('')
        const stream = await streams.open({
          userId,
          wants: (type) => (types === null || types.has(type)) && grant !== null && mayReceive(grant, type),
          lastEventId,
        })
        return reply.send(stream)
      },
    )
  }

function typesOf(text: string | undefined): ReadonlySet<string> | null {
  if (text === undefined) return null
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !(eventTypes as readonly string[]).includes(name))
  if (unknown.length > 0) throw appError('event_types_invalid', { allowed: eventTypes.join(', ') })
  return new Set(names)
}

/** Browsers send an empty Last-Event-ID if they have none. */
function idOf(header: string | string[] | undefined): string | null {
  if (header === undefined || header === '') return null
  if (typeof header === 'string' && /^evt_[0-9a-z]{26}$/.test(header)) return header
  throw appError('event_id_invalid')
}

const eventsAnswer = Type.Unsafe<Readable | string>({
  description: 'Server-sent events: `id`, `event` (the type) and `data` (the event as JSON)',
  content: {
    'text/event-stream': {
      schema: { type: 'string', description: 'Each `data` is { id, type, createdAt, sequence, data }' },
    },
  },
})
