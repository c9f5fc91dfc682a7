// Two kinds of peer for tests of the SIP stack: a stack that records its events, and a raw socket.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { newCallId, newRequest, newTag } from '../src/sip/message/build.ts'
import type { Flow, Hop, SipMessage, SipRequest, SipResponse, TransportName } from '../src/sip/message/message.ts'
import { parseMessage } from '../src/sip/message/parse.ts'
import { serialize } from '../src/sip/message/serialize.ts'
import {
  type ClientTransaction,
  openStack,
  type ServerTransaction,
  type SipStack,
  type StackOptions,
  type TraceEvent,
} from '../src/sip/stack.ts'
import { until } from './until.ts'

/** RFC 3261 timers divided by 50: a transaction without a response times out after 0.64 s. */
export const short = { t1: 10, t2: 80, t4: 100 }

export type End = {
  stack: SipStack
  requests: ServerTransaction[]
  strays: SipResponse[]
  garbage: string[]
  faults: unknown[]
  trace: (TraceEvent & { atMs: number })[]
  hop(transport?: TransportName, serverName?: string): Hop
}

/** A stack on free loopback ports, closed with the test. `answer` is called for every request. */
export async function openEnd(
  t: TestContext,
  options: Partial<StackOptions> & { answer?: (transaction: ServerTransaction) => void } = {},
): Promise<End> {
  const { answer, ...more } = options
  const heard = { requests: [], strays: [], garbage: [], faults: [], trace: [] } as Omit<End, 'stack' | 'hop'>
  const stack = await openStack({
    listeners: [{ transport: 'udp', host: '127.0.0.1', port: 0 }],
    timers: short,
    onStrayResponse: (response) => heard.strays.push(response),
    onGarbage: (_flow, problem) => heard.garbage.push(problem),
    onFault: (error) => heard.faults.push(error),
    trace: (event) => heard.trace.push({ ...event, atMs: performance.now() }),
    ...more,
    onRequest: (transaction) => {
      heard.requests.push(transaction)
      answer?.(transaction)
    },
  })
  t.after(() => stack.close())
  const hop = (transport: TransportName = 'udp', serverName?: string): Hop => {
    const listener = stack.listeners.find((one) => one.transport === transport)
    if (!listener) throw new Error(`no ${transport} listener`)
    return { transport, address: listener.host, port: listener.port, ...(serverName ? { serverName } : {}) }
  }
  return { stack, ...heard, hop }
}

export const newCall = (method = 'INVITE', headers: Record<string, string> = {}, content?: string): SipRequest =>
  newRequest({
    method,
    uri: 'sip:bob@example.test',
    from: `<sip:alice@example.test>;tag=${newTag()}`,
    to: '<sip:bob@example.test>',
    callId: newCallId(),
    cseq: 1,
    headers: { contact: '<sip:alice@127.0.0.1>', ...headers },
    ...(content === undefined ? {} : { body: { type: 'text/plain', content } }),
  })

export type Asked = {
  transaction: ClientTransaction
  responses: SipResponse[]
  flows: Flow[]
  statuses(): number[]
  failure(): string | undefined
  /** Resolves with the first final response. */
  final(boundMs?: number): Promise<SipResponse>
  /** Resolves with the reason why there will be none. */
  failed(boundMs?: number): Promise<string>
}

export function ask(stack: SipStack, request: SipRequest, to: Hop | Flow): Asked {
  const responses: SipResponse[] = []
  const flows: Flow[] = []
  let failure: string | undefined
  const transaction = stack.request(request, to, {
    onResponse(response, flow) {
      responses.push(response)
      flows.push(flow)
    },
    onFailure(why, detail) {
      failure = `${why}: ${detail}`
    },
  })
  return {
    transaction,
    responses,
    flows,
    statuses: () => responses.map(({ status }) => status),
    failure: () => failure,
    final: (boundMs) =>
      until(`a final response to ${request.method}`, () => responses.find(({ status }) => status >= 200), boundMs),
    failed: (boundMs) => until(`the failure of ${request.method}`, () => failure, boundMs),
  }
}

export type Arrival = { atMs: number; message: SipMessage; bytes: Buffer; from: { address: string; port: number } }

export type Peer = {
  port: number
  hop: Hop
  arrivals: Arrival[]
  requests(method: string): (Arrival & { message: SipRequest })[]
  responses(status: number): (Arrival & { message: SipResponse })[]
  send(what: SipMessage | string | Buffer, to: { port: number }): void
}

/** A UDP socket without a stack behind it. */
export async function openPeer(t: TestContext, hear?: (arrival: Arrival, peer: Peer) => void): Promise<Peer> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => new Promise<void>((done) => socket.close(done)))
  const { port } = socket.address()
  const arrivals: Arrival[] = []
  const peer: Peer = {
    port,
    hop: { transport: 'udp', address: '127.0.0.1', port },
    arrivals,
    requests: (method) =>
      arrivals.filter(
        (one): one is Arrival & { message: SipRequest } =>
          one.message.kind === 'request' && one.message.method === method,
      ),
    responses: (status) =>
      arrivals.filter(
        (one): one is Arrival & { message: SipResponse } =>
          one.message.kind === 'response' && one.message.status === status,
      ),
    send: (what, to) =>
      socket.send(typeof what === 'string' || Buffer.isBuffer(what) ? what : serialize(what), to.port, '127.0.0.1'),
  }
  socket.on('message', (bytes, { address, port: from }) => {
    const result = parseMessage(bytes)
    if ('problem' in result) throw new Error(`what the stack sent cannot be read: ${result.problem}`)
    const arrival = { atMs: performance.now(), message: result.message, bytes, from: { address, port: from } }
    arrivals.push(arrival)
    hear?.(arrival, peer)
  })
  return peer
}

/**
 * Freezes the timers and the clock of this process except for `pass`: retransmissions do not depend on how busy the
 * machine is.
 */
export function virtualTimers(t: TestContext) {
  let nowMs = Math.ceil(performance.now()) // in whole milliseconds, like the timers
  t.mock.method(performance, 'now', () => nowMs)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  return {
    pass(ms: number): void {
      for (let i = 0; i < ms; i++) {
        nowMs++
        t.mock.timers.tick(1)
      }
    },
  }
}

/** Asserts when these messages were sent, in multiples of T1 from the first; with virtual timers. */
export function sentAt({ trace }: End, kind: string | number, t1: number, expected: readonly number[]): void {
  const isThat = ({ direction, message }: TraceEvent) =>
    direction === 'out' && (message.kind === 'request' ? message.method : message.status) === kind
  const times = trace.filter(isThat).map(({ atMs }) => atMs)
  const offsets = times.map((atMs) => Math.round(atMs - (times[0] ?? 0)) / t1)
  assert.deepEqual(offsets, expected)
}

/** A self-signed certificate for these names. */
export function selfSigned(t: TestContext, names = 'DNS:sip.test,IP:127.0.0.1'): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'sip-cert-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=sip.test', '-addext', `subjectAltName=${names}`]
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', [...kind, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
}

/** Waits until no transactions are left. */
export const settled = (...stacks: SipStack[]): Promise<boolean> =>
  until('no transaction is left', () => stacks.every(({ transactions }) => transactions === 0))
