// User agents for call tests: one that records its events, and a hand-written SIP peer.
import type { TestContext } from 'node:test'
import type { CallEnding, CallHandlers, InboundCall, OutboundCall, UserAgent } from '../src/sip/dialog/call.ts'
import { newCallId, newRequest, newTag, responseTo } from '../src/sip/message/build.ts'
import type { SipMessage, SipRequest, SipResponse, TransportName } from '../src/sip/message/message.ts'
import type { ServerTransaction, SipStack, TraceEvent } from '../src/sip/stack.ts'
import { createResolver } from '../src/sip/transport/resolver.ts'
import { createUserAgent, type UserAgentOptions } from '../src/sip/user-agent.ts'
import { type Arrival, openPeer, type Peer } from './sip-ends.ts'
import { until } from './until.ts'

/** RFC 3261 timers divided by 20: a message without an ACK times out after 1.6 s. */
export const short = { t1: 25, t2: 200, t4: 100 }

/** Not a valid SDP: user agents do not parse it. */
export const sdp = (name: string): string => `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=${name}\r\n`

export type Agent = {
  ua: UserAgent & { stack: SipStack }
  calls: InboundCall[]
  requests: ServerTransaction[]
  trace: TraceEvent[]
  faults: unknown[]
  /** The agent's address on one of its listeners. */
  uri(transport?: TransportName): string
  /** Messages sent and received, as `out INVITE` and `in 200`. */
  ladder(): string[]
  /** Messages without retransmissions. */
  sent(what: string | number): SipMessage[]
  got(what: string | number): SipMessage[]
}

/** Closed with the test; no call and no dialog may then be left. */
export async function openAgent(t: TestContext, options: Partial<UserAgentOptions> = {}): Promise<Agent> {
  const heard = { calls: [], requests: [], trace: [], faults: [] } as Pick<
    Agent,
    'calls' | 'requests' | 'trace' | 'faults'
  >
  const ua = await createUserAgent({
    listeners: [{ transport: 'udp', host: '127.0.0.1', port: 0 }],
    timers: short,
    resolver: createResolver(),
    userAgentName: 'Ramal test',
    trace: (event) => heard.trace.push(event),
    onFault: (error) => heard.faults.push(error),
    farewellMs: 200,
    ...options,
    onInvite: (call) => {
      heard.calls.push(call)
      options.onInvite?.(call)
    },
    onRequest: (transaction) => {
      heard.requests.push(transaction)
      options.onRequest?.(transaction)
    },
  })
  t.after(() => ua.close())
  const nameOf = (message: SipMessage) => (message.kind === 'request' ? message.method : message.status)
  const only = (direction: 'in' | 'out') => (what: string | number) =>
    heard.trace
      .filter((event) => event.direction === direction && nameOf(event.message) === what && !event.retransmitted)
      .map(({ message }) => message)
  return {
    ua,
    ...heard,
    uri(transport = 'udp') {
      const listener = ua.stack.listeners.find((one) => one.transport === transport)
      if (!listener) throw new Error(`no ${transport} listener`)
      return `sip:bob@127.0.0.1:${listener.port}${transport === 'udp' ? '' : `;transport=${transport}`}`
    },
    ladder: () =>
      heard.trace
        .filter(({ retransmitted }) => !retransmitted)
        .map(({ direction, message }) => `${direction} ${nameOf(message)}`),
    sent: only('out'),
    got: only('in'),
  }
}

export type Told = {
  handlers: CallHandlers
  ringing: [status: number, sdp: string | null][]
  answered: (string | null)[]
  late: string[]
  digits: string[]
  ends: CallEnding[]
  end(boundMs?: number): Promise<CallEnding>
}

/** Handlers that record their events. */
export function told(more: Partial<CallHandlers> = {}): Told {
  const heard = { ringing: [], answered: [], late: [], digits: [], ends: [] } as Omit<Told, 'handlers' | 'end'>
  return {
    ...heard,
    handlers: {
      onRinging: (status, text) => heard.ringing.push([status, text]),
      onAnswered: (text) => heard.answered.push(text),
      onLateAnswer: (text) => heard.late.push(text),
      onDigit: (digit, ms) => heard.digits.push(`${digit} ${ms}`),
      ...more,
      onEnd: (ending) => heard.ends.push(ending),
    },
    end: (boundMs) => until('the call ends', () => heard.ends[0], boundMs),
  }
}

export const outbound = (uri: string, more: Partial<OutboundCall> = {}): OutboundCall => ({
  uri,
  from: '"Ramal" <sip:agent@ramal.test>',
  to: `<${uri}>`,
  sdp: sdp('offer'),
  ringTimeoutMs: 10_000,
  contactUser: 'agent',
  ...more,
})

