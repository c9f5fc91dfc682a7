// The thread in which a document that needs parsing is read: whatever its bytes do, they do it here.
import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../base/errors.ts'
import { csvPassages } from './csv-passages.ts'
import { htmlText } from './html-text.ts'
import { type Passage, passagesOf } from './passages.ts'
import { pdfText } from './pdf-text.ts'
import { checkLength, cleanText } from './plain-text.ts'
import type { Told } from './reader.ts'

const { contentType, source } = workerData as { contentType: string; source: string | Uint8Array }

async function read(): Promise<{ passages: Passage[]; letters: number }> {
  if (contentType === 'text/csv') {
    const passages = csvPassages(source as string)
    return { passages, letters: (source as string).length }
  }
  const text =
    contentType === 'application/pdf'
      ? cleanText((await pdfText(source as Uint8Array)).replaceAll('\0', ' '))
      : htmlText(source as string)
  checkLength(text.length)
  return { passages: passagesOf(text, false), letters: text.length }
}

const tell = (told: Told) => parentPort?.postMessage(told)
read().then(
  (done) => tell({ ok: true, ...done }),
  (error) => {
    // A stack that overflowed on deep nesting, or a parser that gave up: the document's fault.
    const { kind, message } = error instanceof AppError ? error : new AppError('invalid', 'The document cannot be read')
    tell({ ok: false, kind, message })
  },
)
