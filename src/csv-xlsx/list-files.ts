// Reads long lists (CSV, XLSX) in a sandboxed process that hands over rows in batches: the caller never holds the whole list.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type SandboxLimits, sandboxedProcess } from '../base/process/sandboxed-process.ts'
import type { CellLimits, ListRow } from './csv-rows.ts'
import { type SheetFile, sent, XLSX } from './sheet-files.ts'

/** The first message to the process; the file follows in pieces, ended by null. Then each `next` asks for a batch. */
export type ListJob = { read: 'csv' | 'xlsx'; charset: string | null; batch: number; limits: CellLimits }
export type ListBatch = { rows: ListRow[] }

export const LIST_BATCH = 250

/** `limitMs`: a list that nobody reads for this long is dropped. Few may wait: each takes room on the disk. */
const usual: Partial<SandboxLimits> = {
  limitMs: 60_000,
  heapMb: 1024,
  outsideMb: 512,
  atOnce: 4,
  waiting: 8,
  waitingEach: 1,
}

export type ListFiles = ReturnType<typeof listFiles>

export function listFiles(given: Partial<SandboxLimits> = {}) {
  const run = sandboxedProcess(new URL('./list-child.ts', import.meta.url), 'list', { ...usual, ...given })

  /** The first row is the header. Throws an AppError when the file cannot be read. The process ends with the iteration. */
  return async function* rowsOf(userId: string, file: SheetFile, limits: CellLimits): AsyncGenerator<ListRow[]> {
    const stopped = new AbortController()
    let arrived = Promise.withResolvers<ListRow[] | null>()
    let wanted = Promise.withResolvers<void>()
    const job: ListJob = {
      read: file.mediaType === XLSX ? 'xlsx' : 'csv',
      charset: file.charset,
      batch: LIST_BATCH,
      limits,
    }
    const handOver = async (child: ChildProcess) => {
      for await (const piece of file.bytes) await sent(child, piece)
      await sent(child, null)
      for (;;) {
        await wanted.promise
        wanted = Promise.withResolvers()
        const batch = once(child, 'message', { signal: stopped.signal })
        await sent(child, 'next')
        const [{ rows }] = (await batch) as [Partial<ListBatch>]
        if (rows === undefined) return // the result: the end, or an error
        arrived.resolve(rows)
      }
    }
    const ended = run<null>(
      userId,
      () => job,
      (child) =>
        Promise.race([
          handOver(child),
          once(stopped.signal, 'abort').then(() => {
            throw new Error('the list is no longer read')
          }),
        ]),
    )
    ended.then(
      () => arrived.resolve(null),
      (error) => arrived.reject(error),
    )
    try {
      for (;;) {
        wanted.resolve()
        const rows = await arrived.promise
        if (rows === null) return
        arrived = Promise.withResolvers()
        yield rows
      }
    } finally {
      arrived.promise.catch(() => {}) // nobody awaits it now
      stopped.abort()
      await ended.catch(() => {})
    }
  }
}
