// Documents in, passages out. What needs a parser is read in a process of its own: the bytes are a stranger's.
import { type ApartLimits, apart } from '../base/apart.ts'
import { AppError } from '../base/errors.ts'
import { type Passage, passagesOf } from './passages.ts'
import { cleanText, textOf } from './plain-text.ts'

export const contentTypes = ['text/plain', 'text/markdown', 'text/html', 'text/csv', 'application/pdf'] as const
export type ContentType = (typeof contentTypes)[number]

export type Source =
  | { contentType: ContentType; content: string }
  | { contentType: ContentType; bytes: Uint8Array; charset: string | null }
export type ReadDocument = { passages: Passage[]; letters: number }

/** What the process is told. */
export type Job = { contentType: ContentType; source: string | Uint8Array }

const usual: Partial<ApartLimits> = { limitMs: 20_000, heapMb: 256, outsideMb: 256 }
const MAX_HTML = 8_000_000 // letters; what one reads of a page is a small part of it

const invalid = (message: string) => new AppError('invalid', message)

export function documentReader(given: Partial<ApartLimits> = {}) {
  const run = apart(new URL('./reader-child.ts', import.meta.url), 'document', { ...usual, ...given })
  const parsed = async (job: Job) => filled(await run<ReadDocument>(job))

  return async (source: Source): Promise<ReadDocument> => {
    const { contentType } = source
    if (contentType === 'application/pdf') {
      if (!('bytes' in source)) throw invalid('A PDF is sent as the body itself, with Content-Type: application/pdf')
      return parsed({ contentType, source: source.bytes })
    }
    if (contentType === 'text/html') {
      const html = 'bytes' in source ? decodedPage(source.bytes, source.charset) : source.content
      if (html.length > MAX_HTML) throw new AppError('too_large', `The page has more than ${MAX_HTML} letters`)
      return parsed({ contentType, source: html })
    }
    const text = 'bytes' in source ? textOf(source.bytes, source.charset) : cleanText(source.content)
    if (contentType === 'text/csv') return parsed({ contentType, source: text })
    return filled({ passages: passagesOf(text, contentType === 'text/plain'), letters: text.length })
  }
}

/** Text is limited after a page was read: most of a page is markup. */
function decodedPage(bytes: Uint8Array, charset: string | null): string {
  if (bytes.includes(0)) throw invalid('The document holds NUL characters: it is no text')
  const told = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,20})/i.exec(
    Buffer.from(bytes.subarray(0, 2048)).toString('latin1'),
  )?.[1]
  const label = charset ?? told ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    throw new AppError('media_type', 'The charset of the document is not known')
  }
}

function filled(read: ReadDocument): ReadDocument {
  if (read.passages.length === 0) throw invalid('The document holds no text')
  return read
}
