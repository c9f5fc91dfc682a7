// Sandboxed process that reads a long list: started by list-files.ts, its first message holds the job, then the file follows.
import { setPriority } from 'node:os'
import { AppError, appError } from '../base/errors/errors.ts'
import type { SandboxResult } from '../base/process/sandboxed-process.ts'
import { type CellLimits, csvRows, type ListRow } from './csv-rows.ts'
import type { ListBatch, ListJob } from './list-files.ts'
import { readXlsx } from './xlsx.ts'

/** Calls in progress have priority. */
const NICE = 5
/** Of all entries of an XLSX, unpacked. */
const MAX_UNPACKED = 128 * 1_048_576

setPriority(NICE)
process.once('disconnect', () => process.exit(1))

const arrived: unknown[] = []
let wake: (() => void) | undefined
process.on('message', (message) => {
  arrived.push(message)
  wake?.()
})
async function nextMessage(): Promise<unknown> {
  while (arrived.length === 0) await new Promise<void>((resolve) => (wake = resolve))
  return arrived.shift()
}

const tell = (told: SandboxResult<null>) => process.send?.(told, () => process.exit(0))
const handOver = (batch: ListBatch) => new Promise<void>((resolve) => process.send?.(batch, () => resolve()))

async function wholeFile(): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for (;;) {
    const piece = await nextMessage()
    if (piece === null) return Buffer.concat(pieces)
    pieces.push(piece as Uint8Array)
  }
}

async function* rowsOf({ read, charset, limits }: ListJob): AsyncGenerator<ListRow> {
  const bytes = await wholeFile()
  if (read === 'csv') return yield* csvRows(bytes, charset, limits)
  for (const [i, row] of (await readXlsx(bytes, MAX_UNPACKED)).entries()) {
    const cells = row.slice(0, limits.cells).map((cell) => cellText(cell, limits))
    if (cells.some((text) => text.trim() !== '')) yield { line: i + 1, cells }
  }
}

/** Numbers are written as people write them: a phone number of thirteen digits has no exponent. */
const cellText = (cell: string | number | boolean | null, { cellLength }: CellLimits): string =>
  cell === null ? '' : String(cell).replaceAll('\0', '').toWellFormed().slice(0, cellLength)

async function work(): Promise<void> {
  const job = (await nextMessage()) as ListJob
  let rows: ListRow[] = []
  for await (const row of rowsOf(job)) {
    if (rows.push(row) < job.batch) continue
    await nextMessage() // `next`
    await handOver({ rows })
    rows = []
  }
  await nextMessage()
  if (rows.length === 0) return
  await handOver({ rows })
  await nextMessage()
}

work().then(
  () => tell({ ok: true, value: null }),
  (error) => {
    // A stack overflow, or a parser that gave up: the file's fault.
    const { kind, message, code, params } = error instanceof AppError ? error : appError('sheet_file_unreadable')
    tell({ ok: false, kind, message, code, params })
  },
)
