// ETags on versioned records, and the If-Match header of requests that change them.
import type { FastifyInstance, preSerializationHookHandler } from 'fastify'
import { etagOf, readIfMatch, type Target, versionOf } from '../base/versions.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response is a versioned record. */
    isVersioned?: boolean
  }
}

/** Route options: `api.get(url, { ...versioned, schema })`. */
export const versioned = { config: { isVersioned: true } }

/** The record named in the path, in the versions that If-Match allows. */
export const targetOf = (req: {
  params: { id: string }
  headers: Readonly<Record<string, string | string[] | undefined>>
}): Target => ({ id: req.params.id, ifMatch: readIfMatch(req.headers['if-match']?.toString()) })

const sendVersion: preSerializationHookHandler<unknown> = (_req, reply, payload, done) => {
  const version = versionOf(payload)
  if (version !== undefined) reply.header('etag', etagOf(version))
  done(null, payload)
}

/** Added only to versioned routes, so that other requests pay nothing for it. */
export function sendVersions(api: FastifyInstance): void {
  api.addHook('onRoute', (route) => {
    if (!route.config?.isVersioned) return
    route.preSerialization = [...[route.preSerialization ?? []].flat(), sendVersion]
  })
}

const changes = new Set(['PATCH', 'PUT', 'DELETE'])

/** For the OpenAPI document: the headers of a versioned route. */
export function versionHeaders(method: string, response: unknown): object {
  // A schema, which the plugin wraps.
  const ETag = {
    type: 'string',
    examples: ['"3"'],
    description: 'The version of the record. It changes with the fields that can be written, not with a status.',
  }
  const described = Object.entries((response ?? {}) as Record<string, object>).map(([status, schema]) => [
    status,
    /^2/.test(status) ? { ...schema, headers: { ETag } } : schema,
  ])
  return {
    response: Object.fromEntries(described),
    ...(changes.has(method) ? { headers: ifMatch } : {}),
  }
}

const ifMatch = {
  type: 'object',
  properties: {
    'If-Match': {
      type: 'string',
      description: 'ETags of the versions that may be changed; 412 when the record has another one',
      examples: ['"3"'],
    },
  },
}
