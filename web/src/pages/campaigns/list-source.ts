// The source of a contact list, a file or one of the user's spreadsheets, and its upload.
import type { Campaign, CampaignImport, Spreadsheet } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { uploadStore } from '../../components/uploads.ts'
import { useUploads } from '../../components/use-uploads.ts'
import { fileTypeOf } from '../spreadsheets/sheet-cells.ts'
import type { ListHead } from './list-head.ts'
import { staleCampaigns } from './use-campaign-acts.ts'

export type ListSource = {
  file: File | null
  sheet: Spreadsheet | null
  /** Null if unknown before the upload. */
  head: ListHead | null
  phoneColumn: string | null
}

export const contactUploads = uploadStore<CampaignImport>()

export function useContactUploads() {
  const { uploads, send } = useUploads(contactUploads, staleCampaigns)
  return {
    uploads,
    /** Resolves to null if it failed; the campaign's uploads then show the error. */
    send: ({ id, name }: Campaign, source: ListSource): Promise<CampaignImport | null> =>
      send({ target: id, name, file: source.file?.name ?? source.sheet?.name ?? '' }, () => sendList(id, source)),
  }
}

function sendList(id: string, { file, sheet, phoneColumn }: ListSource): Promise<CampaignImport> {
  if (file)
    return unwrap(
      api.POST('/api/campaigns/{id}/contacts', {
        params: { path: { id }, query: phoneColumn ? { phoneColumn } : {} },
        headers: { 'content-type': fileTypeOf(file.name) ?? '' },
        body: file as never,
        bodySerializer: (body: unknown) => body as never,
      }),
    )
  return unwrap(
    api.POST('/api/campaigns/{id}/contacts', {
      params: { path: { id } },
      body: { spreadsheetId: sheet?.id ?? '', ...(phoneColumn ? { phoneColumn } : {}) },
    }),
  )
}
