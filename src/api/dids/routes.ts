// /api/did
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { Did, DidPatch, NewDid } from './schema.ts'
import { type DidStore, toDid } from './store.ts'

export const didRoutes =
  (dids: DidStore): Routes =>
  (api) => {
    const one = { params: ById, response: { 200: Did } }

    addList(api, '/did', {
      summary: 'List numbers',
      record: Did,
      page: (req, page) => dids.page(req.userId, page),
      at: (row) => row.createdAt,
      toRecord: toDid,
    })

    api.get('/did/:id', { schema: { summary: 'Get a number', ...one } }, (req) => dids.get(req.userId, req.params.id))

    api.post(
      '/did',
      { schema: { summary: 'Register a number', body: NewDid, response: { 201: Did } } },
      async (req, reply) => reply.code(201).send(await dids.create(req.userId, req.body)),
    )

    api.patch(
      '/did/:id',
      { schema: { summary: 'Bind a number to an agent, or activate or deactivate it', body: DidPatch, ...one } },
      (req) => dids.update(req.userId, req.params.id, req.body),
    )

    api.delete('/did/:id', { schema: { summary: 'Delete a number', ...one } }, (req) =>
      dids.remove(req.userId, req.params.id),
    )
  }
