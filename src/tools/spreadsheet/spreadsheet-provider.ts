// The spreadsheet provider interface and its error.
import type { Cell } from '../../base/table-cells.ts'
import type { Outcome } from '../ports.ts'

export type Values = Readonly<Record<string, Cell>>
/** `number` names it for the model; `values` is by the names of the columns. */
export type Row = { number: number; values: Values }
export type Search = { value: string; columns: readonly string[]; limit: number }

/** Each throws SheetTrouble. */
export interface Sheet {
  columns(): Promise<string[]>
  /** Under the same id it adds no second row, as far as whoever keeps it can tell. */
  append(values: Values, runId: string): Promise<{ number: number | null }>
  /** Whole matches first; one more than the limit where there are more. */
  find(search: Search): Promise<Row[]>
  update(number: number, values: Values, runId: string): Promise<Row>
  /** What this run has changed already; null: nothing, or nobody knows. */
  changedBy(runId: string): Promise<Row | null>
}

/** Expected, and told to the model. */
export class SpreadsheetError extends Error {
  readonly outcome: Extract<Outcome, { ok: false }>
  constructor(error: string, isDoubtful = false) {
    super(error)
    this.outcome = { ok: false, error, ...(isDoubtful ? { isDoubtful } : {}) }
  }
}

/** The store of our own spreadsheets; throws AppError. */
export type OwnSheets = {
  columnsOf(userId: string, id: string): Promise<string[]>
  addRow(userId: string, id: string, values: Values, by: string): Promise<Row>
  changeRow(userId: string, id: string, which: { number: number }, values: Values, by: string): Promise<Row>
  rowChangedBy(userId: string, id: string, by: string): Promise<Row | null>
  findRows(userId: string, id: string, search: Search): Promise<Row[]>
}
