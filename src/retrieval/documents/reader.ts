// Document reader: every document is parsed in a sandboxed process with time and memory limits.
import { appError } from '../../base/errors/errors.ts'
import { type SandboxLimits, sandboxedProcess } from '../../base/process/sandboxed-process.ts'
import { type Pieces, wholeOf } from '../../base/text/pieces.ts'
import type { Passage } from './passages.ts'

export type ContentType = 'text/plain' | 'text/markdown' | 'text/html' | 'text/csv' | 'application/pdf'

type SourceOf<Bytes> =
  | { contentType: ContentType; content: string }
  | { contentType: ContentType; bytes: Bytes; charset: string | null }
export type Source = SourceOf<Uint8Array>
/** A document that is still waiting for its turn, in a file. */
export type GivenSource = SourceOf<Pieces>
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