/** Two agents in a call that `a` placed. */
export async function established(
  t: TestContext,
  options: {
    a?: Partial<UserAgentOptions>
    b?: Partial<UserAgentOptions>
    call?: Partial<OutboundCall>
    transport?: TransportName
  } = {},
  handlers: { a?: Partial<CallHandlers>; b?: Partial<CallHandlers> } = {},
) {
  const a = await openAgent(t, options.a)
  const b = await openAgent(t, options.b)
  const [toldA, toldB] = [told(handlers.a), told(handlers.b)]
  const caller = a.ua.invite(outbound(b.uri(options.transport), options.call), toldA.handlers)
  const called = await until('the call arrives', () => b.calls[0])
  called.handle(toldB.handlers)
  called.answer(sdp('answer'))
  await until('both sides are in the call', () => toldA.answered.length === 1 && toldB.answered.length === 1)
  return { a, b, toldA, toldB, caller, called }
}

/** Waits until no calls are left. */
export const idle = (...agents: Agent[]): Promise<boolean> =>
  until('no call is left', () => agents.every(({ ua }) => ua.calls === 0))

export type FarSide = Peer & {
  uri: string
  contact: string
  /** Requests of this method without retransmissions. */
  distinct(method: string): SipRequest[]
  /** The n-th of these requests, counted from 0. */
  request(method: string, n?: number): Promise<SipRequest>
  response(status: number, method?: string): Promise<SipResponse>
  answer(
    request: SipRequest,
    status: number,
    parts?: { toTag?: string; contact?: string; headers?: [string, string][]; sdp?: string },
  ): void
  /** An INVITE or another out-of-dialog request, with its own Via. */
  ask(agent: Agent, method: string, parts?: RawParts): SipRequest
  /** A request inside the dialog that this response created; `from` is the peer's identity in it. */
  inside(agent: Agent, of: SipMessage, method: string, parts?: RawParts): SipRequest
}
type RawParts = {
  cseq?: number
  headers?: [string, string][]
  body?: { type: string; content: string }
  callId?: string
  from?: string
}

/** A peer without a stack: it sends only what the test says. */
export async function openFarSide(
  t: TestContext,
  hear?: (request: SipRequest, side: FarSide) => void,
): Promise<FarSide> {
  const peer = await openPeer(t, (arrival: Arrival) => {
    if (arrival.message.kind === 'request') hear?.(arrival.message, side)
  })
  const uri = `sip:bob@127.0.0.1:${peer.port}`
  const contact = `<sip:bob@127.0.0.1:${peer.port}>`
  const portOf = (agent: Agent) => agent.ua.stack.listeners.find(({ transport }) => transport === 'udp')?.port ?? 0
  const via = () => `SIP/2.0/UDP 127.0.0.1:${peer.port};branch=z9hG4bK${newTag()};rport`
  const distinct = (method: string) => {
    const first = new Map<string, SipRequest>()
    for (const { message } of peer.requests(method)) {
      const branch = /branch=([^;\s]+)/.exec(message.headers.get('via') ?? '')?.[1] ?? ''
      if (!first.has(branch)) first.set(branch, message)
    }
    return [...first.values()]
  }
  const side: FarSide = {
    ...peer,
    uri,
    contact,
    distinct,
    request: (method, n = 0) => until(`${method} number ${n}`, () => distinct(method)[n]),
    response: (status, method) =>
      until(`a ${status}`, () =>
        peer.responses(status).find(({ message }) => !method || message.headers.get('cseq')?.endsWith(method)),
      ).then(({ message }) => message),
    answer(request, status, { toTag = 'far', contact: said = contact, headers = [], sdp: text } = {}) {
      const response = responseTo(request, status, undefined, {
        toTag,
        headers: [['contact', said], ...headers],
        body: text === undefined ? undefined : { type: 'application/sdp', content: text },
      })
      peer.send(response, { port: Number(/^SIP\/2.0\/UDP [^:;]+:(\d+)/.exec(request.headers.get('via') ?? '')?.[1]) })
    },
    ask(agent, method, { cseq = 1, headers = [], body, callId = newCallId(), from = `<${uri}>;tag=${newTag()}` } = {}) {
      const request = newRequest({
        method,
        uri: agent.uri(),
        from,
        to: `<${agent.uri()}>`,
        callId,
        cseq,
        headers: [['contact', contact], ...headers],
        body,
      })
      request.headers.prepend('via', via())
      peer.send(request, { port: portOf(agent) })
      return request
    },
    inside(agent, of, method, { cseq = 2, headers = [], body } = {}) {
      const weCalled = of.kind === 'response'
      const request = newRequest({
        method,
        uri: agent.uri(),
        from: (weCalled ? of.headers.get('from') : of.headers.get('to')) ?? '',
        to: (weCalled ? of.headers.get('to') : of.headers.get('from')) ?? '',
        callId: of.headers.get('call-id') ?? '',
        cseq,
        headers: [['contact', contact], ...headers],
        body,
      })
      request.headers.prepend('via', via())
      peer.send(request, { port: portOf(agent) })
      return request
    },
  }
  return side
}
