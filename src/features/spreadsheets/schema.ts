// API schemas of spreadsheets.
import { type Static, Type } from 'typebox'
import { type Cell, MAX_CELL, MAX_COLUMN_NAME, MAX_COLUMNS } from '../../base/text/table-cells.ts'
import { Body, Choice, Id, PageQuery, Text, Timestamp } from '../../http/schema.ts'

const name = Text(255, { examples: ['Preços'] })
const columns = Type.Array(Text(MAX_COLUMN_NAME), {
  examples: [['exame', 'preco']],
  minItems: 1,
  maxItems: MAX_COLUMNS,
})

export const Spreadsheet = Type.Object(
  {
    id: Id('sht'),
    name,
    columns: Type.Array(Type.String(), { examples: [['exame', 'preco']] }),
    rowCount: Type.Integer({ examples: [120] }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Spreadsheet' },
)
export type Spreadsheet = Static<typeof Spreadsheet>

export const NewSpreadsheet = Body({ name, columns })
export type NewSpreadsheet = Static<typeof NewSpreadsheet>

export const SpreadsheetPatch = Body({ name: Type.Optional(name) })
export type SpreadsheetPatch = Static<typeof SpreadsheetPatch>

const cell = { type: ['string', 'number', 'boolean', 'null'], maxLength: MAX_CELL }
const values = Type.Unsafe<Record<string, Cell>>({
  type: 'object',
  additionalProperties: cell,
  description: 'Cells by column name. Dates are text: 2026-03-01 or 2026-03-01T14:30:00',
  examples: [{ exame: 'Hemograma', preco: 45.9 }],
})

export const SheetRow = Type.Object(
  {
    id: Id('row'),
    number: Type.Integer({ examples: [1], description: 'Increases from row to row; kept when other rows are deleted' }),
    values,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'SheetRow' },
)
export type SheetRow = Static<typeof SheetRow>

/** A new row may omit columns; in a change, omitted columns keep their values. */
export const RowBody = Body({ values })

export const ByRow = Type.Object({ id: Type.String(), rowId: Type.String() })

export const RowsQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Rows that contain this text, ignoring case and accents',
      examples: ['hemograma'],
    }),
  ),
})

export const ContentQuery = Type.Object({ format: Type.Optional(Choice(['csv', 'xlsx'])) })
