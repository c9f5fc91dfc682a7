// /api/campaigns/:id/contacts, imports, attempts and results
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { NoteChange } from '../../db/audit.ts'
import type { CampaignAttemptRow, CampaignContactRow } from '../../db/campaign-rows.ts'
import type { PageRequest } from '../../db/owned.ts'
import { attachment } from '../../http/attachment.ts'
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Api, Routes } from '../../http/server.ts'
import { type FileBody, withUploads } from '../../http/uploads.ts'
import {
  Attempt,
  AttemptQuery,
  ByCampaignContact,
  ByImport,
  Contact,
  ContactImport,
  ContactQuery,
  ImportedRow,
  ImportedRowQuery,
  ImportQuery,
  NewContacts,
  Resolution,
  ResultsQuery,
} from './contact-schema.ts'

const CSV = 'text/csv'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

type ListedRow = ImportedRow & { id: string }

export type ContactParts = {
  note: NoteChange
  /** Maximum size of an uploaded list. */
  maxListBytes: number
  /** Throws if the user has no such campaign. */
  check(userId: string, campaignId: string): Promise<unknown>
  contacts: {
    page(userId: string, campaignId: string, query: ContactQuery, page: PageRequest): Promise<CampaignContactRow[]>
    get(userId: string, campaignId: string, contactId: string): Promise<Contact>
    toRecord(row: CampaignContactRow): Contact
    resolve(userId: string, campaignId: string, contactId: string, resolution: Resolution): Promise<Contact>
  }
  attempts: {
    page(userId: string, campaignId: string, query: AttemptQuery, page: PageRequest): Promise<CampaignAttemptRow[]>
    toRecord(row: CampaignAttemptRow): Attempt
  }
  imports: {
    /** Starts the import and returns at once; a list that cannot be read at all is an error. */
    begin(userId: string, campaignId: string, list: FileBody | NewContacts, query: ImportQuery): Promise<ContactImport>
    list(userId: string, campaignId: string): Promise<ContactImport[]>
    get(userId: string, campaignId: string, importId: string): Promise<ContactImport>
    rows(
      userId: string,
      campaignId: string,
      importId: string,
      query: ImportedRowQuery,
      page: PageRequest,
    ): Promise<ListedRow[]>
  }
  /** `name` is the file name without its extension. */
  results(
    userId: string,
    campaignId: string,
    format: 'csv' | 'xlsx',
  ): Promise<{ name: string; body: AsyncIterable<string | Buffer> }>
}

export const contactRoutes =
  (parts: ContactParts): Routes =>
  (api) => {
    addContacts(api, parts)
    addImports(api, parts)

    addList(api, '/campaigns/:id/attempts', {
      summary: 'List attempts, newest first',
      params: ById,
      record: Attempt,
      query: AttemptQuery,
      check: (req) => parts.check(req.userId, req.params.id),
      page: (req, page) => parts.attempts.page(req.userId, req.params.id, req.query, page),
      at: (row) => row.createdAt,
      toRecord: parts.attempts.toRecord,
    })

    const file = { schema: { type: 'string', format: 'binary' } }
    api.get(
      '/campaigns/:id/results',
      {
        config: { isAudited: true },
        schema: {
          summary: 'Download the results beside each imported row',
          params: ById,
          querystring: ResultsQuery,
          response: { 200: { description: 'CSV or XLSX', content: { [CSV]: file, [XLSX]: file } } },
        },
      },
      async (req, reply) => {
        const format = req.query.format ?? 'csv'
        const { name, body } = await parts.results(req.userId, req.params.id, format)
        await parts.note({ kind: 'campaign', action: 'results_exported', userId: req.userId, id: req.params.id })
        reply.header('content-disposition', attachment(name, format))
        return reply.type(format === 'csv' ? `${CSV}; charset=utf-8` : XLSX).send(Readable.from(body) as never)
      },
    )
  }

function addContacts(api: Api, { check, contacts }: ContactParts): void {
  const one = { params: ByCampaignContact, response: { 200: Contact } }
  addList(api, '/campaigns/:id/contacts', {
    summary: 'List contacts, newest first',
    params: ById,
    record: Contact,
    query: ContactQuery,
    check: (req) => check(req.userId, req.params.id),
    page: (req, page) => contacts.page(req.userId, req.params.id, req.query, page),
    at: (row) => row.createdAt,
    toRecord: contacts.toRecord,
  })

  api.get('/campaigns/:id/contacts/:contactId', { schema: { summary: 'Get a contact', ...one } }, (req) =>
    contacts.get(req.userId, req.params.id, req.params.contactId),
  )

  api.post(
    '/campaigns/:id/contacts/:contactId/resolve',
    { schema: { summary: 'Say what became of an attempt in doubt', body: Resolution, ...one } },
    (req) => contacts.resolve(req.userId, req.params.id, req.params.contactId, req.body),
  )
}

function addImports(api: Api, { check, imports, maxListBytes }: ContactParts): void {
  withUploads(api, { mediaTypes: [CSV, XLSX], limitBytes: maxListBytes }, (uploads) =>
    uploads.post(
      '/campaigns/:id/contacts',
      {
        schema: {
          summary: 'Import contacts: a CSV or XLSX file, rows, or one of your spreadsheets',
          params: ById,
          querystring: ImportQuery,
          body: NewContacts,
          response: { 202: ContactImport },
        },
      },
      async (req, reply) => {
        const list = req.body as unknown as FileBody | NewContacts
        return reply.code(202).send(await imports.begin(req.userId, req.params.id, list, req.query))
      },
    ),
  )

  api.get(
    '/campaigns/:id/imports',
    {
      schema: {
        summary: 'List imports, newest first',
        params: ById,
        response: { 200: Type.Array(ContactImport) },
      },
    },
    (req) => imports.list(req.userId, req.params.id),
  )

  api.get(
    '/campaigns/:id/imports/:importId',
    { schema: { summary: 'Get an import: its progress', params: ByImport, response: { 200: ContactImport } } },
    (req) => imports.get(req.userId, req.params.id, req.params.importId),
  )

  addList(api, '/campaigns/:id/imports/:importId/rows', {
    summary: 'What became of each row of an import, in order',
    params: ByImport,
    record: ImportedRow,
    query: ImportedRowQuery,
    check: (req) => check(req.userId, req.params.id),
    page: (req, page) => imports.rows(req.userId, req.params.id, req.params.importId, req.query, page),
    at: (row) => String(row.number),
    toRecord: (row) => row,
  })
}
