// Sandboxed process that reads or writes a spreadsheet file for sheet-files.ts; its first message holds the job.
import type { Cell } from '../base/text/table-cells.ts'
import { decodeCsv, readCsv } from './csv.ts'
import { reportResult, startChild } from './in-child.ts'
import type { Job } from './sheet-files.ts'
import { tableOf } from './table.ts'
import { readXlsx, writeXlsx } from './xlsx.ts'

startChild()
process.once('message', (job: Job) => reportResult(done(job)))

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
