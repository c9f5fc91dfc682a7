// Where the rows of a list come from: a file, JSON rows or a spreadsheet. The first row contains the column names.
import { appError } from '../../base/errors/errors.ts'
import type { CellLimits } from '../../csv-xlsx/csv-rows.ts'
import type { ListFiles } from '../../csv-xlsx/list-files.ts'
import type { SheetFile } from '../../csv-xlsx/sheet-files.ts'
import type { SpreadsheetStore } from '../spreadsheets/store.ts'
import type { NewContacts } from './contact-schema.ts'

/** `line`: position in a file; null if the row did not come from one. */
export type SourceRow = { line: number | null; cells: string[] }
/** Rows in batches. */
export type ListSource = AsyncGenerator<SourceRow[]>

/** Maximum accepted cell length. Readers return up to one character and one cell more, so that excess is detected. */
export const MAX_CELL = 2000
const MAX_CELLS = 100
const cellLimits: CellLimits = { cellLength: MAX_CELL + 1, cells: MAX_CELLS + 1 }

const BATCH = 250

export type SourceParts = { readFile: ListFiles; spreadsheets: Pick<SpreadsheetStore, 'get' | 'pages'> }

/** Throws if the format is wrong, or if the user has no such spreadsheet. */
export async function sourceOf(
  { readFile, spreadsheets }: SourceParts,
  userId: string,
  list: SheetFile | NewContacts,
): Promise<ListSource> {
  if ('bytes' in list) return readFile(userId, list, cellLimits)
  const { rows, spreadsheetId } = list
  if ((rows == null) === (spreadsheetId == null)) throw appError('campaign_list_form')
  if (rows != null) return jsonRows(rows)
  const { columns } = await spreadsheets.get(userId, spreadsheetId as string)
  return sheetRows(columns, spreadsheets.pages(userId, spreadsheetId as string))
}

type Cell = string | number | boolean | null
const textOf = (cell: Cell | undefined): string => (cell === null || cell === undefined ? '' : String(cell))

async function* jsonRows(rows: readonly Record<string, Cell>[]): ListSource {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  yield [{ line: null, cells: columns }]
  for (let at = 0; at < rows.length; at += BATCH)
    yield rows.slice(at, at + BATCH).map((row) => ({ line: null, cells: columns.map((name) => textOf(row[name])) }))
}

async function* sheetRows(columns: string[], pages: AsyncIterable<Cell[][]>): ListSource {
  yield [{ line: null, cells: columns }]
  for await (const page of pages)
    yield page.map((row) => ({
      line: null,
      cells: columns.map((_, i) => textOf(row[i]).slice(0, cellLimits.cellLength)),
    }))
}
