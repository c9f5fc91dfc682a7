// Body size limits: 1 MB for JSON, 10 MB for a file where the route accepts its media type, or the limit of the route
// (see uploads.ts).
import type { FastifyRequest } from 'fastify'
import { BODY_LIMIT } from './body.ts'

export const UPLOAD_LIMIT = 10_485_760

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Media types that the route accepts besides or instead of JSON. */
    uploads?: readonly string[]
    /** Size limit of such a body; UPLOAD_LIMIT by default. */
    uploadLimit?: number
  }
}

export function bodyLimitOf(req: FastifyRequest): number {
  const { uploads, uploadLimit = UPLOAD_LIMIT } = req.routeOptions?.config ?? {}
  if (!uploads) return req.routeOptions?.bodyLimit ?? BODY_LIMIT
  return uploads.includes(mediaTypeOf(req)) ? uploadLimit : BODY_LIMIT
}

export const mediaTypeOf = (req: FastifyRequest): string =>
  (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
