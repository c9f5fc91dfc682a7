// What both sandboxed processes of this folder do: they run with low priority, report one result and exit.
import { setPriority } from 'node:os'
import { AppError, appError } from '../base/errors/errors.ts'
import type { SandboxResult } from '../base/process/sandboxed-process.ts'

/** Calls in progress have priority. */
const NICE = 5

export function startChild(): void {
  setPriority(NICE)
  process.once('disconnect', () => process.exit(1))
}

export function reportResult(result: Promise<unknown>): void {
  const tell = (told: SandboxResult<unknown>) => process.send?.(told, () => process.exit(0))
  result.then(
    (value) => tell({ ok: true, value }),
    (error) => {
      // A stack overflow, or a parser that gave up: the file's fault.
      const { kind, message, code, params } = error instanceof AppError ? error : appError('sheet_file_unreadable')
      tell({ ok: false, kind, message, code, params })
    },
  )
}
