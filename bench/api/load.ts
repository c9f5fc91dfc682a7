// Load generator: a closed loop over raw sockets, where each socket sends its next request after the previous response.
// It runs in its own process, so that the server under test has a core to itself. Jobs and results go over IPC.
import { connect, type Socket } from 'node:net'
import { pathToFileURL } from 'node:url'
import { type Figure, percentile } from '../report/figures.ts'
import { AnswerReader } from './answer-reader.ts'

export type Request = { method: 'GET' | 'POST'; path: string; key: string; body?: string }

export type Job = {
  port: number
  seconds: number
  connections: number
  /** Sent in turn, repeatedly. */
  requests: Request[]
  expect: number
}

export type Result = {
  answers: number
  /** From the first request to the last response. */
  seconds: number
  p50Ms: Figure
  p99Ms: Figure
  /** The share of a core that the load generator used: near 1, the client was the bottleneck. */
  clientShare: number
}

export type Reply = { result: Result } | { failure: string }

export function wire({ method, path, key, body }: Request): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', 'accept: application/json', `x-api-key: ${key}`]
  if (body !== undefined) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}

export const SILENCE_MS = 30_000

async function run(job: Job): Promise<Result> {
  const requests = job.requests.map(wire)
  const took: number[] = []
  let sent = 0
  let deadline = 0
  const next = () => (performance.now() < deadline ? requests[sent++ % requests.length] : undefined)

  const sockets = await Promise.all(Array.from({ length: job.connections }, () => open(job.port)))
  const cpu = process.cpuUsage()
  const start = performance.now()
  deadline = start + job.seconds * 1000
  await Promise.all(sockets.map((socket) => drive(socket, job.expect, next, took)))
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return {
    answers: took.length,
    seconds,
    p50Ms: percentile(took, 0.5),
    p99Ms: percentile(took, 0.99),
    clientShare: (user + system) / 1e6 / seconds,
  }
}

type Ears = { read(bytes: Buffer, end: number): void; fail(error: Error): void }
type Open = { socket: Socket; ears: Ears }

function open(port: number): Promise<Open> {
  return new Promise((resolve, reject) => {
    const ears: Ears = { read: () => {}, fail: reject }
    const buffer = Buffer.allocUnsafe(65_536)
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer,
        callback: (length) => {
          ears.read(buffer, length)
          return true
        },
      },
    })
    socket.once('connect', () => resolve({ socket, ears }))
    socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error(`No answer in ${SILENCE_MS} ms`)))
    socket.once('error', (error) => ears.fail(error))
    socket.once('close', () => ears.fail(new Error('The server closed a connection')))
  })
}

/** Sends requests one at a time until `next` returns none. */
function drive({ socket, ears }: Open, expect: number, next: () => Buffer | undefined, took: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let began = 0
    const step = () => {
      const request = next()
      if (!request) {
        ears.fail = () => {}
        socket.destroy()
        return resolve()
      }
      began = performance.now()
      socket.write(request)
    }
    const reader = new AnswerReader((status) => {
      took.push(performance.now() - began)
      if (status === expect) step()
      else socket.destroy(new Error(`Answered ${status}, not ${expect}`))
    })
    ears.read = (bytes, end) => reader.read(bytes, end)
    ears.fail = reject
    step()
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.on('message', (job: Job) => {
    run(job).then(
      (result) => process.send?.({ result } satisfies Reply),
      (error: Error) => process.send?.({ failure: error.message } satisfies Reply),
    )
  })
  process.on('disconnect', () => process.exit(0))
}
