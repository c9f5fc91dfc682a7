// Documents in, passages out. What needs a parser is read in a thread with a limit of time and of memory: the bytes are a stranger's.
import { Worker } from 'node:worker_threads'
import { AppError, type ErrorKind } from '../base/errors.ts'
import { type Passage, passagesOf } from './passages.ts'
import { cleanText, textOf } from './plain-text.ts'

export const contentTypes = ['text/plain', 'text/markdown', 'text/html', 'text/csv', 'application/pdf'] as const
export type ContentType = (typeof contentTypes)[number]

export type Source =
  | { contentType: ContentType; content: string }
  | { contentType: ContentType; bytes: Uint8Array; charset: string | null }
export type ReadDocument = { passages: Passage[]; letters: number }

/** What the thread says at its end. */
export type Told = ({ ok: true } & ReadDocument) | { ok: false; kind: ErrorKind; message: string }

export type ReaderLimits = { limitMs: number; heapMb: number; outsideMb: number; atOnce: number; waiting: number }
const usual: ReaderLimits = { limitMs: 20_000, heapMb: 256, outsideMb: 256, atOnce: 2, waiting: 20 }
const LOOK_MS = 50
const MAX_HTML = 8_000_000 // letters; what one reads of a page is a small part of it

const invalid = (message: string) => new AppError('invalid', message)

export function documentReader(given: Partial<ReaderLimits> = {}) {
  const limits = { ...usual, ...given }
  let atWork = 0
  const waiting: (() => void)[] = []

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (atWork >= limits.atOnce) {
      if (waiting.length >= limits.waiting)
        throw new AppError('unavailable', 'Too many documents are being read; try again', {
          headers: { 'retry-after': '5' },
        })
      await new Promise<void>((go) => waiting.push(go))
    } else atWork++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else atWork--
    }
  }

  return async (source: Source): Promise<ReadDocument> => {
    const { contentType } = source
    if (contentType === 'application/pdf') {
      if (!('bytes' in source)) throw invalid('A PDF is sent as the body itself, with Content-Type: application/pdf')
      return filled(await inTurn(() => inThread({ contentType, source: source.bytes }, limits)))
    }
    if (contentType === 'text/html') {
      const html = 'bytes' in source ? decodedPage(source.bytes, source.charset) : source.content
      if (html.length > MAX_HTML) throw new AppError('too_large', `The page has more than ${MAX_HTML} letters`)
      return filled(await inTurn(() => inThread({ contentType, source: html }, limits)))
    }
    const text = 'bytes' in source ? textOf(source.bytes, source.charset) : cleanText(source.content)
    if (contentType === 'text/csv') return filled(await inTurn(() => inThread({ contentType, source: text }, limits)))
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

function inThread(workerData: { contentType: ContentType; source: string | Uint8Array }, limits: ReaderLimits) {
  return new Promise<ReadDocument>((resolve, reject) => {
    const worker = new Worker(new URL('./reader-worker.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 32 },
      stdout: true, // a parser's own remarks may quote the document
      stderr: true,
    })
    const over = (end: () => void) => {
      clearTimeout(late)
      clearInterval(look)
      void worker.terminate()
      end()
    }
    const late = setTimeout(() => over(() => reject(invalid('The document took too long to read'))), limits.limitMs)
    // What a decompressed stream takes lies outside the heap, and its limit.
    const look = setInterval(async () => {
      const { external_memory: outside = 0 } = await worker.getHeapStatistics().catch(() => ({ external_memory: 0 }))
      if (outside > limits.outsideMb * 1_048_576) over(() => reject(tooMuch()))
    }, LOOK_MS)
    worker.once('message', (told: Told) =>
      over(() =>
        told.ok
          ? resolve({ passages: told.passages, letters: told.letters })
          : reject(new AppError(told.kind, told.message)),
      ),
    )
    worker.once('error', (error: NodeJS.ErrnoException) =>
      over(() =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch() : invalid('The document cannot be read')),
      ),
    )
    worker.once('exit', () => over(() => reject(invalid('The document cannot be read'))))
  })
}

const tooMuch = () => new AppError('too_large', 'The document needs too much memory to be read')
