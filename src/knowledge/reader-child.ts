// The process in which a document that needs parsing is read: whatever its bytes do, they do it here.
import { setPriority } from 'node:os'
import type { Told } from '../base/apart.ts'
import { AppError } from '../base/errors.ts'
import { csvPassages } from './csv-passages.ts'
import { htmlText } from './html-text.ts'
import { passagesOf } from './passages.ts'
import { pdfText } from './pdf-text.ts'
import { checkLength, cleanText } from './plain-text.ts'
import type { Job, ReadDocument } from './reader.ts'

/** Calls that are under way come first. */
const NICE = 5

setPriority(NICE)
process.once('disconnect', () => process.exit(1))
process.once('message', (job: Job) => {
  read(job).then(
    (value) => tell({ ok: true, value }),
    (error) => {
      // A stack that overflowed on deep nesting, or a parser that gave up: the document's fault.
      const { kind, message } =
        error instanceof AppError ? error : new AppError('invalid', 'The document cannot be read')
      tell({ ok: false, kind, message })
    },
  )
})

const tell = (told: Told<ReadDocument>) => process.send?.(told, () => process.exit(0))

async function read({ contentType, source }: Job): Promise<ReadDocument> {
  if (contentType === 'text/csv') {
    const passages = csvPassages(source as string)
    return { passages, letters: (source as string).length }
  }
  const text =
    contentType === 'application/pdf'
      ? cleanText((await pdfText(Uint8Array.from(source as Uint8Array))).replaceAll('\0', ' '))
      : htmlText(source as string)
  checkLength(text.length)
  return { passages: passagesOf(text, false), letters: text.length }
}
