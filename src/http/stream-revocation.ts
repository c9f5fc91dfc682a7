// Closes streaming responses (event streams, audio, WebSockets) soon after their key or session has ended or its rights
// in the organization have changed, in whichever process: open responses are checked against the database every few
// seconds.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import type { Permission } from '../base/domain/organization-roles.ts'

export const LOOK_MS = 2000
const AT_ONCE = 500
/** A WebSocket close code from the private range, modeled on the HTTP status. */
const ENDED = { code: 4401, reason: 'This session or API key has ended, or its rights have changed' }
const CLOSING_MS = 1000

/** A key or session, and the organization in which it is used. */
export type Using = { id: string; userId: string }
/** The rights of each in its organization, in the given order; undefined for a key or session that has ended. */
export type RightsNow = (asked: readonly Using[]) => Promise<(ReadonlySet<Permission> | undefined)[]>
type OpenRequest = { raw: IncomingMessage; grant: (Using & { may: ReadonlySet<Permission> }) | null }
type OpenReply = { raw: ServerResponse }
export type OpenAnswers = ReturnType<typeof streamRevocation>

export function streamRevocation(rightsNow: RightsNow) {
  const open = new Map<OpenRequest, OpenReply>()
  const sockets = new WeakMap<object, WebSocket>()

  function cut(req: OpenRequest, reply: OpenReply): void {
    open.delete(req)
    const socket = sockets.get(req.raw)
    // A truncated response must not look complete, as it would after a regular end.
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

    /** Call it when the request was admitted. */
    begin(req: OpenRequest, reply: OpenReply): void {
      open.set(req, reply)
    },

    async look(): Promise<void> {
      const going: [OpenRequest, OpenReply][] = []
      for (const [req, reply] of open) {
        const isOver = req.raw.socket.destroyed || reply.raw.destroyed || reply.raw.writableFinished
        // A response that has not started belongs to an admitted single request: let it finish.
        if (isOver) open.delete(req)
        else if (reply.raw.headersSent || sockets.has(req.raw)) going.push([req, reply])
      }
      const granted = [...new Set(going.flatMap(([{ grant }]) => grant ?? []))]
      for (let from = 0; from < granted.length; from += AT_ONCE) {
        const asked = granted.slice(from, from + AT_ONCE)
        const rights = await rightsNow(asked)
        const ended = new Set<unknown>(asked.filter(({ may }, i) => rights[i] !== may))
        if (ended.size > 0) for (const [req, reply] of going) if (ended.has(req.grant)) cut(req, reply)
      }
    },

    get size(): number {
      return open.size
    },
  }
}
