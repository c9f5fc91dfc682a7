// Saves rows as a CSV file, page by page. Limited in size, because the browser holds the whole file in memory.
import { type CsvValue, csvFileName, csvHead, csvLine, separatorFor } from './csv.ts'

export const MAX_ROWS = 100_000

export type CsvColumn<T> = { name: string; csv: (row: T) => CsvValue }

export type CsvExport<T> = {
  list: string
  language: string
  columns: readonly CsvColumn<T>[]
  pages: AsyncGenerator<readonly T[]>
  onProgress: (rows: number) => void
}

/** Returns the number of rows saved, and whether the limit cut off the rest. */
export async function exportCsv<T>(given: CsvExport<T>): Promise<{ rows: number; isCut: boolean }> {
  const { columns, language } = given
  const separator = separatorFor(language)
  const names = columns.map(({ name }) => name)
  const parts: string[] = [csvHead(names, separator)]
  let rows = 0
  let isCut = false
  for await (const page of given.pages) {
    const some = page.slice(0, MAX_ROWS - rows)
    parts.push(
      some
        .map((row) =>
          csvLine(
            columns.map(({ csv }) => csv(row)),
            separator,
          ),
        )
        .join(''),
    )
    rows += some.length
    given.onProgress(rows)
    isCut = some.length < page.length
    if (isCut) break
  }
  save(new Blob(parts, { type: 'text/csv;charset=utf-8' }), csvFileName(given.list, new Date()))
  return { rows, isCut }
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Revoked with a delay: the download reads the blob after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
