// Closes a connection whose request is answered before its body has arrived. The rest of the body is read and discarded
// for a while: a connection closed at once is reset, and a client that is still sending would never read the response.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

export type LingerLimits = { bytes: number; ms: number; atOnce: number }

/** Connections beyond `atOnce` close at once, as they would without this module. */
const LIMITS: LingerLimits = { bytes: 25_165_824, ms: 30_000, atOnce: 8 }

/** Pause after each chunk: limits a connection to about 6 MB per second. */
const PAUSE_MS = 10

export type LingeringClose = ReturnType<typeof lingeringClose>

export function lingeringClose({ bytes, ms, atOnce }: LingerLimits = LIMITS) {
  const sockets = new Set<Socket>()

  /** Call it before a response with `connection: close`. */
  function linger(req: IncomingMessage): void {
    const { socket } = req
    const canClose = typeof socket.destroySoon === 'function' // an injected request has none
    if (!canClose || req.complete || sockets.size >= atOnce || sockets.has(socket)) return
    const close = socket.destroySoon.bind(socket)
    let isAnswered = false
    // Node calls it when the response has been written.
    socket.destroySoon = () => {
      isAnswered = true
      if (req.complete) close()
      else socket.end()
    }
    const timer = setTimeout(() => socket.destroy(), ms).unref()
    let left = bytes
    req.on('data', (piece: Buffer) => {
      left -= piece.length
      if (left < 0) return socket.destroy()
      // At full speed, chunks would fill the memory before they are garbage-collected.
      req.pause()
      setTimeout(() => req.resume(), PAUSE_MS).unref()
    })
    req.once('end', () => isAnswered && close())
    sockets.add(socket)
    socket.once('close', () => {
      clearTimeout(timer)
      sockets.delete(socket)
    })
  }

  return {
    linger,
    /** For shutdown, which waits for no client. */
    end(): void {
      for (const socket of sockets) socket.destroy()
    },
    get size(): number {
      return sockets.size
    },
  }
}
