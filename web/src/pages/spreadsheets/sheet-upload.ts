// Uploads a file into an existing or new spreadsheet.
import type { Spreadsheet } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { fileTypeOf, MAX_BYTES, sheetName } from './sheet-cells.ts'

type FileTexts = { wrongType(name: string): string; tooLarge(name: string): string }

/** Client-side checks; null if they find no problem. */
export function fileProblem(file: File, t: FileTexts): string | null {
  if (!fileTypeOf(file.name)) return t.wrongType(file.name)
  return file.size > MAX_BYTES ? t.tooLarge(file.name) : null
}

export const uploadFile = (id: string, file: File): Promise<Spreadsheet> =>
  unwrap(
    api.PUT('/api/spreadsheets/{id}/content', {
      params: { path: { id } },
      headers: { 'content-type': fileTypeOf(file.name) ?? '' },
      body: file as never,
      bodySerializer: (body: unknown) => body as never,
    }),
  )

/** Deletes the new spreadsheet again if the file cannot be read. */
export async function createFromFile(file: File): Promise<Spreadsheet> {
  const body = { name: sheetName(file.name), columns: ['A'] }
  const { id } = await unwrap(api.POST('/api/spreadsheets', { body }))
  try {
    return await uploadFile(id, file)
  } catch (error) {
    await api.DELETE('/api/spreadsheets/{id}', { params: { path: { id } } }).catch(() => {})
    throw error
  }
}
