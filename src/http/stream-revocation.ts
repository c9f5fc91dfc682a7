// Answers that go on: event streams, sound, sockets. They are cut soon after the key or the session that they were asked for with
// has ended, whoever ended it: what is open is held against the database every few seconds.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'

export const LOOK_MS = 2000
const AT_ONCE = 500
/** As in HTTP, in the range that is free for such use. */
const ENDED = { code: 4401, reason: 'This session or API key has ended' }
const CLOSING_MS = 1000

/** Which of these keys and sessions, by id, are good still. */
export type StillGood = (ids: readonly string[]) => Promise<ReadonlySet<string>>
export type OpenAnswers = ReturnType<typeof streamRevocation>

export function streamRevocation(stillGood: StillGood) {
  const open = new Map<FastifyRequest, FastifyReply>()
  const sockets = new WeakMap<object, WebSocket>()

  function cut(req: FastifyRequest, reply: FastifyReply): void {
    open.delete(req)
    const socket = sockets.get(req.raw)
    // An answer that is cut must not look whole, which a proper end would make it.
    if (!socket) return void reply.raw.destroy()
    socket.close(ENDED.code, ENDED.reason)
    setTimeout(() => socket.terminate(), CLOSING_MS).unref()
  }

  return {
    watch(app: FastifyInstance): void {
      app.websocketServer.on('connection', (socket, raw) => sockets.set(raw, socket))
      app.addHook('onResponse', (req, _reply, done) => {
        open.delete(req)
        done()
      })
    },

    /** It was let in. */
    begin(req: FastifyRequest, reply: FastifyReply): void {
      open.set(req, reply)
    },

    async look(): Promise<void> {
      const going: [FastifyRequest, FastifyReply][] = []
      for (const [req, reply] of open) {
        const isOver = req.raw.socket.destroyed || reply.raw.destroyed || reply.raw.writableFinished
        // What has not begun to answer is one answer to one request, which was let in.
        if (isOver) open.delete(req)
        else if (reply.raw.headersSent || sockets.has(req.raw)) going.push([req, reply])
      }
      const ids = [...new Set(going.flatMap(([{ grant }]) => grant?.id ?? []))]
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        const asked = ids.slice(from, from + AT_ONCE)
        const good = await stillGood(asked)
        const ended = new Set(asked.filter((id) => !good.has(id)))
        if (ended.size > 0) for (const [req, reply] of going) if (ended.has(req.grant?.id ?? '')) cut(req, reply)
      }
    },

    get size(): number {
      return open.size
    },
  }
}
