// /api/audit
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Cell } from '../../base/text/table-cells.ts'
import type { NoteChange } from '../../db/audit.ts'
import { attachment } from '../../http/attachment.ts'
import { addList } from '../../http/list.ts'
import { requirePermission } from '../../http/permissions.ts'
import type { Routes } from '../../http/server.ts'
import { AuditEntry, AuditExportQuery, type AuditFilter, AuditQuery } from './schema.ts'
import { type AuditStore, toAuditEntry } from './store.ts'

export type AuditRouteParts = {
  log: AuditStore
  note: NoteChange
  csvHead(columns: readonly string[]): string
  csvLines(rows: readonly (readonly Cell[])[]): string
}

const CSV = 'text/csv'
const NDJSON = 'application/x-ndjson'
const columns = [
  ...(['sequence', 'createdAt', 'personId', 'personName', 'credentialId', 'address'] as const),
  ...(['action', 'kind', 'recordId', 'changes', 'hash', 'id'] as const),
]
const text = { schema: { type: 'string' } }
const AuditFile = Type.Unsafe<Readable>({ description: 'CSV or NDJSON', content: { [CSV]: text, [NDJSON]: text } })

export const auditRoutes =
  ({ log, note, csvHead, csvLines }: AuditRouteParts): Routes =>
  (api) => {
    addList(api, '/audit', {
      summary: 'List the audit log',
      record: AuditEntry,
      query: AuditQuery,
      page: (req, page) => log.page(req.userId, req.query, page),
      at: (row) => row.createdAt,
      toRecord: toAuditEntry,
    })

    async function* csv(userId: string, filter: AuditFilter): AsyncGenerator<string> {
      yield csvHead(columns)
      for await (const entries of log.pages(userId, filter))
        yield csvLines(entries.map((entry) => columns.map((name) => cellOf(entry[name]))))
    }

    async function* ndjson(userId: string, filter: AuditFilter): AsyncGenerator<string> {
      for await (const entries of log.pages(userId, filter))
        yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    }

    api.get(
      '/audit/export',
      {
        config: { isAudited: true },
        schema: { summary: 'Export the audit log', querystring: AuditExportQuery, response: { 200: AuditFile } },
      },
      async (req, reply) => {
        if (req.grant) requirePermission(req.grant, 'audit:read') // besides exports:read
        const { format = 'csv', ...filter } = req.query
        await note({ kind: 'audit', action: 'exported', userId: req.userId, id: null })
        reply.header('content-disposition', attachment('audit', format))
        const rows = format === 'csv' ? csv(req.userId, filter) : ndjson(req.userId, filter)
        return reply.type(`${format === 'csv' ? CSV : NDJSON}; charset=utf-8`).send(Readable.from(rows))
      },
    )
  }

const cellOf = (value: AuditEntry[keyof AuditEntry]): Cell => (Array.isArray(value) ? JSON.stringify(value) : value)
