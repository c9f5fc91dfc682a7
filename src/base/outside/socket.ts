// WebSockets to external servers: without compression or redirects, and with a size limit per message.
import type { Socket } from 'node:net'
import WebSocket from 'ws'

export type SocketOptions = {
  headers: Record<string, string>
  /** Per message. */
  maxBytes: number
  /** A connection to an address that was already checked; without it, a new one to the URL's address. */
  connection?: Socket | undefined
}

export const openWebSocket = (url: string, { headers, maxBytes, connection }: SocketOptions): WebSocket =>
  new WebSocket(url, {
    ...(connection ? { createConnection: () => connection } : {}),
    headers,
    perMessageDeflate: false,
    followRedirects: false,
    maxPayload: maxBytes,
  })
