// A proxy in front of a vendor's protocol server, over real sockets: switched at runtime, it fails as networks and
// vendors do, including in the middle of a response.
import { createServer, type IncomingMessage, request as requestTo, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export const outages = ['refuse', 'silence', '401', '429', 'garbage', 'reset', 'stall', 'slow'] as const
/**
 * refuse: the port is closed and open connections break. silence: accepted, never answered. 401, 429: from the next
 * request on. garbage: not the protocol. reset: a response begins, then RST. stall: it begins, then nothing. slow: late
 * but correct.
 */
export type Outage = (typeof outages)[number]

export type FaultOptions = {
  /** Limits how fast bodies and frames reach the client, like a voice that is synthesized while it plays. */
  bytesPerSecond?: number
  /** Delay of the first byte while `slow`. */
  slowMs?: number
  /** Retry-After of a 429, in seconds. */
  retryAfter?: string
}

export type FaultProxy = Awaited<ReturnType<typeof startFaults>>

/** A request or WebSocket in progress. */
type Exchange = { socket: Socket; isFrozen: boolean; isSocket: boolean; stopUpstream(): void }

const PAGE = '<html>A page of some proxy</html>'
/** Reserved bits and a reserved opcode: not a valid WebSocket frame, chunk or status line. */
const NOISE = Buffer.from([0xff, 0xfe, 0xfd, 0xfc, 0x0a, 0xff, 0xff])
const SLICE_MS = 20
const HEAD_END = Buffer.from('\r\n\r\n')

export async function startFaults(upstream: { port: number }, options: FaultOptions = {}) {
  const { bytesPerSecond = Number.POSITIVE_INFINITY, slowMs = 1000, retryAfter = '20' } = options
  const sockets = new Set<Socket>()
  const exchanges = new Set<Exchange>()
  /** When each request arrived, and the outage that applied to it. */
  const requests: { atMs: number; url: string; outage: Outage | null }[] = []
  let outage: Outage | null = null

  function begin(socket: Socket, isSocket: boolean, stopUpstream: () => void): Exchange {
    const exchange = { socket, isFrozen: false, isSocket, stopUpstream }
    exchanges.add(exchange)
    return exchange
  }
  function end(exchange: Exchange): void {
    exchanges.delete(exchange)
    exchange.stopUpstream()
  }
  function freeze(exchange: Exchange): void {
    exchange.isFrozen = true
    exchange.stopUpstream()
  }

  /** Forwards the vendor's response; `stall` and `reset` let half of its first piece through. */
  async function forward(
    from: AsyncIterable<Buffer>,
    exchange: Exchange,
    write: (piece: Buffer) => void,
  ): Promise<void> {
    const cut = outage === 'stall' || outage === 'reset' ? outage : null
    if (outage === 'slow') await delay(slowMs)
    const size = Math.max(1, Math.floor((bytesPerSecond * SLICE_MS) / 1000))
    for await (const bytes of from) {
      let rest = bytes
      if (cut) {
        write(rest.subarray(0, rest.length >> 1))
        if (cut === 'stall') return freeze(exchange)
        await delay(SLICE_MS) // lets the data leave this process
        return void exchange.socket.resetAndDestroy()
      }
      while (rest.length > 0) {
        if (exchange.isFrozen || exchange.socket.destroyed) return
        write(rest.subarray(0, size))
        rest = rest.subarray(size)
        if (Number.isFinite(bytesPerSecond)) await delay(SLICE_MS)
      }
    }
  }

  function relay(request: IncomingMessage, response: ServerResponse): void {
    const { method, url: path, headers } = request
    const onward = requestTo({ host: '127.0.0.1', port: upstream.port, method, path, headers })
    const exchange = begin(request.socket, false, () => onward.destroy())
    response.once('close', () => end(exchange))
    onward.on('error', () => exchange.isFrozen || response.destroy())
    onward.on('response', async (reply) => {
      reply.on('error', () => {})
      if (exchange.isFrozen) return
      response.writeHead(reply.statusCode ?? 502, reply.headers)
      response.flushHeaders()
      await forward(reply, exchange, (piece) => response.write(piece)).catch(
        () => exchange.isFrozen || response.destroy(),
      )
      if (!exchange.isFrozen && !response.destroyed) response.end()
    })
    request.pipe(onward)
  }

  const http = createServer((request, response) => {
    requests.push({ atMs: performance.now(), url: request.url ?? '', outage })
    if (outage === null || outage === 'slow' || outage === 'stall' || outage === 'reset')
      return relay(request, response)
    request.resume()
    const exchange = begin(request.socket, false, () => {})
    response.once('close', () => end(exchange))
    if (outage === 'garbage') response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
    else if (outage === '401' || outage === '429')
      response.writeHead(Number(outage), refusalHeaders(outage, retryAfter)).end(refusalBody(outage))
  })
  http.keepAliveTimeout = 60_000
  http.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })

  http.on('upgrade', (request, socket: Socket, head: Buffer) => {
    requests.push({ atMs: performance.now(), url: request.url ?? '', outage })
    if (outage === 'garbage') return void socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${PAGE.length}\r\n\r\n${PAGE}`)
    if (outage === '401' || outage === '429') return void socket.end(rawRefusal(outage, retryAfter))
    const isSilent = outage === 'silence'
    const vendor = isSilent ? null : connect(upstream.port, '127.0.0.1')
    const exchange = begin(socket, true, () => vendor?.destroy())
    socket.once('close', () => end(exchange))
    if (!vendor) return void socket.resume()
    vendor.on('error', () => exchange.isFrozen || socket.destroy())
    vendor.write(rawHead(request))
    vendor.write(head)
    socket.on('data', (bytes) => exchange.isFrozen || vendor.write(bytes))
    void forward(afterHead(vendor, socket), exchange, (piece) => socket.write(piece))
      .then(() => exchange.isFrozen || socket.end())
      .catch(() => exchange.isFrozen || socket.destroy())
  })

  const listen = (port: number) => new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve))
  const close = () => {
    const closed = new Promise((resolve) => http.close(resolve))
    for (const socket of sockets) socket.resetAndDestroy()
    return closed
  }
  await listen(0)
  const { port } = http.address() as AddressInfo

  /** Applies a fault to exchanges in progress; status codes and slowness leave them alone. */
  function strike(kind: Outage): void {
    for (const exchange of exchanges) {
      const { socket } = exchange
      if (kind === 'reset') socket.resetAndDestroy()
      else if (kind === 'silence' || kind === 'stall') freeze(exchange)
      else if (kind === 'garbage') {
        freeze(exchange)
        socket.end(NOISE)
      }
    }
  }

  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    outage: () => outage,
    /** Requests and WebSockets that the vendor is still serving through this proxy. */
    busy: () => [...exchanges].filter(({ isFrozen }) => !isFrozen).length,
    /**
     * Sets the fault, also for exchanges in progress; null: new connections work again, those that were cut stay cut.
     */
    async set(kind: Outage | null): Promise<void> {
      const wasClosed = outage === 'refuse'
      outage = kind
      if (kind === 'refuse') return wasClosed ? undefined : void (await close())
      if (wasClosed) await listen(port)
      if (kind) strike(kind)
    },
    async stop(): Promise<void> {
      if (outage !== 'refuse') await close()
    },
  }
}

const refusalHeaders = (outage: '401' | '429', retryAfter: string) => ({
  'content-type': 'application/json',
  ...(outage === '429' ? { 'retry-after': retryAfter } : {}),
})
const refusalBody = (outage: '401' | '429') =>
  JSON.stringify({ error: { message: outage === '401' ? 'Incorrect API key provided' : 'Rate limit reached' } })

function rawRefusal(outage: '401' | '429', retryAfter: string): string {
  const headers = Object.entries(refusalHeaders(outage, retryAfter)).map(([name, value]) => `${name}: ${value}\r\n`)
  const body = refusalBody(outage)
  return `HTTP/1.1 ${outage} Refused\r\n${headers.join('')}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`
}

function rawHead({ method, url, rawHeaders }: IncomingMessage): string {
  let text = `${method} ${url} HTTP/1.1\r\n`
  for (let i = 0; i < rawHeaders.length; i += 2) text += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`
  return `${text}\r\n`
}

/** Forwards the response to the upgrade unchanged, and yields everything after it. */
async function* afterHead(vendor: Socket, client: Socket): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0)
  for await (const bytes of vendor) {
    if (head === null) {
      yield bytes as Buffer
      continue
    }
    head = Buffer.concat([head, bytes as Buffer])
    const end = head.indexOf(HEAD_END)
    if (end < 0) continue
    client.write(head.subarray(0, end + HEAD_END.length))
    const rest: Buffer = head.subarray(end + HEAD_END.length)
    head = null
    if (rest.length > 0) yield rest
  }
}
