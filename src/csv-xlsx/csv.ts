// CSV reading and writing: detects separator, quoting and character set.
import { isUtf8 } from 'node:buffer'
import Papa from 'papaparse'
import { appError } from '../base/errors/errors.ts'
import { markedCharset, separatorLine } from '../base/text/csv-marks.ts'
import { type Cell, cellOfText } from '../base/text/table-cells.ts'

/** The byte order mark decides, else the sender's charset, else UTF-8 if the bytes are valid, else windows-1252. */
export function charsetOf(bytes: Uint8Array, charset: string | null): string {
  return markedCharset(bytes) ?? charset ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')
}

export function decodeCsv(bytes: Uint8Array, charset: string | null): string {
  const label = charsetOf(bytes, charset)
  let text: string
  try {
    text = new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof RangeError) throw appError('sheet_charset')
    throw appError('sheet_wrong_charset', { charset: label })
  }
  if (text.includes('\0')) throw appError('sheet_nul')
  return text
}

export const separators = [',', ';', '\t', '|']

export function readCsv(text: string): Cell[][] {
  const named = separatorLine(text)
  const { data, errors } = Papa.parse<string[]>(named?.rest ?? text, {
    delimiter: named?.separator ?? '', // empty: guessed
    delimitersToGuess: separators,
    skipEmptyLines: 'greedy',
  })
  const quotes = errors.find(({ type }) => type === 'Quotes')
  if (quotes) throw appError('sheet_quote_open', { row: (quotes.row ?? 0) + 1 })
  return data.map((row, i) => row.map((text) => (i === 0 ? text : cellOf(text))))
}

const cellOf = (text: string): Cell => cellOfText(unquoted(text))

const SIGNS = '=+\\-@\uff1d\uff0b\uff0d\uff20'
/** Spreadsheet programs skip blanks and line ends before a sign, and accept full-width signs for the plain ones. */
const startsFormula = new RegExp(`^(?:[\\t\\r\\n]|\\s*[${SIGNS}])`)
/** After a separator, quotes may come first: a program that splits there does not take them for the cell's quotes. */
const beforeSign = new RegExp(`^[\\s"]*(?=[${SIGNS}])`)
const beforeQuotedSign = new RegExp(`^([\\s"]*)'(?=[${SIGNS}])`)
/** Programs that separate by one of these, such as Excel by `;` in many languages, start a cell or a row after it. */
const separator = /([;\t|\r\n])/

const BYTE_ORDER_MARK = '\ufeff'
/** Digits with dots and dashes cannot call a function: telephone numbers stay as they are. */
const harmless = /^[+-]?[\d\s().,/-]*$/

/** Changes what follows each separator within the cell. */
const behindSeparators = (cell: string, change: (piece: string) => string): string =>
  separator.test(cell)
    ? cell
        .split(separator)
        .map((piece, i) => (i > 1 && i % 2 === 0 ? change(piece) : piece))
        .join('')
    : cell

/** Puts an apostrophe before text that spreadsheet programs would treat as a formula, wherever they may start a cell. */
function shown(cell: Cell): Cell {
  if (typeof cell !== 'string') return cell
  const begun = startsFormula.test(cell) && !harmless.test(cell) ? `'${cell}` : cell
  return behindSeparators(begun, (piece) => (harmless.test(piece.trim()) ? piece : piece.replace(beforeSign, "$&'")))
}

/** Removes the apostrophes that `shown` puts before text that looks like a formula. */
export function unquoted(text: string): string {
  if (!text.includes("'")) return text
  const whole = behindSeparators(text, (piece) => piece.replace(beforeQuotedSign, '$1'))
  return whole.startsWith("'") && startsFormula.test(whole.slice(1)) ? whole.slice(1) : whole
}

/** With a byte order mark, by which Excel recognizes UTF-8. */
export const csvHead = (columns: readonly string[]): string => BYTE_ORDER_MARK + csvLines([columns])

export const csvLines = (rows: readonly (readonly Cell[])[]): string =>
  rows.length === 0
    ? ''
    : `${Papa.unparse(
        rows.map((row) => row.map(shown)),
        writing,
      )}\r\n`

/** Also quotes cells that contain another program's separator. */
const writing = { quotes: (cell: unknown) => typeof cell === 'string' && separator.test(cell) }
