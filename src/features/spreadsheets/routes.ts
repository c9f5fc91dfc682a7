// /api/spreadsheets: built-in spreadsheets, their rows, import and export
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { appError } from '../../base/errors/errors.ts'
import type { Cell, Table } from '../../base/text/table-cells.ts'
import type { NoteChange } from '../../db/audit.ts'
import { attachment } from '../../http/attachment.ts'
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Api, Routes } from '../../http/server.ts'
import { type FileBody, Upload, withUploads } from '../../http/uploads.ts'
import { targetOf, versioned } from '../../http/versions.ts'
import { toSheetRow } from './row-search-store.ts'
import {
  ByRow,
  ContentQuery,
  NewSpreadsheet,
  RowBody,
  RowsQuery,
  SheetRow,
  Spreadsheet,
  SpreadsheetPatch,
} from './schema.ts'
import { type SpreadsheetStore, toSpreadsheet } from './store.ts'

export type SpreadsheetParts = {
  note: NoteChange
  spreadsheets: SpreadsheetStore
  /** Reads and writes files, one at a time per user; an invalid file is an AppError. */
  files: {
    read(userId: string, file: FileBody): Promise<Table>
    writeXlsx(userId: string, columns: readonly string[], pages: AsyncIterable<Cell[][]>): Promise<Buffer>
    csvHead(columns: readonly string[]): string
    csvLines(rows: readonly (readonly Cell[])[]): string
  }
}

const CSV = 'text/csv'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const MAX_FILE_BYTES = 5 * 1_048_576

export const spreadsheetRoutes =
  (parts: SpreadsheetParts): Routes =>
  (api) => {
    const { spreadsheets } = parts
    const oneRow = { params: ByRow, response: { 200: SheetRow } }
    addSheets(api, spreadsheets)

    addList(api, '/spreadsheets/:id/rows', {
      summary: 'List rows, in order',
      params: ById,
      record: SheetRow,
      check: (req) => spreadsheets.get(req.userId, req.params.id),
      query: RowsQuery,
      page: (req, page) => spreadsheets.rowsPage(req.userId, req.params.id, page, req.query.q),
      at: (row) => String(row.number),
      toRecord: toSheetRow,
    })

    api.post(
      '/spreadsheets/:id/rows',
      { schema: { summary: 'Append a row', params: ById, body: RowBody, response: { 201: SheetRow } } },
      async (req, reply) => reply.code(201).send(await spreadsheets.addRow(req.userId, req.params.id, req.body.values)),
    )

    api.patch(
      '/spreadsheets/:id/rows/:rowId',
      { schema: { summary: 'Update the cells that are sent', body: RowBody, ...oneRow } },
      (req) => spreadsheets.changeRow(req.userId, req.params.id, { id: req.params.rowId }, req.body.values),
    )

    api.delete('/spreadsheets/:id/rows/:rowId', { schema: { summary: 'Delete a row', ...oneRow } }, (req) =>
      spreadsheets.removeRow(req.userId, req.params.id, req.params.rowId),
    )

    contentRoutes(parts)(api)
  }

const file = { schema: { type: 'string', format: 'binary' } }
const SheetFile = Type.Unsafe<Buffer | Readable>({
  description: 'CSV or XLSX',
  content: { [CSV]: file, [XLSX]: file },
})

/** Import and export of a whole spreadsheet. */
const contentRoutes =
  ({ spreadsheets, files, note }: SpreadsheetParts): Routes =>
  (api) => {
    const one = { params: ById, response: { 200: Spreadsheet } }

    withUploads(api, [CSV, XLSX], (uploads) =>
      uploads.put(
        '/spreadsheets/:id/content',
        {
          schema: {
            summary: 'Replace all rows with a CSV or XLSX file whose first row names the columns',
            ...one,
          },
        },
        async (req) => {
          await spreadsheets.get(req.userId, req.params.id)
          const file: unknown = req.body
          if (file === undefined) throw appError('body_missing')
          if (!(file instanceof Upload)) throw appError('sheet_media_type', { csv: CSV, xlsx: XLSX })
          if (file.size > MAX_FILE_BYTES) throw appError('sheet_file_too_large', { limit: MAX_FILE_BYTES })
          return spreadsheets.replace(req.userId, req.params.id, await files.read(req.userId, file))
        },
      ),
    )

    api.get(
      '/spreadsheets/:id/content',
      {
        config: { isAudited: true },
        schema: {
          summary: 'Download a spreadsheet as a file',
          params: ById,
          querystring: ContentQuery,
          response: { 200: SheetFile },
        },
      },
      async (req, reply) => {
        const { id, name, columns } = await spreadsheets.get(req.userId, req.params.id)
        const format = req.query.format ?? 'csv'
        await note({ kind: 'spreadsheet', action: 'exported', userId: req.userId, id })
        reply.header('content-disposition', attachment(name, format))
        if (format === 'xlsx') {
          const made = await files.writeXlsx(req.userId, columns, spreadsheets.boundedPages(req.userId, id))
          return reply.type(XLSX).send(made)
        }
        return reply.type(`${CSV}; charset=utf-8`).send(Readable.from(csvOf(req.userId, id, columns)))
      },
    )

    async function* csvOf(userId: string, id: string, columns: readonly string[]): AsyncGenerator<string> {
      yield files.csvHead(columns)
      for await (const rows of spreadsheets.pages(userId, id)) yield files.csvLines(rows)
    }
  }

function addSheets(api: Api, spreadsheets: SpreadsheetStore): void {
  const one = { params: ById, response: { 200: Spreadsheet } }
  addList(api, '/spreadsheets', {
    summary: 'List spreadsheets',
    record: Spreadsheet,
    page: (req, page) => spreadsheets.page(req.userId, page),
    at: (row) => row.createdAt,
    toRecord: toSpreadsheet,
  })

  api.get(
    '/spreadsheets/:id',
    { ...versioned, schema: { summary: 'Get a spreadsheet, without its rows', ...one } },
    (req) => spreadsheets.get(req.userId, req.params.id),
  )

  api.post(
    '/spreadsheets',
    {
      ...versioned,
      schema: { summary: 'Create a spreadsheet', body: NewSpreadsheet, response: { 201: Spreadsheet } },
    },
    async (req, reply) => reply.code(201).send(await spreadsheets.create(req.userId, req.body)),
  )

  api.patch(
    '/spreadsheets/:id',
    { ...versioned, schema: { summary: 'Rename a spreadsheet', body: SpreadsheetPatch, ...one } },
    (req) => spreadsheets.rename(req.userId, targetOf(req), req.body.name),
  )

  api.delete(
    '/spreadsheets/:id',
    { ...versioned, schema: { summary: 'Delete a spreadsheet and its rows', ...one } },
    (req) => spreadsheets.remove(req.userId, targetOf(req)),
  )
}
