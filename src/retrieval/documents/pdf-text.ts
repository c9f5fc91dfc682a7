// PDF to Markdown: lines in file order, larger type as headings. Runs in a sandboxed process (reader-child.ts).
import { appError } from '../../base/errors/errors.ts'
import { checkLength } from './plain-text.ts'

const MAX_PAGES = 2000
const HEADING_SCALE = 1.18 // relative to the usual type size: a heading
const MAX_HEADING = 120
const PARAGRAPH_GAP = 1.7 // line heights between two lines: a new paragraph

type Item = { str: string; hasEOL: boolean; height: number; transform: number[] }
type Line = { text: string; height: number; y: number; page: number }

export async function pdfText(bytes: Uint8Array): Promise<string> {
  const { getDocumentProxy } = await import('unpdf').catch(() => {
    throw appError('document_pdf_package')
  })
  const options = {
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    maxImageSize: 1,
    verbosity: 0,
  }
  const pdf = await getDocumentProxy(bytes, options).catch((error: { name?: string }) => {
    const isLocked = error?.name === 'PasswordException'
    throw appError(isLocked ? 'document_pdf_locked' : 'document_pdf_unreadable')
  })
  if (pdf.numPages > MAX_PAGES) throw appError('document_pdf_pages', { limit: MAX_PAGES })
  const lines: Line[] = []
  let letters = 0
  for (let page = 1; page <= pdf.numPages; page++) {
    const proxy = await pdf.getPage(page)
    const { items } = await proxy.getTextContent()
    for (const line of linesOf(items as Item[], page)) {
      lines.push(line)
      letters += line.text.length
      checkLength(letters)
    }
    proxy.cleanup()
  }
  if (letters === 0) throw appError('document_pdf_scanned')
  return markdownOf(lines)
}

function* linesOf(items: readonly Item[], page: number): Generator<Line> {
  let text = ''
  let height = 0
  let y = 0
  for (const item of items) {
    if (typeof item.str !== 'string') continue
    text += item.str
    if (item.str.trim() !== '') {
      height = Math.max(height, item.height)
      y = item.transform[5] ?? 0
    }
    if (!item.hasEOL) continue
    yield { text: text.trim(), height, y, page }
    text = ''
    height = 0
  }
  if (text.trim() !== '') yield { text: text.trim(), height, y, page }
}

function markdownOf(lines: readonly Line[]): string {
  const letters = new Map<number, number>()
  for (const { text, height } of lines) {
    const size = Math.round(height * 2) / 2
    letters.set(size, (letters.get(size) ?? 0) + text.length)
  }
  const usual = [...letters].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0
  const isHeading = ({ text, height }: Line) =>
    height > usual * HEADING_SCALE && text !== '' && text.length <= MAX_HEADING && /\p{L}/u.test(text)
  const written: string[] = []
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1]
    const isApart = before && before.page === line.page && before.y - line.y > PARAGRAPH_GAP * Math.max(usual, 1)
    if (isHeading(line)) {
      const goesOn = before && isHeading(before) && before.height === line.height && !isApart
      if (goesOn) written[written.length - 1] += ` ${line.text}`
      else written.push('', `${line.height > usual * 1.6 ? '#' : '##'} ${line.text}`)
    } else {
      if (isApart || (before && isHeading(before))) written.push('')
      written.push(line.text.replace(/^#/, '\\#'))
    }
  }
  return written.join('\n')
}
