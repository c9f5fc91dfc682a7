// Reads CSV row by row, in linear time and with bounded cells, for lists that are too long to hold as a table.
import Papa from 'papaparse'
import { appError } from '../base/errors/errors.ts'
import { separatorLine } from '../base/text/csv-marks.ts'
import { charsetOf, separators, unquoted } from './csv.ts'

/** Longer cells and rows are cut: at one more than a list may have, so that the caller notices. */
export type CellLimits = { cellLength: number; cells: number }

const PIECE = 65_536
/** Characters that the separator is guessed from. */
const HEAD = 16_384
const [QUOTE, CR, LF, BLANK] = [34, 13, 10, 32]

/** `line` counts like spreadsheet programs: from 1, including the header and empty rows. */
export type ListRow = { line: number; cells: string[] }

/** Empty rows are left out. */
export function* csvRows(bytes: Uint8Array, charset: string | null, limits: CellLimits): Generator<ListRow> {
  let parser: ReturnType<typeof csvParser> | undefined
  for (const text of piecesOf(bytes, charset)) {
    const named = parser ? null : separatorLine(text)
    parser ??= csvParser(named?.separator.charCodeAt(0) ?? separatorOf(text.slice(0, HEAD)), limits)
    yield* parser.rowsIn(named?.rest ?? text)
  }
  if (parser) yield* parser.end()
}

function* piecesOf(bytes: Uint8Array, charset: string | null): Generator<string> {
  const label = charsetOf(bytes, charset)
  try {
    const decoder = new TextDecoder(label, { fatal: true })
    for (let at = 0; at < bytes.length; at += PIECE) {
      const text = decoder.decode(bytes.subarray(at, at + PIECE), { stream: true })
      if (text.includes('\0')) throw appError('sheet_nul')
      yield text
    }
    yield decoder.decode()
  } catch (error) {
    if (error instanceof RangeError) throw appError('sheet_charset')
    if (error instanceof TypeError) throw appError('sheet_wrong_charset', { charset: label })
    throw error
  }
}

function separatorOf(head: string): number {
  const { meta } = Papa.parse<string[]>(head, { delimitersToGuess: separators, preview: 20, skipEmptyLines: 'greedy' })
  return (separators.includes(meta.delimiter) ? meta.delimiter : ',').charCodeAt(0)
}

/** RFC 4180; text after a closing quote belongs to the cell, as spreadsheet programs read it. */
function csvParser(separator: number, limits: CellLimits) {
  let cells: string[] = []
  let cell = ''
  let rowNumber = 1
  let quotedSince = 0 // the row in which the open quote began
  let isQuoted = false
  let isAfterQuote = false
  let isAfterCr = false
  let hasText = false // something other than blanks in this cell

  const add = (text: string) => {
    if (cell.length < limits.cellLength) cell += text.slice(0, limits.cellLength - cell.length)
  }
  const endCell = () => {
    if (cells.length < limits.cells) cells.push(unquoted(cell))
    cell = ''
    isAfterQuote = false
    hasText = false
  }
  const endRow = (): ListRow | null => {
    endCell()
    const row = { line: rowNumber++, cells }
    cells = []
    return row.cells.some((text) => text.trim() !== '') ? row : null
  }

  return {
    *rowsIn(text: string): Generator<ListRow> {
      let from = 0
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i)
        if (isQuoted) {
          if (code !== QUOTE) continue
          add(text.slice(from, i))
          from = i + 1
          isQuoted = false
          isAfterQuote = true
          continue
        }
        const isLfOfCr = isAfterCr && code === LF
        isAfterCr = false
        if (isLfOfCr) {
          from = i + 1
          continue
        }
        if (code === QUOTE) {
          const isDoubled = isAfterQuote && from === i
          if (isDoubled) add('"')
          if (isDoubled || !hasText) {
            if (!isDoubled) cell = ''
            hasText = true
            from = i + 1
            isQuoted = true
            quotedSince = rowNumber
          }
        } else if (code === separator || code === CR || code === LF) {
          add(text.slice(from, i))
          from = i + 1
          if (code === separator) {
            endCell()
            continue
          }
          isAfterCr = code === CR
          const row = endRow()
          if (row) yield row
        } else if (code > BLANK) hasText = true
      }
      if (from < text.length) {
        add(text.slice(from))
        isAfterQuote = false
      }
    },

    *end(): Generator<ListRow> {
      if (isQuoted) throw appError('sheet_quote_open', { row: quotedSince })
      const row = cells.length > 0 || cell !== '' ? endRow() : null
      if (row) yield row
    },
  }
}
