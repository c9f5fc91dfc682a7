// /api/callbacks
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { Callback, CallbackPatch, CallbackQuery } from './schema.ts'
import { type CallbackStore, toCallback } from './store.ts'

export const callbackRoutes =
  ({ callbacks }: { callbacks: CallbackStore }): Routes =>
  (api) => {
    const one = { params: ById, response: { 200: Callback } }

    addList(api, '/callbacks', {
      summary: 'List call-back requests',
      record: Callback,
      query: CallbackQuery,
      page: (req, page) => {
        const { q, status } = req.query
        return callbacks.list.page(req.userId, { q, where: { status } }, page)
      },
      at: callbacks.list.at,
      toRecord: toCallback,
    })

    api.get('/callbacks/:id', { schema: { summary: 'Get a call-back request', ...one } }, (req) =>
      callbacks.get(req.userId, req.params.id),
    )

    api.patch(
      '/callbacks/:id',
      { schema: { summary: 'Close or reopen a call-back request, or write a note', body: CallbackPatch, ...one } },
      (req) => callbacks.update(req.userId, req.params.id, req.body),
    )

    api.delete('/callbacks/:id', { schema: { summary: 'Delete a call-back request', ...one } }, (req) =>
      callbacks.remove(req.userId, req.params.id),
    )
  }
