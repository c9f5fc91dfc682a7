// /api/api-keys
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { ApiKey, CreatedApiKey, NewApiKey } from './schema.ts'
import type { KeyStore } from './store.ts'

export const keyRoutes =
  (keys: KeyStore): Routes =>
  (api) => {
    api.post(
      '/api-keys',
      { schema: { summary: 'Makes a key for the same user', body: NewApiKey, response: { 201: CreatedApiKey } } },
      async (req, reply) => reply.code(201).send(await keys.create(req.userId, req.body)),
    )

    addList(api, '/api-keys', {
      summary: 'Lists the keys',
      record: ApiKey,
      page: (req, page) => keys.page(req.userId, page),
      at: (row) => row.createdAt,
      toRecord: keys.toRecord,
    })

    api.delete(
      '/api-keys/:id',
      { schema: { summary: 'Revokes a key, permanently', params: ById, response: { 200: ApiKey } } },
      (req) => keys.revoke(req.userId, req.params.id),
    )
  }
