// A proxy in front of a real object store that disturbs requests. Signatures stay valid because the Host header is
// passed through unchanged.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './endings.ts'

type Headers = Record<string, string | string[] | undefined>
export type FaultyAnswer = {
  /** Forwards to the store, and its response back. */
  pass(body: Buffer, change?: (headers: Headers) => Headers): void
  fail(status: number, code?: string): void
  /** Responds 200 with these bytes, whatever was requested. */
  send(body: Buffer, headers: Record<string, string>): void
  /** Sends the start of the store's response and then nothing more. */
  stall(bytes: number): void
  /** Sends the start of the store's response and closes the connection. */
  cut(bytes?: number): void
}
export type Fault = (req: IncomingMessage, body: Buffer, answer: FaultyAnswer) => void

export type FaultProxy = {
  endpoint: string
  /** May be replaced at any time. */
  fault: Fault
  /** Resolves with the next request that its client aborts. */
  nextAbort(): Promise<void>
  close(): void
}

export const noFault: Fault = (_req, body, { pass }) => pass(body)

export async function faultProxy(target: string, fault: Fault = noFault): Promise<FaultProxy> {
  let aborted = Promise.withResolvers<void>()
  const server = createServer(async (req, res) => {
    const body = Buffer.concat(await req.toArray().catch(() => []))
    res.once('close', () => {
      if (!res.writableFinished) aborted.resolve()
    })
    const forward = (more: Omit<Forwarded, 'target'>) => forwarded(req, res, { target, ...more })
    proxy.fault(req, body, {
      pass: (sent, change) => forward({ sent, change }),
      fail: (status, code = 'InternalError') =>
        void res.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`),
      send: (bytes, headers) => void res.writeHead(200, headers).end(bytes),
      stall: (bytes) => forward({ sent: body, most: bytes }),
      cut: (bytes) => (bytes === undefined ? void res.destroy() : forward({ sent: body, most: bytes, isCut: true })),
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: FaultProxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault,
    nextAbort() {
      aborted = Promise.withResolvers<void>()
      return aborted.promise
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  atEnd(() => proxy.close())
  return proxy
}

type Forwarded = {
  target: string
  sent: Buffer
  change?: ((headers: Headers) => Headers) | undefined
  most?: number
  isCut?: boolean
}

function forwarded(req: IncomingMessage, res: ServerResponse, { target, sent, change, most, isCut }: Forwarded): void {
  const { hostname: host, port } = new URL(target)
  const { method = 'GET', url: path = '/', headers } = req
  const asked = request({ host, port, method, path, headers }, (answer) => {
    res.writeHead(answer.statusCode ?? 500, change ? change(answer.headers) : answer.headers)
    if (most === undefined) return void answer.pipe(res)
    void answer.toArray().then((chunks) => {
      res.write(Buffer.concat(chunks).subarray(0, most), () => {
        if (isCut) res.destroy()
      })
    })
  })
  asked.once('error', () => res.destroy())
  asked.end(sent)
}
