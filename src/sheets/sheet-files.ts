// Files of spreadsheets in and out. What a stranger's bytes do, and what a large file takes, happens in a process of its own with bounds of
// time and memory, a few at a time. A thread would not do: one array that grows too large for its heap ends the whole process.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Cell, Table } from '../base/cells.ts'
import { AppError, type ErrorKind } from '../base/errors.ts'

export const CSV = 'text/csv'
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export type SheetFile = { mediaType: string; charset: string | null; bytes: Uint8Array }
/** What the process is told first; the rows that are to be written come after. */
export type Job = ({ read: 'csv' | 'xlsx' } & SheetFile) | { write: 'xlsx'; columns: readonly string[] }
/** What it says at its end. */
export type Told<T> = { ok: true; value: T } | { ok: false; kind: ErrorKind; message: string }

export type FileLimits = { limitMs: number; heapMb: number; atOnce: number; waiting: number }
const usual: FileLimits = { limitMs: 30_000, heapMb: 384, atOnce: 2, waiting: 20 }

export type SheetFiles = ReturnType<typeof sheetFiles>

export function sheetFiles(given: Partial<FileLimits> = {}) {
  const limits = { ...usual, ...given }
  let atWork = 0
  const waiting: (() => void)[] = []

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (atWork < limits.atOnce) atWork++
    else {
      if (waiting.length >= limits.waiting)
        throw new AppError('unavailable', 'Too many files are at work; try again', { headers: { 'retry-after': '5' } })
      await new Promise<void>((go) => waiting.push(go))
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else atWork--
    }
  }

  return {
    /** Throws an AppError that tells what is wrong with the file. */
    read: (file: SheetFile): Promise<Table> =>
      inTurn(() => inChild<Table>({ read: file.mediaType === XLSX ? 'xlsx' : 'csv', ...file }, limits)),

    writeXlsx: (columns: readonly string[], pages: AsyncIterable<Cell[][]>): Promise<Buffer> =>
      inTurn(async () => Buffer.from(await inChild<Uint8Array>({ write: 'xlsx', columns }, limits, pages))),
  }
}

function inChild<T>(job: Job, limits: FileLimits, pages?: AsyncIterable<Cell[][]>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('./sheet-child.ts', import.meta.url)), [], {
      execArgv: [`--max-old-space-size=${limits.heapMb}`],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'], // a parser's own remarks may quote the file
    })
    const over = (end: () => void) => {
      clearTimeout(late)
      child.removeAllListeners()
      child.on('error', () => {}) // it was sent something when it had gone
      child.kill('SIGKILL')
      end()
    }
    const fail = (error: unknown) => over(() => reject(error))
    const late = setTimeout(() => fail(new AppError('too_large', 'The file took too long')), limits.limitMs)
    child.once('message', (told: Told<T>) =>
      told.ok ? over(() => resolve(told.value)) : fail(new AppError(told.kind, told.message)),
    )
    child.once('error', fail)
    // Out of memory it ends without a word.
    child.once('exit', () => fail(new AppError('too_large', 'The file needs too much memory')))
    child.send(job)
    if (pages) handOver(child, pages).catch(fail)
  })
}

async function handOver(child: ChildProcess, pages: AsyncIterable<Cell[][]>): Promise<void> {
  for await (const rows of pages) await sent(child, rows)
  await sent(child, null)
}

/** Not faster than it takes them. One that has gone is told by its end. */
const sent = (child: ChildProcess, message: Cell[][] | null) =>
  new Promise<void>((resolve) => child.send(message as never, () => resolve()))
