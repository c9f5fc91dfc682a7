// The head of a CSV file, parsed in the browser: columns, sample rows, and the likely number column. Pure, except for
// reading the file.
import { markedCharset, separatorLine } from '../../../../src/base/text/csv-marks.ts'

export type ListHead = { columns: string[]; rows: string[][] }

const HEAD_BYTES = 64 * 1024
const MAX_ROWS = 5
const MAX_COLUMNS = 200

const count = (text: string, sign: string) => text.split(sign).length - 1

/** The most frequent delimiter in the first line. */
function delimiterOf(text: string): string {
  const line = text.split(/\r?\n/, 1)[0] ?? ''
  const [best = ','] = [',', ';', '\t'].sort((a, b) => count(line, b) - count(line, a))
  return best
}

/** Parses at most `most` CSV rows, with quoted cells. If the text is cut off, an unterminated last row is dropped. */
export function csvRows(text: string, most: number, isCut = false, delimiter = delimiterOf(text)): string[][] {
  const rows: string[][] = []
  let [row, cell, isQuoted]: [string[], string, boolean] = [[], '', false]
  const endRow = () => {
    row.push(cell)
    if (row.some((one) => one.trim() !== '')) rows.push(row)
    row = []
    cell = ''
  }
  for (let i = 0; i < text.length && rows.length < most; i++) {
    const sign = text[i] as string
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[i + 1] === '"') {
        cell += '"'
        i++
      } else isQuoted = false
    } else if (sign === '"' && cell === '') isQuoted = true
    else if (sign === delimiter) {
      row.push(cell)
      cell = ''
    } else if (sign === '\n') endRow()
    else if (sign !== '\r') cell += sign
  }
  if (rows.length < most && !isCut && (cell !== '' || row.length > 0)) endRow()
  return rows
}

export function headOf(text: string, isCut = false): ListHead | null {
  const plain = text.replace(/^\uFEFF/, '')
  const marked = separatorLine(plain)
  const [first, ...rows] = csvRows(marked?.rest ?? plain, MAX_ROWS + 1, isCut, marked?.separator)
  if (!first) return null
  return { columns: first.slice(0, MAX_COLUMNS).map((name) => name.trim()), rows }
}

const phoneNames =
  /^(n[uú]mero|tel|telefone|telefono|teléfono|fone|celular|cel|whats ?app|phone|mobile|m[oó]vil|number)/i
const isNumberLike = (cell: string) => {
  const digits = cell.replace(/\D/g, '').length
  return digits >= 8 && digits <= 15 && /^[\d\s()+./-]+$/.test(cell.trim())
}

/** Guesses by name, then by content; null if no column matches. */
export function guessPhoneColumn({ columns, rows }: ListHead): string | null {
  const looksRight = (index: number) => {
    const cells = rows.map((row) => row[index] ?? '').filter((cell) => cell.trim() !== '')
    return cells.length > 0 && cells.filter(isNumberLike).length * 2 > cells.length
  }
  const named = columns.find((name, index) => phoneNames.test(name) && (rows.length === 0 || looksRight(index)))
  return named ?? columns.find((_, index) => looksRight(index)) ?? columns.find((name) => phoneNames.test(name)) ?? null
}

/**
 * UTF-8 by default; Excel's "Unicode text" is UTF-16 with a byte order mark, and older Excel versions write
 * Windows-1252.
 */
export function decodeHead(bytes: Uint8Array, isCut: boolean): string {
  const marked = markedCharset(bytes)
  if (marked) return new TextDecoder(marked).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

export async function readHead(file: File): Promise<ListHead | null> {
  const isCut = file.size > HEAD_BYTES
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
  return headOf(decodeHead(bytes, isCut), isCut)
}
