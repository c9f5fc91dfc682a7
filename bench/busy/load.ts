// Load on a fixed schedule: requests are sent when they are due, even if earlier ones are still pending, and latency
// counts from the due time. Recordings are downloaded in ranges at the same time. Runs in its own process; jobs and
// results go over IPC.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { AnswerReader } from '../api/answer-reader.ts'
import { type Request, wire } from '../api/load.ts'

export type Job = {
  port: number
  seconds: number
  perSecond: number
  /** Sent in turn, repeatedly. */
  requests: (Request & { expect: number })[]
  downloads: Download[]
}
export type Download = { path: string; key: string; bytes: number; bytesPerSecond: number }
export type Result = {
  tookMs: number[]
  failed: number
  ranges: number
  rangesFailed: number
  downloadedBytes: number
  seconds: number
  /** The share of a core used by this process. */
  clientShare: number
}
export type Reply = { result: Result } | { failure: string }

const CONNECTIONS = 64
const RANGE_BYTES = 262_144
const SILENCE_MS = 10_000

/** Sends one request at a time; resolves with the status, or with null if the connection broke. */
class Connection {
  readonly #port: number
  #socket: Socket | null = null
  #settle: (status: number | null) => void = () => {}

  constructor(port: number) {
    this.#port = port
  }

  send(bytes: Buffer): Promise<number | null> {
    return new Promise((resolve) => {
      this.#settle = resolve
      this.#socket ??= this.#open()
      this.#socket.write(bytes)
    })
  }

  close(): void {
    this.#socket?.destroy()
  }

  #open(): Socket {
    const reader = new AnswerReader((status) => this.#settle(status))
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    const end = () => {
      this.#socket = null
      this.#settle(null)
    }
    socket.on('data', (bytes) => reader.read(bytes, bytes.length))
    socket.setTimeout(SILENCE_MS, () => socket.destroy())
    socket.once('error', end)
    socket.once('close', end)
    return socket
  }
}

async function requests({ port, seconds, perSecond, requests: all }: Job): Promise<Pick<Result, 'tookMs' | 'failed'>> {
  const wires = all.map((request) => ({ bytes: wire(request), expect: request.expect }))
  const free = Array.from({ length: CONNECTIONS }, () => new Connection(port))
  const opened = [...free]
  const waiting: ((connection: Connection) => void)[] = []
  const tookMs: number[] = []
  let failed = 0
  const send = async (dueMs: number, i: number) => {
    const connection = free.pop() ?? (await new Promise<Connection>((resolve) => waiting.push(resolve)))
    const { bytes, expect } = wires[i % wires.length] as (typeof wires)[number]
    if ((await connection.send(bytes)) === expect) tookMs.push(performance.now() - dueMs)
    else failed++
    const next = waiting.shift()
    if (next) next(connection)
    else free.push(connection)
  }
  const sent: Promise<void>[] = []
  const startMs = performance.now()
  for (let i = 0; i < seconds * perSecond; i++) {
    const dueMs = startMs + (i * 1000) / perSecond
    const leftMs = dueMs - performance.now()
    if (leftMs > 0) await sleep(leftMs)
    sent.push(send(dueMs, i))
  }
  await Promise.all(sent)
  for (const connection of opened) connection.close()
  return { tookMs, failed }
}

/** Downloads one recording from start to end, again and again, until the time is up. */
async function download(port: number, { path, key, bytes, bytesPerSecond }: Download, untilMs: number) {
  const connection = new Connection(port)
  const done = { ranges: 0, rangesFailed: 0, downloadedBytes: 0 }
  const startMs = performance.now()
  for (let from = 0; performance.now() < untilMs; ) {
    const to = Math.min(bytes, from + RANGE_BYTES)
    const head = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${key}\r\nrange: bytes=${from}-${to - 1}\r\n\r\n`
    if ((await connection.send(Buffer.from(head))) === 206) done.downloadedBytes += to - from
    else done.rangesFailed++
    done.ranges++
    from = to === bytes ? 0 : to
    const dueMs = startMs + (done.ranges * RANGE_BYTES * 1000) / bytesPerSecond
    await sleep(Math.max(0, dueMs - performance.now()))
  }
  connection.close()
  return done
}

async function run(job: Job): Promise<Result> {
  const cpu = process.cpuUsage()
  const startMs = performance.now()
  const untilMs = startMs + job.seconds * 1000
  const downloading = Promise.all(job.downloads.map((one) => download(job.port, one, untilMs)))
  const [{ tookMs, failed }, downloads] = await Promise.all([requests(job), downloading])
  const seconds = (performance.now() - startMs) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const sum = (of: (one: (typeof downloads)[number]) => number) => downloads.reduce((total, one) => total + of(one), 0)
  return {
    tookMs,
    failed,
    seconds,
    clientShare: (user + system) / 1e6 / seconds,
    ranges: sum((one) => one.ranges),
    rangesFailed: sum((one) => one.rangesFailed),
    downloadedBytes: sum((one) => one.downloadedBytes),
  }
}

process.on('message', (job: Job) => {
  run(job).then(
    (result) => process.send?.({ result } satisfies Reply),
    (error: Error) => process.send?.({ failure: error.message } satisfies Reply),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
