// Sandboxed process that reads a long list for list-files.ts; its first message holds the job, then the file follows.
import { type CellLimits, csvRows, type ListRow } from './csv-rows.ts'
import { reportResult, startChild } from './in-child.ts'
import type { ListBatch, ListJob } from './list-files.ts'
import { readXlsx } from './xlsx.ts'

/** All entries of an XLSX together, unpacked. */
const MAX_UNPACKED_BYTES = 128 * 1_048_576

startChild()

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
  for (const [i, row] of (await readXlsx(bytes, MAX_UNPACKED_BYTES)).entries()) {
    const cells = row.slice(0, limits.cells).map((cell) => cellText(cell, limits))
    if (cells.some((text) => text.trim() !== '')) yield { line: i + 1, cells }
  }
}

/** Numbers without an exponent: a phone number may have thirteen digits. */
const cellText = (cell: string | number | boolean | null, { cellLength }: CellLimits): string =>
  cell === null ? '' : String(cell).replaceAll('\0', '').toWellFormed().slice(0, cellLength)

async function work(): Promise<null> {
  const job = (await nextMessage()) as ListJob
  let rows: ListRow[] = []
  for await (const row of rowsOf(job)) {
    if (rows.push(row) < job.batch) continue
    await nextMessage() // `next`
    await handOver({ rows })
    rows = []
  }
  await nextMessage()
  if (rows.length === 0) return null
  await handOver({ rows })
  await nextMessage()
  return null
}

reportResult(work())
