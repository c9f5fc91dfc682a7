// Shared by the vendors' protocol servers: a listening socket, switchable faults, and a request log.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { spelledTone } from './spelled-tone.ts'

export type Fault =
  | 'drip' // in small chunks, with pauses
  | 'stall' // the first chunk, then silence
  | 'silent' // no response at all
  | 'unauthorized'
  | 'throttled'
  | 'broken' // a 500
  | 'reset' // the connection breaks halfway
  | 'reset-at-once' // the connection breaks before any response
  | 'wrong' // content that is not audio, with status 200
  | 'mislabelled' // a file, with the content type of raw audio
  | 'empty'
  | 'cut' // a fifth of the audio, ended properly
  | 'page' // a proxy's HTML page, with the content type of raw audio

export const KEY = 'test-key-3f9a7c51e0'

export type Asked = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

export type VendorServer = Awaited<ReturnType<typeof startVendor>>

export type Routes = {
  /** Responds; returns false if the path does not exist. */
  http(asked: Asked, response: ServerResponse, server: Hooks): Promise<boolean>
  socket?(asked: Asked, socket: WebSocket, server: Hooks): void
  isAllowed(asked: Asked): boolean
}

export type Hooks = {
  /** The fault for this request; each call uses up one. */
  nextFault(): Fault | null
  /** WebSocket frames as sent and received. */
  frames: { from: 'client' | 'server'; text: string }[]
}

export async function startVendor(routes: Routes) {
  const asked: Asked[] = []
  const sockets = new Set<Socket>()
  let fault: Fault | null = null
  let left = 0
  let connections = 0
  let busy = 0
  const hooks: Hooks = {
    frames: [],
    nextFault() {
      if (left === 0) return null
      left--
      return fault
    },
  }
  const http = createServer(async (request, response) => {
    busy++
    response.once('close', () => busy--)
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const one = askedOf(request, Buffer.concat(pieces).toString('latin1'))
    asked.push(one)
    if (!routes.isAllowed(one)) return refuse(response, 401)
    if (!(await routes.http(one, response, hooks))) refuse(response, 404)
  })
  http.keepAliveTimeout = 60_000
  http.on('connection', (socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  const upgrades = new WebSocketServer({ noServer: true })
  http.on('upgrade', (request, socket, head) => {
    const one = askedOf(request, '')
    asked.push(one)
    const status = !routes.isAllowed(one) ? 401 : statusOfFault(left > 0 ? fault : null)
    if (status !== null || !routes.socket) {
      if (status !== 401 || left > 0) hooks.nextFault()
      socket.end(`HTTP/1.1 ${status ?? 404} Refused\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`)
      return
    }
    if (left > 0 && fault === 'reset-at-once') {
      hooks.nextFault()
      socket.destroy()
      return
    }
    upgrades.handleUpgrade(request, socket, head, (webSocket) => {
      busy++
      webSocket.once('close', () => busy--)
      webSocket.on('message', (data, isBinary) => {
        hooks.frames.push({ from: 'client', text: isBinary ? `<${(data as Buffer).length} bytes>` : data.toString() })
      })
      routes.socket?.(one, webSocket, hooks)
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    asked,
    frames: hooks.frames,
    /** Number of connections ever opened. */
    connections: () => connections,
    /** Number of responses in progress; 0 once clients have disconnected, whether or not everything was sent. */
    busy: () => busy,
    fail(kind: Fault, times = Number.POSITIVE_INFINITY) {
      fault = kind
      left = times
      asked.length = 0
      hooks.frames.length = 0
    },
    heal() {
      left = 0
      asked.length = 0
      hooks.frames.length = 0
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

const askedOf = (request: IncomingMessage, body: string): Asked => ({
  method: request.method ?? '',
  url: request.url ?? '',
  headers: request.headers,
  body,
})

export const statusOfFault = (fault: Fault | null): number | null =>
  ({ unauthorized: 401, throttled: 429, broken: 500 })[fault as string] ?? null

/** Repeats the key in the response on purpose: a driver must not pass it on. */
function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message: `status ${status} for ${KEY}` } }))
}

/** Audio of a known length and shape: 40 ms per letter, each with its own tone. */
export const toneOf = (text: string, rateHz = 24_000): Int16Array => spelledTone(text, rateHz)

export const bytesOf = (pcm: Int16Array): Buffer => Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength)

const PIECE = 3_001 // odd, so that chunks split samples

export function piecesOf(pcm: Int16Array, size = PIECE): Buffer[] {
  const bytes = bytesOf(pcm)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
  return pieces
}

/** Sends audio over HTTP with the current fault. */
export async function sendAudio(response: ServerResponse, pcm: Int16Array, fault: Fault | null, type: string) {
  const status = statusOfFault(fault)
  if (status !== null) return refuse(response, status)
  if (fault === 'silent') return
  if (fault === 'reset-at-once') return void response.destroy()
  if (fault === 'wrong') {
    response.writeHead(200, { 'content-type': 'text/html' })
    return void response.end('<html>A page of some proxy</html>')
  }
  response.writeHead(200, { 'content-type': type, 'transfer-encoding': 'chunked' })
  if (fault === 'empty') return void response.end()
  if (fault === 'mislabelled') return void response.end(Buffer.from('RIFF....WAVEfmt and so on'))
  if (fault === 'page') return void response.end('<html><body>502 Bad Gateway</body></html>')
  const pieces = piecesOf(fault === 'cut' ? pcm.subarray(0, pcm.length / 5) : pcm)
  for (const [i, piece] of pieces.entries()) {
    if (response.destroyed) return
    response.write(piece)
    if (fault === 'drip') await delay(35)
    if (fault === 'stall') return
    if (fault === 'reset' && i >= pieces.length / 2) {
      await delay(20) // lets the data leave this process
      return void response.destroy()
    }
  }
  response.end()
}

/**
 * The same over a WebSocket, where `frame` wraps a chunk (whole samples) as the vendor does, and `end` signals
 * completion.
 */
export async function sendFrames(
  socket: WebSocket,
  pcm: Int16Array,
  fault: Fault | null,
  frame: (piece: Buffer, index: number) => string | Buffer,
  end: () => void,
  hooks: Hooks,
) {
  const send = (data: string | Buffer) => {
    hooks.frames.push({ from: 'server', text: typeof data === 'string' ? data : `<${data.length} bytes>` })
    socket.send(data)
  }
  if (fault === 'silent') return
  if (fault === 'empty') return end()
  if (fault === 'wrong' || fault === 'mislabelled') return send('<html>A page of some proxy</html>')
  const pieces = piecesOf(pcm, 3_000)
  for (const [i, piece] of pieces.entries()) {
    if (socket.readyState !== socket.OPEN) return
    send(frame(piece, i))
    if (fault === 'drip') await delay(35)
    if (fault === 'stall') return
    if (fault === 'reset' && i >= pieces.length / 2) {
      await delay(20)
      return socket.terminate()
    }
  }
  end()
}
