// /api/settings, for administrators; /api/platform, for everybody
import type { Routes } from '../../http/server.ts'
import { Platform, Settings } from './schema.ts'

export const settingsRoutes =
  (settings: () => Settings, platform: (userId: string) => Promise<Platform>): Routes =>
  (api) => {
    api.get(
      '/settings',
      { schema: { summary: 'What the operator has set, without secrets', response: { 200: Settings } } },
      async () => settings(),
    )

    api.get(
      '/platform',
      { schema: { summary: 'What this platform offers to the user of the key', response: { 200: Platform } } },
      (req) => platform(req.userId),
    )
  }
