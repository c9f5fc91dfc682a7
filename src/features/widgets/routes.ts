// /api/widgets
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { NewWidget, Widget, WidgetPatch, WidgetUsage } from './schema.ts'
import { toWidget, type WidgetStore } from './store.ts'

export type WidgetParts = {
  widgets: WidgetStore
  usageOf: (widget: Widget) => Promise<WidgetUsage>
}

export const widgetRoutes =
  ({ widgets, usageOf }: WidgetParts): Routes =>
  (api) => {
    const one = { params: ById, response: { 200: Widget } }

    addList(api, '/widgets', {
      summary: 'List website widgets',
      record: Widget,
      page: (req, page) => widgets.page(req.userId, page),
      at: (row) => row.createdAt,
      toRecord: toWidget,
    })

    api.get('/widgets/:id', { schema: { summary: 'Get a website widget', ...one } }, (req) =>
      widgets.get(req.userId, req.params.id),
    )

    api.get(
      '/widgets/:id/usage',
      {
        schema: {
          summary: "Get a widget's usage of today beside its limits",
          params: ById,
          response: { 200: WidgetUsage },
        },
      },
      async (req) => usageOf(await widgets.get(req.userId, req.params.id)),
    )

    api.post(
      '/widgets',
      { schema: { summary: 'Create a website widget', body: NewWidget, response: { 201: Widget } } },
      async (req, reply) => reply.code(201).send(await widgets.create(req.userId, req.body)),
    )

    api.patch('/widgets/:id', { schema: { summary: 'Update a website widget', body: WidgetPatch, ...one } }, (req) =>
      widgets.update(req.userId, req.params.id, req.body),
    )

    api.delete(
      '/widgets/:id',
      { schema: { summary: 'Delete a website widget; its calls and conversations stay', ...one } },
      (req) => widgets.remove(req.userId, req.params.id),
    )
  }
