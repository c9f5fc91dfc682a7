// Reads and writes spreadsheet files in a sandboxed process: they are untrusted and may be large.
import type { ChildProcess, Serializable } from 'node:child_process'
import { type SandboxLimits, sandboxedProcess } from '../base/process/sandboxed-process.ts'
import { type Pieces, wholeOf } from '../base/text/pieces.ts'
import type { Cell, Table } from '../base/text/table-cells.ts'

export const CSV = 'text/csv'
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export type SheetFile = { mediaType: string; charset: string | null; bytes: Pieces }
/** The first message to the process; the rows to write follow. */
export type Job =
  | { read: 'csv' | 'xlsx'; charset: string | null; bytes: Uint8Array }
  | { write: 'xlsx'; columns: readonly string[] }
export type SpreadsheetFiles = ReturnType<typeof spreadsheetFiles>

export function spreadsheetFiles(given: Partial<SandboxLimits> = {}) {
  const run = sandboxedProcess(new URL('./sheet-child.ts', import.meta.url), 'file', given)
  return {
    /** Throws an AppError that says what is wrong with the file. */
    read: (userId: string, file: SheetFile): Promise<Table> =>
      run<Table>(userId, async (): Promise<Job> => {
        const bytes = await wholeOf(file.bytes)
        return { read: file.mediaType === XLSX ? 'xlsx' : 'csv', charset: file.charset, bytes }
      }),

    async writeXlsx(userId: string, columns: readonly string[], pages: AsyncIterable<Cell[][]>): Promise<Buffer> {
      const job: Job = { write: 'xlsx', columns }
      return Buffer.from(
        await run<Uint8Array>(
          userId,
          () => job,
          (child) => handOver(child, pages),
        ),
      )
    },
  }
}

async function handOver(child: ChildProcess, pages: AsyncIterable<Cell[][]>): Promise<void> {
  for await (const rows of pages) await sent(child, rows)
  await sent(child, null)
}

/** Waits until it is sent. A process that has ended is reported by its exit. */
export const sent = (child: ChildProcess, message: Serializable | null): Promise<void> =>
  new Promise((resolve) => child.send(message as Serializable, () => resolve()))
