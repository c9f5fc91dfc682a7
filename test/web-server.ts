// A plain web server on loopback for tests of outbound requests: responds as configured and records the requests.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

export type WebRequest = {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
  serverName?: string
}
export type WebHandler = (asked: WebRequest, response: ServerResponse) => unknown

export async function openWebServer(
  t: { after(ending: () => unknown): void },
  handle: WebHandler,
  tls?: { cert: string; key: string },
) {
  const asked: WebRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const { method = '', url = '', headers } = request
    const body = Buffer.concat(pieces).toString('utf8')
    const { servername } = request.socket as Partial<TLSSocket>
    const one = { method, url, headers, body, ...(servername ? { serverName: servername } : {}) }
    asked.push(one)
    await handle(one, response)
  }
  const server = tls ? createTlsServer(tls, answer) : createServer(answer)
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((done) => server.close(done))
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    asked,
    /** Number of connections ever opened, and of those that are open. */
    connections: () => connections,
    open: () => sockets.size,
  }
}

export const sendJson = (response: ServerResponse, value: unknown, status = 200, headers = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
