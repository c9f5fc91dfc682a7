// Document reader: every document is parsed in a sandboxed process with time and memory limits.

import { appError } from '../base/errors/errors.ts'
import { type SandboxLimits, sandboxedProcess } from '../base/process/sandboxed-process.ts'
import { type Pieces, wholeOf } from '../base/text/pieces.ts'
import type { Passage } from './passages.ts'

const contentTypes = ['text/plain', 'text/markdown', 'text/html', 'text/csv', 'application/pdf'] as const
export type ContentType = (typeof contentTypes)[number]

export type Source =
  | { contentType: ContentType; content: string }
  | { contentType: ContentType; bytes: Uint8Array; charset: string | null }
/** A document before it is its turn to be read. */
export type GivenSource =
  | { contentType: ContentType; content: string }
  | { contentType: ContentType; bytes: Pieces; charset: string | null }
export type ReadDocument = { passages: Passage[]; letters: number }

const usual: Partial<SandboxLimits> = { limitMs: 20_000, heapMb: 256, outsideMb: 256 }

export function documentReader(given: Partial<SandboxLimits> = {}) {
  const run = sandboxedProcess(new URL('./reader-child.ts', import.meta.url), 'document', { ...usual, ...given })

  return async (userId: string, source: GivenSource): Promise<ReadDocument> => {
    if (source.contentType === 'application/pdf' && !('bytes' in source)) throw appError('document_pdf_as_body')
    const read = await run<ReadDocument>(
      userId,
      async (): Promise<Source> => ('bytes' in source ? { ...source, bytes: await wholeOf(source.bytes) } : source),
    )
    if (read.passages.length === 0) throw appError('document_empty')
    return read
  }
}
