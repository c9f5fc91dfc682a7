// A scripted SIP peer: a UDP socket that sends exactly what the test wants, including what no phone would send.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { newCallId, newRequest, newTag, responseTo } from '../../src/sip/message/build.ts'
import type { SipMessage, SipRequest, SipResponse } from '../../src/sip/message/message.ts'
import { parseMessage } from '../../src/sip/message/parse.ts'
import { serialize } from '../../src/sip/message/serialize.ts'
import { until } from '../until.ts'

/** `isAgain`: a retransmission, which happens on a busy machine. */
export type Heard = { atMs: number; message: SipMessage; isAgain: boolean }

export type CallMade = Awaited<ReturnType<ByHand['call']>>
export type ByHand = Awaited<ReturnType<typeof openByHand>>

export type CallOptions = {
  /** Request-URI; a bare user part is combined with Ramal's address. */
  uri?: string
  to?: string
  from?: string
  headers?: [string, string][]
  sdp?: string | null
  callId?: string
}

/** SDP with PCMU and telephone-events. */
export const plainSdp = (address: string, port: number, formats = '0 101'): string =>
  [
    'v=0',
    `o=- 1 1 IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    `m=audio ${port} RTP/AVP ${formats}`,
    'a=rtpmap:101 telephone-event/8000',
    '',
  ].join('\r\n')

/** A request without a response is retransmitted after this time. */
const AGAIN_MS = 1000

async function bound(t: TestContext, address: string) {
  const socket = createSocket('udp4')
  socket.bind(0, address)
  await once(socket, 'listening')
  t.after(() => new Promise<void>((done) => socket.close(done)))
  return socket
}

/** Opens a peer at any loopback address: for a trunk at 127.0.0.1, 127.0.0.2 is an unknown peer. */
export async function openByHand(t: TestContext, address = '127.0.0.1') {
  let isOver = false
  t.after(() => {
    isOver = true
  })
  const socket = await bound(t, address)
  const media = await bound(t, address)
  const { port } = socket.address()
  const rtpPort = media.address().port
  const heard: Heard[] = []
  const known = new Set<string>()
  let rtp = 0
  const sources = new Map<number, Set<number>>()
  media.on('message', (bytes) => {
    rtp++
    if (bytes.length < 12) return
    const ssrc = bytes.readUInt32BE(8)
    const sequences = sources.get(ssrc) ?? new Set()
    sources.set(ssrc, sequences.add(bytes.readUInt16BE(2)))
  })
  const nameOf = (message: SipMessage) => (message.kind === 'request' ? message.method : message.status)
  const send = (what: SipMessage | string | Buffer, to: number, host = '127.0.0.1') =>
    isOver || socket.send(typeof what === 'string' || Buffer.isBuffer(what) ? what : serialize(what), to, host)
  const withContact = (headers: [string, string][] = []): [string, string][] =>
    headers.some(([name]) => name === 'contact') ? headers : [['contact', `<sip:far@${address}:${port}>`], ...headers]
  /** Waits for this response and retransmits the request meanwhile: a full socket buffer drops datagrams. */
  async function answerTo<T>(what: string, look: () => T | undefined, again: () => void, boundMs?: number) {
    let nextMs = performance.now() + AGAIN_MS
    return until(
      what,
      () => {
        const found = look()
        if (found === undefined && performance.now() > nextMs) {
          nextMs = performance.now() + AGAIN_MS
          again()
        }
        return found
      },
      boundMs,
    )
  }
  const via = () => `SIP/2.0/UDP ${address}:${port};branch=z9hG4bK${newTag()};rport`

  const side = {
    address,
    port,
    /** Called for every request except ACK. */
    onRequest: (_request: SipRequest): void => {},
    /** Every received message, in order. */
    heard,
    send,
    rtpPackets: () => rtp,
    /** Packets that never came, judged by sequence numbers, which start below 2^15. */
    lostRtp: () => [...sources.values()].reduce((sum, of) => sum + Math.max(...of) - Math.min(...of) + 1 - of.size, 0),
    sdp: (formats?: string) => plainSdp(address, rtpPort, formats),
    /** Messages with this method or status, without retransmissions. */
    all: (what: string | number) =>
      heard.filter(({ message, isAgain }) => !isAgain && nameOf(message) === what).map(({ message }) => message),
    /** The n-th message with this method or status, counted from 0. */
    next: (what: string | number, n = 0, boundMs?: number): Promise<SipMessage> =>
      until(`number ${n} of ${what}`, () => side.all(what)[n], boundMs),
    request: async (method: string, n = 0, boundMs?: number) => (await side.next(method, n, boundMs)) as SipRequest,
    answer(
      request: SipRequest,
      status: number,
      more: { sdp?: string; headers?: [string, string][]; reason?: string } = {},
    ): void {
      const response = responseTo(request, status, more.reason, {
        toTag: 'far',
        headers: withContact(more.headers),
        body: more.sdp === undefined ? undefined : { type: 'application/sdp', content: more.sdp },
      })
      send(response, Number(/^SIP\/2.0\/UDP [^:;]+:(\d+)/.exec(request.headers.get('via') ?? '')?.[1]))
    },

    /** An out-of-dialog request, sent once. */
    ask(sipPort: number, method: string, more: CallOptions & { body?: { type: string; content: string } } = {}) {
      const own = `127.0.0.1:${sipPort}`
      const uri = more.uri === undefined ? `sip:${own}` : more.uri.includes(':') ? more.uri : `sip:${more.uri}@${own}`
      const request = newRequest({
        method,
        uri,
        from: `${more.from ?? `<sip:+5521988887777@${address}:${port}>`};tag=${newTag()}`,
        to: more.to ?? `<${uri}>`,
        callId: more.callId ?? newCallId(),
        cseq: 1,
        headers: withContact(more.headers),
        body: more.body,
      })
      request.headers.prepend('via', via())
      send(request, sipPort)
      return request
    },

    /** An INVITE and its follow-up requests. */
    async call(sipPort: number, more: CallOptions = {}) {
      const sdp = more.sdp === undefined ? side.sdp() : more.sdp
      const invite = side.ask(sipPort, 'INVITE', {
        ...more,
        ...(sdp === null ? {} : { body: { type: 'application/sdp', content: sdp } }),
      })
      const callId = invite.headers.get('call-id')
      const answers = () =>
        heard.flatMap(({ message }) =>
          message.kind === 'response' && message.headers.get('call-id') === callId ? [message] : [],
        )
      const finals = (method = 'INVITE') =>
        answers().filter((one) => one.status >= 200 && one.headers.get('cseq')?.endsWith(method))
      let cseq = 1
      /**
       * `isOfInvite`: uses the branch of the INVITE, for a CANCEL and for the ACK of a refusal (RFC 3261 sections 9.1
       * and 17.1.1.3).
       */
      const inside = (method: string, number: number, to: string, body?: string, isOfInvite = false) => {
        const contact = /<([^>]+)>/.exec(finals()[0]?.headers.get('contact') ?? '')?.[1]
        const routes = isOfInvite ? [] : (finals()[0]?.headers.all('record-route') ?? []).toReversed()
        const request = newRequest({
          method,
          uri: isOfInvite ? invite.uri : (contact ?? invite.uri),
          from: invite.headers.get('from') ?? '',
          to,
          callId: callId ?? '',
          cseq: number,
          headers: [
            ['contact', `<sip:far@${address}:${port}>`],
            ...routes.map((route): [string, string] => ['route', route]),
          ],
          body: body === undefined ? undefined : { type: 'application/sdp', content: body },
        })
        request.headers.prepend('via', isOfInvite ? (invite.headers.get('via') ?? '') : via())
        return request
      }
      const toOf = () => finals()[0]?.headers.get('to') ?? ''
      const made = {
        invite,
        callId: callId ?? '',
        answers,
        finals,
        /** The first final response to the INVITE; a refusal is acknowledged. */
        async final(boundMs?: number): Promise<SipResponse> {
          const repeat = () => answers().length === 0 && made.repeat()
          const response = await answerTo('a final answer to the INVITE', () => finals()[0], repeat, boundMs)
          if (response.status >= 300) send(inside('ACK', 1, response.headers.get('to') ?? '', undefined, true), sipPort)
          return response
        },
        repeat: () => send(invite, sipPort),
        ack: (sdp?: string) => send(inside('ACK', 1, toOf(), sdp), sipPort),
        async answered(): Promise<SipResponse> {
          const response = await made.final()
          if (response.status !== 200) throw new Error(`the call was refused: ${response.status} ${response.reason}`)
          made.ack()
          return response
        },
        cancel: () => send(inside('CANCEL', 1, invite.headers.get('to') ?? '', undefined, true), sipPort),
        /** Sends an in-dialog request; resolves with the response. */
        async tell(method: string, body?: string): Promise<SipResponse> {
          const number = ++cseq
          const request = inside(method, number, toOf(), body)
          send(request, sipPort)
          const response = await answerTo(
            `the answer to ${method}`,
            () => answers().find((one) => one.status >= 200 && one.headers.get('cseq') === `${number} ${method}`),
            () => send(request, sipPort),
          )
          if (method === 'INVITE') send(inside('ACK', number, toOf()), sipPort)
          return response
        },
        bye: () => made.tell('BYE'),
        /** Waits for Ramal's BYE and answers it. */
        async over(boundMs?: number): Promise<SipRequest> {
          const bye = await until(
            'the peer hangs up',
            () => side.all('BYE').find((one) => one.headers.get('call-id') === callId) as SipRequest | undefined,
            boundMs,
          )
          side.answer(bye, 200)
          return bye
        },
      }
      return made
    },
  }

  socket.on('message', (bytes) => {
    const result = parseMessage(bytes)
    if ('problem' in result) throw new Error(`what came cannot be read: ${result.problem}`)
    const text = bytes.toString('latin1')
    heard.push({ atMs: performance.now(), message: result.message, isAgain: known.has(text) })
    known.add(text)
    if (result.message.kind === 'request' && result.message.method !== 'ACK') side.onRequest(result.message)
  })
  return side
}
