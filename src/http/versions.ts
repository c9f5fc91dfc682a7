// ETag on records that have a version, and the If-Match of requests that change them.
import type { FastifyInstance, preSerializationHookHandler } from 'fastify'
import { etagOf, readIfMatch, type Target, versionOf } from '../base/versions.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response is a record with a version. */
    isVersioned?: boolean
  }
}

/** Route options: `api.get(url, { ...versioned, schema })`. */
export const versioned = { config: { isVersioned: true } }

/** The record that the path names, in the versions that If-Match allows. */
export const targetOf = (req: {
  params: { id: string }
  headers: Readonly<Record<string, string | string[] | undefined>>
}): Target => ({ id: req.params.id, ifMatch: readIfMatch(req.headers['if-match']?.toString()) })

const sendVersion: preSerializationHookHandler<unknown> = (_req, reply, payload, done) => {
  const version = versionOf(payload)
  if (version !== undefined) reply.header('etag', etagOf(version))
  done(null, payload)
}

/** Added to versioned routes only, so that other requests pay nothing for it. */
export function sendVersions(api: FastifyInstance): void {
  api.addHook('onRoute', (route) => {
    if (!route.config?.isVersioned) return
    route.preSerialization = [...[route.preSerialization ?? []].flat(), sendVersion]
  })
}

const changes = new Set(['PATCH', 'PUT', 'DELETE'])

/** For the OpenAPI document: the headers of a versioned route. */
export function versionHeaders(method: string, response: unknown): object {
  // A schema: the plugin wraps it.
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
