// CSV as passages: one per row, labeled with the header row.
import Papa from 'papaparse'
import { type AppError, appError } from '../../base/errors/errors.ts'
import { type Passage, recordPassages } from './passages.ts'

const MAX_CELLS = 500_000
const MAX_COLUMNS = 500
/** Every row repeats the labels: long ones would turn a small file into a very large text. */
const MAX_LABEL = 80
const MAX_TEXT = 8_000_000

export function csvPassages(text: string): Passage[] {
  let labels: string[] | null = null
  let cells = 0
  let letters = 0
  const passages: Passage[] = []
  let refusal: AppError | null = null
  Papa.parse<string[]>(text, {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t', '|'],
    step({ data }, parser) {
      cells += data.length
      if (data.length > MAX_COLUMNS) refusal = appError('document_table_columns', { limit: MAX_COLUMNS })
      if (cells > MAX_CELLS) refusal = appError('document_table_cells', { limit: MAX_CELLS })
      if (refusal) return parser.abort()
      if (labels === null) {
        labels = data.map((label, i) => flat(label).slice(0, MAX_LABEL).toWellFormed() || `${i + 1}`)
        return
      }
      const fields = data.flatMap((value, i) => {
        const plain = flat(value)
        return plain === '' ? [] : [`${labels?.[i] ?? i + 1}: ${plain}`]
      })
      letters += fields.reduce((sum, field) => sum + field.length, 0)
      if (letters > MAX_TEXT) refusal = appError('document_table_large')
      else if (fields.length > 0) passages.push(...recordPassages(fields))
    },
  })
  if (refusal) throw refusal
  return passages
}

const flat = (text: string) => text.replace(/\s+/g, ' ').trim()
