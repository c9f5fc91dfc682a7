// Reads a document inside the sandboxed process. Parsers are loaded on demand.
import { appError } from '../../base/errors/errors.ts'
import { passagesOf } from './passages.ts'
import { checkLength, cleanText, textOf } from './plain-text.ts'
import type { ReadDocument, Source } from './reader.ts'

const MAX_HTML = 8_000_000 // characters; the readable text is a small part of a page

export async function readDocument(source: Source): Promise<ReadDocument> {
  const { contentType } = source
  if (contentType === 'application/pdf') {
    const { pdfText } = await import('./pdf-text.ts')
    const bytes = 'bytes' in source ? Uint8Array.from(source.bytes) : new Uint8Array()
    return cut(cleanText((await pdfText(bytes)).replaceAll('\0', ' ')), false)
  }
  if (contentType === 'text/html') {
    const html = 'bytes' in source ? decodedPage(source.bytes, source.charset) : source.content
    if (html.length > MAX_HTML) throw appError('document_html_letters', { limit: MAX_HTML })
    const { htmlText } = await import('./html-text.ts')
    return cut(htmlText(html), false)
  }
  const text = 'bytes' in source ? textOf(source.bytes, source.charset) : cleanText(source.content)
  if (contentType !== 'text/csv') return cut(text, contentType === 'text/plain')
  const { csvPassages } = await import('./csv-passages.ts')
  return { passages: csvPassages(text), letters: text.length }
}

function cut(text: string, isPlain: boolean): ReadDocument {
  checkLength(text.length)
  return { passages: passagesOf(text, isPlain), letters: text.length }
}

/** The text limit applies after a page was read: most of a page is markup. */
function decodedPage(bytes: Uint8Array, charset: string | null): string {
  if (bytes.includes(0)) throw appError('document_nul')
  const told = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,20})/i.exec(
    Buffer.from(bytes.subarray(0, 2048)).toString('latin1'),
  )?.[1]
  const label = charset ?? told ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    throw appError('document_charset')
  }
}
