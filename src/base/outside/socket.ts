// WebSockets to servers outside: without compression and redirects, each message bounded.
import type { Socket } from 'node:net'
import WebSocket from 'ws'

export type SocketOptions = {
  headers: Record<string, string>
  /** Of one message. */
  maxBytes: number
  /** To an address that was checked; absent: a new one to the address of the URL. */
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
