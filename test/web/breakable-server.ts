// A reverse proxy in front of the platform that can be stopped, restarted on its port, and "upgraded": it then serves
// another build of the page, whose old files are gone.
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { atEnd } from '../app.ts'

export type BreakableServer = {
  url: string
  stop(): Promise<void>
  start(): Promise<void>
  /** Serves another entry script. `areOldFilesGone`: requests for files of the old build get a 404. */
  upgrade(areOldFilesGone: boolean): void
  /** Closes all connections, as a restart does. */
  drop(): void
}

export async function breakableServer(target: string): Promise<BreakableServer> {
  const { hostname, port: targetPort } = new URL(target)
  const sockets = new Set<Socket>()
  let isUpgraded = false
  let isGone = false
  let port = 0
  let server: Server | undefined

  const make = () =>
    createServer((req, res) => {
      if (isGone && req.url?.startsWith('/assets/')) return void res.writeHead(404).end('{}')
      const isPage = req.headers.accept?.includes('text/html') === true
      const headers = { ...req.headers, ...(isPage ? { 'accept-encoding': 'identity' } : {}) }
      const asked = request(
        { host: hostname, port: targetPort, method: req.method, path: req.url, headers },
        (answer) => {
          if (!isPage || !isUpgraded) {
            res.writeHead(answer.statusCode ?? 502, answer.headers)
            return void answer.pipe(res)
          }
          const parts: Buffer[] = []
          answer.on('data', (part: Buffer) => parts.push(part))
          answer.on('end', () => {
            const { 'content-length': _length, ...rest } = answer.headers
            res.writeHead(answer.statusCode ?? 502, rest)
            res.end(
              Buffer.concat(parts)
                .toString('utf8')
                .replace(/(src="\/assets\/[^"]+\.js)"/, '$1?next"'),
            )
          })
        },
      )
      asked.on('error', () => res.destroy())
      res.on('close', () => asked.destroy())
      req.pipe(asked)
    }).on('connection', (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  const start = () =>
    new Promise<void>((resolve, reject) => {
      server = make().on('error', reject).listen(port, '127.0.0.1', resolve)
    })
  const stop = () =>
    new Promise<void>((resolve) => {
      server?.close(() => resolve())
      drop()
    })
  await start()
  const address = server?.address() as AddressInfo | null | undefined
  port = address?.port ?? 0
  atEnd(() => stop().catch(() => {}))
  return {
    url: `http://127.0.0.1:${port}`,
    stop,
    start,
    drop,
    upgrade(areOldFilesGone) {
      isUpgraded = true
      isGone = areOldFilesGone
    },
  }
}
