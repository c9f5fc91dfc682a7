// A dialog (RFC 3261 section 12): its two sides, route set and sequence numbers.
import { type MessageBody, newRequest } from '../message/build.ts'
import type { HeaderList } from '../message/headers.ts'
import type { Flow, SipMessage, SipRequest, SipResponse } from '../message/message.ts'
import { formatUri, parseUri } from '../message/uri.ts'
import { listOf, parseCSeq, parseNameAddr, tagIn, tagOf } from '../message/values.ts'

type DialogParts = {
  callId: string
  /** name-addr texts with their tags. */
  local: string
  remote: string
  remoteTarget: string
  /** The route set, in the order of our requests. */
  routes: readonly string[]
  localCSeq: number
  remoteCSeq: number | undefined
  flow: Flow
  contact: string
  /** We created the Call-ID, so we wait longer after a glare (section 14.1). */
  isCaller: boolean
}

/** Header values contain no line breaks, so the key is unambiguous. */
export const dialogKey = (callId: string, localTag: string, remoteTag: string): string =>
  `${callId}\n${localTag}\n${remoteTag}`

export const cseqOf = ({ headers }: Pick<SipMessage, 'headers'>): number =>
  parseCSeq(headers.get('cseq') ?? '')?.number ?? 0

/** The dialog that a request from the peer belongs to: its To is us. */
export const keyOfRequest = ({ headers }: SipRequest): string =>
  dialogKey(headers.get('call-id') ?? '', tagIn(headers, 'to') ?? '', tagIn(headers, 'from') ?? '')

/** The dialog that a response to a request of ours belongs to: its From is us. */
export const keyOfResponse = ({ headers }: SipResponse): string =>
  dialogKey(headers.get('call-id') ?? '', tagIn(headers, 'from') ?? '', tagIn(headers, 'to') ?? '')

export const contactUriOf = ({ headers }: SipMessage): string | undefined => {
  const [first] = listOf(headers, 'contact')
  const uri = first === undefined ? undefined : parseNameAddr(first)?.uri
  return uri !== undefined && parseUri(uri) !== null ? uri : undefined
}

const uriOfRoute = (route: string): string => parseNameAddr(route)?.uri ?? ''
const isLoose = (route: string): boolean => parseUri(uriOfRoute(route))?.params.has('lr') ?? true

export class Dialog {
  readonly callId: string
  readonly local: string
  readonly remote: string
  readonly localTag: string
  readonly key: string
  readonly isCaller: boolean
  readonly contact: string
  flow: Flow
  #remoteTarget: string
  #routes: readonly string[]
  #localCSeq: number
  #remoteCSeq: number | undefined

  constructor(parts: DialogParts) {
    this.callId = parts.callId
    this.local = parts.local
    this.remote = parts.remote
    this.localTag = tagOf(parts.local) ?? ''
    this.key = dialogKey(parts.callId, this.localTag, tagOf(parts.remote) ?? '')
    this.isCaller = parts.isCaller
    this.contact = parts.contact
    this.flow = parts.flow
    this.#remoteTarget = parts.remoteTarget
    this.#routes = parts.routes
    this.#localCSeq = parts.localCSeq
    this.#remoteCSeq = parts.remoteCSeq
  }

  get remoteTarget(): string {
    return this.#remoteTarget
  }

  get routes(): readonly string[] {
    return this.#routes
  }

  /** Next hop of a request, possibly unresolved (section 12.2.1.1). */
  get nextHop(): string {
    const [first] = this.#routes
    return first === undefined ? this.#remoteTarget : uriOfRoute(first)
  }

  /** A request inside the dialog. `cseq` is for ACKs, which repeat that of their INVITE. */
  request(
    method: string,
    { headers = [], body, cseq }: { headers?: HeaderList; body?: MessageBody; cseq?: number } = {},
  ): SipRequest {
    if (cseq === undefined) this.#localCSeq += 1
    const [first, ...rest] = this.#routes
    // A strict router expects itself in the Request-URI, and the target at the end of the routes (section 12.2.1.1).
    const isStrict = first !== undefined && !isLoose(first)
    return newRequest({
      method,
      uri: isStrict ? uriOfRoute(first) : this.#remoteTarget,
      from: this.local,
      to: this.remote,
      callId: this.callId,
      cseq: cseq ?? this.#localCSeq,
      routes: isStrict ? [...rest, `<${this.#remoteTarget}>`] : [...this.#routes],
      headers,
      body,
    })
  }

  /** Section 12.2.2: false if it is out of order. */
  takes(request: SipRequest): boolean {
    const cseq = cseqOf(request)
    if (this.#remoteCSeq !== undefined && cseq <= this.#remoteCSeq) return false
    this.#remoteCSeq = cseq
    return true
  }

  /** INVITE, UPDATE and their 2xx may refresh the remote target. */
  refreshTarget(message: SipMessage): void {
    this.#remoteTarget = contactUriOf(message) ?? this.#remoteTarget
  }

  /** Section 13.2.2.4: the 2xx replaces the route set of an early response. */
  confirm(response: SipResponse, flow: Flow): void {
    this.refreshTarget(response)
    this.#routes = listOf(response.headers, 'record-route').reverse()
    this.flow = flow
  }
}

type Invite = Pick<SipRequest, 'uri' | 'headers'>

/** Section 12.1.2. */
export const uacDialog = (invite: Invite, response: SipResponse, flow: Flow, contact: string): Dialog =>
  new Dialog({
    callId: invite.headers.get('call-id') ?? '',
    local: invite.headers.get('from') ?? '',
    remote: response.headers.get('to') ?? '',
    remoteTarget: contactUriOf(response) ?? invite.uri,
    routes: listOf(response.headers, 'record-route').reverse(),
    localCSeq: cseqOf(invite),
    remoteCSeq: undefined,
    flow,
    contact,
    isCaller: true,
  })

/** For old phones that send no Contact: the observed source. */
const sourceUri = ({ remote, transport }: Flow): string =>
  formatUri({ host: remote.address, port: remote.port, params: new Map([['transport', transport]]) })

/** Section 12.1.1. */
export const uasDialog = (invite: SipRequest, flow: Flow, localTag: string, contact: string): Dialog =>
  new Dialog({
    callId: invite.headers.get('call-id') ?? '',
    local: `${invite.headers.get('to') ?? ''};tag=${localTag}`,
    remote: invite.headers.get('from') ?? '',
    remoteTarget: contactUriOf(invite) ?? sourceUri(flow),
    routes: listOf(invite.headers, 'record-route'),
    localCSeq: 0,
    remoteCSeq: cseqOf(invite),
    flow,
    contact,
    isCaller: false,
  })
