// /api/settings
import type { Routes } from '../../http/server.ts'
import { Settings } from './schema.ts'

export const settingsRoutes =
  (settings: () => Settings): Routes =>
  (api) => {
    api.get(
      '/settings',
      { schema: { summary: 'What the operator has set, without secrets', response: { 200: Settings } } },
      async () => settings(),
    )
  }
