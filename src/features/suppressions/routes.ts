// /api/suppressions and /api/suppression-lists
import { Type } from 'typebox'
import { appError } from '../../base/errors/errors.ts'
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Api, Routes } from '../../http/server.ts'
import { Upload, withUploads } from '../../http/uploads.ts'
import { targetOf, versioned } from '../../http/versions.ts'
import type { suppressionLists } from './list-store.ts'
import type { suppressionRecords } from './record-store.ts'
import {
  NewSuppression,
  NewSuppressionList,
  Suppression,
  SuppressionCheck,
  SuppressionImport,
  SuppressionList,
  SuppressionListPatch,
  SuppressionQuery,
  SuppressionResult,
} from './schema.ts'

const CSV = 'text/csv'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export type SuppressionParts = {
  /** Maximum size of an uploaded file. */
  maxListBytes: number
  suppressions: ReturnType<typeof suppressionRecords>
  lists: ReturnType<typeof suppressionLists> & {
    /** Replaces all entries in one step: readers see the old list or the new one. */
    replace(userId: string, id: string, file: Upload, defaultCountry: string): Promise<SuppressionImport>
  }
}

const Country = Type.Object({
  defaultCountry: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{2}$',
      description: 'Of numbers without a country code. Default: BR',
      examples: ['BR'],
    }),
  ),
})

export const suppressionRoutes =
  ({ suppressions, lists, maxListBytes }: SuppressionParts): Routes =>
  (api) => {
    const one = { params: ById, response: { 200: Suppression } }
    addList(api, '/suppressions', {
      summary: 'List suppressed numbers, newest first',
      record: Suppression,
      query: SuppressionQuery,
      page: (req, page) => suppressions.page(req.userId, req.query, page),
      at: (row) => row.createdAt,
      toRecord: suppressions.toRecord,
    })
    api.get('/suppressions/:id', { schema: { summary: 'Get a suppressed number', ...one } }, (req) =>
      suppressions.get(req.userId, req.params.id),
    )
    api.post(
      '/suppressions',
      {
        schema: { summary: 'Suppress a number in all campaigns', body: NewSuppression, response: { 201: Suppression } },
      },
      async (req, reply) => reply.code(201).send(await suppressions.add(req.userId, req.body)),
    )
    api.delete('/suppressions/:id', { schema: { summary: 'Allow a number again', ...one } }, (req) =>
      suppressions.remove(req.userId, req.params.id),
    )
    api.post(
      '/suppressions/check',
      {
        schema: {
          summary: 'Is this number suppressed, and by what',
          body: SuppressionCheck,
          response: { 200: SuppressionResult },
        },
      },
      (req) => suppressions.check(req.userId, req.body.phoneNumber, req.body.defaultCountry ?? 'BR'),
    )
    addLists(api, lists)
    addUpload(api, lists, maxListBytes)
  }

function addLists(api: Api, lists: SuppressionParts['lists']): void {
  const one = { params: ById, response: { 200: SuppressionList } }
  addList(api, '/suppression-lists', {
    summary: 'List imported suppression lists',
    record: SuppressionList,
    page: (req, page) => lists.page(req.userId, page),
    at: (row) => row.createdAt,
    toRecord: lists.toRecord,
  })
  api.get('/suppression-lists/:id', { ...versioned, schema: { summary: 'Get a suppression list', ...one } }, (req) =>
    lists.get(req.userId, req.params.id),
  )
  api.post(
    '/suppression-lists',
    {
      ...versioned,
      schema: { summary: 'Create a suppression list', body: NewSuppressionList, response: { 201: SuppressionList } },
    },
    async (req, reply) => reply.code(201).send(await lists.create(req.userId, req.body)),
  )
  api.patch(
    '/suppression-lists/:id',
    { ...versioned, schema: { summary: 'Update a suppression list', body: SuppressionListPatch, ...one } },
    (req) => lists.update(req.userId, targetOf(req), req.body),
  )
  api.delete(
    '/suppression-lists/:id',
    { ...versioned, schema: { summary: 'Delete a suppression list and its numbers', ...one } },
    (req) => lists.remove(req.userId, targetOf(req)),
  )
}

function addUpload(api: Api, lists: SuppressionParts['lists'], limitBytes: number): void {
  withUploads(api, { mediaTypes: [CSV, XLSX], limitBytes }, (uploads) =>
    uploads.put(
      '/suppression-lists/:id/content',
      {
        schema: {
          summary: 'Replace the numbers of a list with a CSV or XLSX file',
          params: ById,
          querystring: Country,
          response: { 200: SuppressionImport },
        },
      },
      async (req) => {
        await lists.get(req.userId, req.params.id)
        const file: unknown = req.body
        if (file === undefined) throw appError('body_missing')
        if (!(file instanceof Upload)) throw appError('sheet_media_type', { csv: CSV, xlsx: XLSX })
        return lists.replace(req.userId, req.params.id, file, req.query.defaultCountry ?? 'BR')
      },
    ),
  )
}
