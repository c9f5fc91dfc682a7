// /api/api-keys

import { Type } from 'typebox'
import { appError } from '../../base/errors/errors.ts'
import { DAY_MS, nowMs, toIso } from '../../base/time/clock.ts'
import type { KeyGrant } from '../../http/auth.ts'
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { ApiKey, CreatedApiKey, KeyMakerRecord, NewApiKey } from './schema.ts'
import type { KeyStore } from './store.ts'

export const keyRoutes =
  (keys: KeyStore): Routes =>
  (api) => {
    api.post(
      '/api-keys',
      {
        schema: {
          summary: 'Create a key for the same organization',
          body: NewApiKey,
          response: { 201: CreatedApiKey },
        },
      },
      async (req, reply) => {
        mustNotOutlive(req.grant, req.body)
        return reply.code(201).send(await keys.create(req, req.body))
      },
    )

    addList(api, '/api-keys', {
      summary: 'List keys',
      record: ApiKey,
      page: (req, page) => keys.page(req.userId, page),
      at: (row) => row.createdAt,
      toRecord: keys.toRecord,
    })

    api.get(
      '/api-keys/makers',
      { schema: { summary: 'List who made the active keys', response: { 200: Type.Array(KeyMakerRecord) } } },
      (req) => keys.makers(req.userId),
    )

    api.post(
      '/api-keys/:id/adopt',
      {
        schema: {
          summary: 'Adopt a key: it has your rights from now on, and works although its maker was removed (owners)',
          params: ById,
          response: { 200: ApiKey },
        },
      },
      (req) => keys.adopt(req, req.params.id),
    )

    api.delete(
      '/api-keys/:id',
      { schema: { summary: 'Revoke a key permanently', params: ById, response: { 200: ApiKey } } },
      (req) => keys.revoke(req.userId, req.params.id),
    )
  }

/** A key that expires, or a session opened with one, cannot create a key that outlives it. */
function mustNotOutlive(grant: KeyGrant | null, { expiresInDays }: NewApiKey): void {
  const endMs = grant?.csrfToken === undefined ? grant?.expiresAtMs : grant.keyExpiresAtMs
  if (endMs === null || endMs === undefined) return
  if (expiresInDays && nowMs() + expiresInDays * DAY_MS <= endMs) return
  throw appError('api_key_outlives', { at: toIso(endMs) })
}
