// Whoever keeps rows in memory reads them anew before a write is answered: what was promised holds for the very next request, on any protocol.
import type { FastifyInstance } from 'fastify'
import type { Routes } from './server.ts'

const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

export const knownAtOnce =
  (routes: Routes, refresh: () => Promise<void> | undefined): Routes =>
  (api) => {
    const app = api as unknown as FastifyInstance
    app.register(async (scope) => {
      scope.addHook('onSend', async (req, reply, payload) => {
        // A database that went away meanwhile does not undo the write; the next round reads it.
        if (!reads.has(req.method) && reply.statusCode < 300) await refresh()?.catch(() => {})
        return payload
      })
      routes(scope as unknown as typeof api)
    })
  }
