// Refreshes in-memory caches before a write is acknowledged, so that the next request sees it, on any protocol.
import type { Api, Routes } from './server.ts'

const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

export const knownAtOnce =
  (routes: Routes, refresh: () => Promise<void> | undefined): Routes =>
  (api) => {
    api.register(async (scope) => {
      scope.addHook('onSend', async (req, reply, payload) => {
        // If the database is down by now, the write still stands; the next periodic refresh reads it.
        if (!reads.has(req.method) && reply.statusCode < 300) await refresh()?.catch(() => {})
        return payload
      })
      routes(scope as Api)
    })
  }
