// /api/settings, for administrators; /api/platform, for everybody
import type { Routes } from '../../http/server.ts'
import { Platform, Settings } from './schema.ts'

export const settingsRoutes =
  (settings: (userId: string) => Promise<Settings>, platform: (userId: string) => Promise<Platform>): Routes =>
  (api) => {
    api.get(
      '/settings',
      { schema: { summary: "Get the server's settings, without secrets", response: { 200: Settings } } },
      (req) => settings(req.userId),
    )

    api.get(
      '/platform',
      { schema: { summary: 'Get what this server offers to the user of the key', response: { 200: Platform } } },
      (req) => platform(req.userId),
    )
  }
