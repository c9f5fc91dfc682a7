// Sandboxed process that reads or writes a spreadsheet file: started by sheet-files.ts, its first message holds the
// job.
import { setPriority } from 'node:os'
import { AppError, appError } from '../base/errors/errors.ts'
import type { SandboxResult } from '../base/process/sandboxed-process.ts'
import type { Cell } from '../base/text/table-cells.ts'
import { decodeCsv, readCsv } from './csv.ts'
import type { Job } from './sheet-files.ts'
import { tableOf } from './table.ts'
import { readXlsx, writeXlsx } from './xlsx.ts'

/** Calls in progress have priority. */
const NICE = 5

setPriority(NICE)
process.once('disconnect', () => process.exit(1))
process.once('message', (job: Job) => {
  done(job).then(
    (value) => tell({ ok: true, value }),
    (error) => {
      // A stack overflow, or a parser that gave up: the file's fault.
      const { kind, message, code, params } = error instanceof AppError ? error : appError('sheet_file_unreadable')
      tell({ ok: false, kind, message, code, params })
    },
  )
})

const tell = (told: SandboxResult<unknown>) => process.send?.(told, () => process.exit(0))

async function done(job: Job): Promise<unknown> {
  if ('write' in job) return writeXlsx(job.columns, await rowsToWrite())
  return tableOf(job.read === 'xlsx' ? await readXlsx(job.bytes) : readCsv(decodeCsv(job.bytes, job.charset)))
}

/** Rows arrive page by page; null is the end. */
const rowsToWrite = () =>
  new Promise<Cell[][]>((resolve) => {
    const rows: Cell[][] = []
    process.on('message', (page: Cell[][] | null) => {
      if (page === null) resolve(rows)
      else for (const row of page) rows.push(row)
    })
  })
