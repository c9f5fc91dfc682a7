// Entry point of the sandboxed process that reads one document.
import { setPriority } from 'node:os'
import { AppError, appError } from '../../base/errors/errors.ts'
import type { SandboxResult } from '../../base/process/sandboxed-process.ts'
import { readDocument } from './read-document.ts'
import type { ReadDocument, Source } from './reader.ts'

/** Calls in progress have priority. */
const NICE = 5

setPriority(NICE)
process.once('disconnect', () => process.exit(1))
process.once('message', (source: Source) => {
  readDocument(source).then(
    (value) => tell({ ok: true, value }),
    (error) => {
      // A stack overflow on deep nesting, or a parser that gave up: the document's fault.
      const { kind, message, code, params } = error instanceof AppError ? error : appError('document_unreadable')
      tell({ ok: false, kind, message, code, params })
    },
  )
})

const tell = (told: SandboxResult<ReadDocument>) => process.send?.(told, () => process.exit(0))
