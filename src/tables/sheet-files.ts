// Files of spreadsheets in and out: what a stranger's bytes do, and what a large file takes, happens in a process of its own.
import type { ChildProcess } from 'node:child_process'
import { type SandboxLimits, sandboxedProcess } from '../base/sandboxed-process.ts'
import type { Cell, Table } from '../base/table-cells.ts'

export const CSV = 'text/csv'
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export type SheetFile = { mediaType: string; charset: string | null; bytes: Uint8Array }
/** What the process is told first; the rows that are to be written come after. */
export type Job = ({ read: 'csv' | 'xlsx' } & SheetFile) | { write: 'xlsx'; columns: readonly string[] }
export type SpreadsheetFiles = ReturnType<typeof spreadsheetFiles>

export function spreadsheetFiles(given: Partial<SandboxLimits> = {}) {
  const run = sandboxedProcess(new URL('./sheet-child.ts', import.meta.url), 'file', given)
  return {
    /** Throws an AppError that tells what is wrong with the file. */
    read: (file: SheetFile): Promise<Table> =>
      run<Table>({ read: file.mediaType === XLSX ? 'xlsx' : 'csv', ...file } satisfies Job),

    async writeXlsx(columns: readonly string[], pages: AsyncIterable<Cell[][]>): Promise<Buffer> {
      const job: Job = { write: 'xlsx', columns }
      return Buffer.from(await run<Uint8Array>(job, (child) => handOver(child, pages)))
    },
  }
}

async function handOver(child: ChildProcess, pages: AsyncIterable<Cell[][]>): Promise<void> {
  for await (const rows of pages) await sent(child, rows)
  await sent(child, null)
}

/** Not faster than it takes them. One that has gone is told by its end. */
const sent = (child: ChildProcess, message: Cell[][] | null) =>
  new Promise<void>((resolve) => child.send(message as never, () => resolve()))
