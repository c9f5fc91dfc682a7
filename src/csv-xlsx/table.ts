// Builds a table from the cells of a file: the first row names the columns, empty edges are trimmed, limits apply.

import { appError } from '../base/errors/errors.ts'
import { type Cell, checkedColumns, checkedRow, MAX_COLUMNS, MAX_ROWS, type Table } from '../base/text/table-cells.ts'

const isEmpty = (cell: Cell | undefined) => cell === undefined || cell === null || cell === ''

export function tableOf(cells: readonly (readonly Cell[])[]): Table {
  const filled = cells.filter((row) => row.some((cell) => !isEmpty(cell)))
  const [head, ...rows] = filled
  if (!head) throw appError('sheet_file_empty')
  if (rows.length > MAX_ROWS) throw appError('sheet_rows_limit', { limit: MAX_ROWS })
  const width = filled.reduce((most, row) => Math.max(most, widthOf(row)), 0)
  if (width > MAX_COLUMNS) throw appError('sheet_columns_limit', { limit: MAX_COLUMNS })
  const columns = checkedColumns(
    Array.from(
      { length: width },
      (_, i) =>
        String(head[i] ?? '')
          .replace(/[\s\p{Cc}]+/gu, ' ')
          .trim() || `Column ${i + 1}`,
    ),
  )
  return { columns, rows: rows.map((row, i) => checkedRow(row, columns, `Row ${i + 2}: `)) }
}

function widthOf(row: readonly Cell[]): number {
  let width = row.length
  while (width > 0 && isEmpty(row[width - 1])) width--
  return width
}
