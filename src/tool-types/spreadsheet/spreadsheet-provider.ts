// The spreadsheet provider interface.
import type { Cell } from '../../base/text/table-cells.ts'

export type Values = Readonly<Record<string, Cell>>
/** `number` identifies the row for the model; `values` are by column name. */
export type Row = { number: number; values: Values }
export type Search = { value: string; columns: readonly string[]; limit: number }

/** Every method throws ProviderError. */
export interface Sheet {
  columns(): Promise<string[]>
  /** The same id adds no second row, as far as the provider can tell. */
  append(values: Values, runId: string): Promise<{ number: number | null }>
  /** Exact matches first; one more than the limit if there are more. */
  find(search: Search): Promise<Row[]>
  update(number: number, values: Values, runId: string): Promise<Row>
  /** The row that this run already changed; null: none, or unknown. */
  changedBy(runId: string): Promise<Row | null>
}

/** The store of Ramal spreadsheets; throws AppError. */
export type OwnSheets = {
  columnsOf(userId: string, id: string): Promise<string[]>
  addRow(userId: string, id: string, values: Values, by: string): Promise<Row>
  changeRow(userId: string, id: string, which: { number: number }, values: Values, by: string): Promise<Row>
  rowChangedBy(userId: string, id: string, by: string): Promise<Row | null>
  findRows(userId: string, id: string, search: Search): Promise<Row[]>
}
