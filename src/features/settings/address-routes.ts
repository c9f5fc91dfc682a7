// /api/settings/addresses, for administrators
import type { NoteChange } from '../../db/audit.ts'
import type { Routes } from '../../http/server.ts'
import { Addresses, AddressesPatch } from './address-schema.ts'

export const addressRoutes =
  (inUse: () => Addresses, change: (patch: AddressesPatch) => Promise<Addresses>, note: NoteChange): Routes =>
  (api) => {
    api.get(
      '/settings/addresses',
      { schema: { summary: 'Get the addresses of this server', response: { 200: Addresses } } },
      inUse,
    )

    api.patch(
      '/settings/addresses',
      {
        schema: {
          summary: 'Change the addresses of this server, which restarts when the calls in progress are over',
          body: AddressesPatch,
          response: { 200: Addresses },
        },
      },
      async (req) => {
        const changed = await change(req.body)
        await note({ kind: 'settings', userId: req.personId, id: null, before: {}, after: req.body })
        return changed
      },
    )
  }
