// Imports a file of numbers into a suppression list, row by row in batches. The list stays unchanged until the last row
// is stored.
import { setImmediate as breathe } from 'node:timers/promises'
import { appError } from '../../base/errors/errors.ts'
import { foldText } from '../../base/text/text.ts'
import type { CellLimits, ListRow } from '../../csv-xlsx/csv-rows.ts'
import type { SheetFile } from '../../csv-xlsx/sheet-files.ts'
import type { HashNumber } from '../../db/number-hash.ts'
import type { ListContent, ListEntry, ListImport } from './list-content-store.ts'
import { toSuppressionList } from './list-store.ts'
import type { ParseNumber } from './record-store.ts'
import type { SuppressionImport } from './schema.ts'

export type ImportParts = {
  content: ListContent
  /** Batches of rows; the first row may name the columns. */
  rowsOf(userId: string, file: SheetFile, limits: CellLimits): AsyncIterable<ListRow[]>
  parseNumber: ParseNumber
  hashNumber: HashNumber
  maxEntries?: number
}
export type ImportRequest = { userId: string; listId: string; file: SheetFile; country: string }

export const MAX_ENTRIES = 200_000
const limits: CellLimits = { cellLength: 65, cells: 50 }
/** Rows parsed at a time, between two turns of the event loop. */
const PIECE = 50

export function suppressionImport({ content, rowsOf, parseNumber, hashNumber, maxEntries = MAX_ENTRIES }: ImportParts) {
  /** A number with its country code may lack the plus sign. */
  function numberIn(text: string, country: string): string | null {
    const parsed = parseNumber(text, country)
    if ('number' in parsed) return parsed.number
    const whole = parseNumber(`+${text.trim()}`, country)
    return 'number' in whole ? whole.number : null
  }

  return async ({ userId, listId, file, country }: ImportRequest): Promise<SuppressionImport> => {
    let draft: ListImport | undefined
    const counts = { rows: 0, added: 0, duplicates: 0, rejected: 0, withoutNumber: 0 }
    let column: number | undefined

    async function store(texts: readonly string[]): Promise<void> {
      draft ??= await content.begin(userId, listId) // after any wait for the reader, because the lease starts here
      const entries = new Map<string, ListEntry>()
      let valid = 0
      for (const [i, text] of texts.entries()) {
        if (i % PIECE === 0) await breathe()
        const phoneNumber = numberIn(text, country)
        if (phoneNumber === null) continue
        valid++
        entries.set(phoneNumber, { phoneNumber, numberHash: hashNumber(phoneNumber) })
      }
      const added = await content.add(draft, [...entries.values()])
      counts.rows += texts.length
      counts.added += added
      counts.duplicates += valid - added
      counts.rejected += texts.length - valid
      counts.withoutNumber += texts.filter((text) => text.trim() === '').length
      if (counts.added > maxEntries) throw appError('suppression_list_entries', { limit: maxEntries })
    }

    try {
      for await (const batch of rowsOf(userId, file, limits)) {
        let rows = batch.map(({ cells }) => cells)
        if (column === undefined) {
          const [first = []] = rows
          const named = columnOf(first)
          column = named ?? 0
          const isHeader = named !== null || numberIn(first[column] ?? '', country) === null
          if (isHeader) rows = rows.slice(1)
        }
        await store(rows.map((cells) => cells[column ?? 0] ?? ''))
      }
      if (column === undefined) throw appError('sheet_file_empty')
      if (counts.added === 0 || !draft) throw appError('suppression_list_empty')
      return { list: toSuppressionList(await content.publish(draft, counts.added)), ...counts }
    } catch (error) {
      if (draft) await content.abandon(draft)
      throw error
    }
  }
}

const phoneNames = [
  'telefone',
  'telefono',
  'fone',
  'celular',
  'movil',
  'phone',
  'phonenumber',
  'whatsapp',
  'msisdn',
  'tel',
]
const numberNames = ['numero', 'number']

/** The column whose name suggests phone numbers ("Número de celular", "phone_number"); null if none does. */
function columnOf(names: readonly string[]): number | null {
  const words = names.map((name) => foldText(name).split(/[^a-z]+/))
  for (const known of [phoneNames, numberNames]) {
    const at = words.findIndex((some) => some.some((word) => known.includes(word)))
    if (at !== -1) return at
  }
  return null
}
