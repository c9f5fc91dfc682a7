// The columns of a list: their names, and which one holds phone numbers.
import { setImmediate as breathe } from 'node:timers/promises'
import { appError } from '../../base/errors/errors.ts'
import { checkedColumns, columnKey } from '../../base/text/table-cells.ts'
import { foldSpaces } from '../../base/text/text.ts'

const MAX_COLUMNS = 100
const MAX_NAME_LENGTH = 100
/** Number of rows whose contents are tested. */
const SAMPLE_ROWS = 20
/** Text with fewer digits is not tested as a number. */
const MIN_DIGITS = 7
const MAX_NUMBER_LENGTH = 32

const phoneWords = new Set(
  'telefone telefones telefono fone phone celular cel mobile movil tel whatsapp whats zap numero number msisdn contato contacto'.split(
    ' ',
  ),
)

export type IsNumber = (text: string) => boolean

/** Column names from the first row; an unnamed column is named by its position. */
export function columnNames(head: readonly string[], isNumber: IsNumber): string[] {
  let width = head.length
  while (width > 0 && (head[width - 1] ?? '').trim() === '') width--
  if (width > MAX_COLUMNS) throw appError('campaign_columns_limit', { limit: MAX_COLUMNS })
  if (width === 0 || head.some((text) => mayBeNumber(text) && isNumber(text))) throw appError('campaign_list_columns')
  const names = head.slice(0, width).map((text, i) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim() || `Column ${i + 1}`)
  if (names.some((name) => name.length > MAX_NAME_LENGTH))
    throw appError('sheet_column_too_long', { limit: MAX_NAME_LENGTH })
  return checkedColumns(names)
}

export type PhoneColumn = {
  columns: readonly string[]
  /** The first rows of the list. */
  rows: readonly (readonly string[])[]
  /** Requested by the client; must exist. */
  asked: string | null
  /** Used by earlier lists. */
  usual: string | null
  isNumber: IsNumber
}

/** Index of the phone number column: as requested, as in earlier lists, by its name, or by its contents. */
export async function phonePlace({ columns, rows, asked, usual, isNumber }: PhoneColumn): Promise<number> {
  const placeOf = (name: string) => columns.findIndex((column) => columnKey(column) === columnKey(name))
  if (asked !== null) {
    const place = placeOf(asked)
    if (place === -1)
      throw appError('campaign_phone_column', { column: asked, columns: columns.join(', ').slice(0, 1000) })
    return place
  }
  const known = usual === null ? -1 : placeOf(usual)
  if (known !== -1) return known
  const shares: number[] = []
  for (const place of columns.keys()) {
    const texts = rows
      .slice(0, SAMPLE_ROWS)
      .map((row) => row[place] ?? '')
      .filter((text) => text.trim() !== '')
    const valid = texts.filter((text) => mayBeNumber(text) && isNumber(text)).length
    shares.push(valid / Math.max(1, texts.length))
    await breathe()
  }
  const best = (places: readonly number[], least: number): number | undefined =>
    places
      .filter((place) => (shares[place] ?? 0) >= least)
      .sort((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0) || a - b)[0]
  const named = [...columns.keys()].filter((place) => isPhoneName(columns[place] ?? ''))
  const found = best(named, Number.MIN_VALUE) ?? best([...columns.keys()], 0.5) ?? named[0]
  if (found === undefined) throw appError('campaign_phone_column_missing')
  return found
}

const isPhoneName = (column: string): boolean =>
  foldSpaces(column.replace(/[^\p{L}\p{M}]+/gu, ' '))
    .split(' ')
    .some((word) => phoneWords.has(word))

const mayBeNumber = (text: string): boolean =>
  text.length <= MAX_NUMBER_LENGTH && text.replace(/\D/g, '').length >= MIN_DIGITS
