// CSV for spreadsheet programs: RFC 4180 with a byte order mark, so that Excel reads UTF-8, and protected against
// formula injection. Pure.

export type CsvValue = string | number | boolean | Date | null | undefined

const BOM = '\uFEFF'

/**
 * Excel, LibreOffice and Google Sheets run a cell that starts like this as a formula, even after white space or in
 * quotes; a leading apostrophe makes it text.
 */
const formula = /^[\s"']*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/

const two = (n: number) => String(n).padStart(2, '0')

/** Local time as 2026-01-31 09:05:00: the same in every language, and every spreadsheet program reads it as a date. */
export function csvTime(at: Date): string {
  if (Number.isNaN(at.getTime())) return ''
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

function cellText(value: CsvValue): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return csvTime(value)
  if (typeof value !== 'string') return String(value)
  return formula.test(value) || /^[\t\r\n]/.test(value) ? `'${value}` : value
}

/** Excel expects semicolons in languages with a decimal comma. */
export const separatorFor = (language: string): ',' | ';' => (language === 'en' ? ',' : ';')

const quoted = (text: string, separator: string): string =>
  text.includes(separator) || /["\r\n;,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

export const csvLine = (values: readonly CsvValue[], separator: string): string =>
  `${values.map((value) => quoted(cellText(value), separator)).join(separator)}\r\n`

export const csvHead = (names: readonly string[], separator: string): string => BOM + csvLine(names, separator)

/** For example ramal-calls-2026-01-31.csv. */
export const csvFileName = (list: string, at: Date): string => `ramal-${list}-${csvTime(at).slice(0, 10)}.csv`
