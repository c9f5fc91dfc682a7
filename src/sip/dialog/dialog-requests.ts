// Sends the requests within a dialog: routing, challenges, and the ACK for each 2xx to an INVITE.
import { type AgentContext, capabilities, type ResolvedTargets, resolveUri, type SipTarget } from '../agent-context.ts'
import { Challenges } from '../auth/challenges.ts'
import type { NonceCounters } from '../auth/digest.ts'
import type { MessageBody } from '../message/build.ts'
import type { HeaderList } from '../message/headers.ts'
import type { Flow, SipRequest, SipResponse } from '../message/message.ts'
import { parseUri } from '../message/uri.ts'
import { exchange } from '../transaction/exchange.ts'
import { isBehindNat } from '../transport/nat.ts'
import type { Credentials, RequestOutcome } from './call.ts'
import { cseqOf, type Dialog } from './dialog.ts'

export type LineParts = { headers?: HeaderList; body?: MessageBody }

/** Requests that carry our Contact (RFC 3261 section 12.2.1.1, RFC 3311, RFC 6665). */
const carriesContact = new Set(['INVITE', 'UPDATE', 'REFER', 'NOTIFY', 'SUBSCRIBE'])

type FoundPlaces = Pick<ResolvedTargets, 'places' | 'problem'>

export class DialogRequests {
  readonly dialog: Dialog
  readonly #context: AgentContext
  readonly #credentials: Credentials | undefined
  readonly #memory: NonceCounters
  #resolved: { uri: string; found: Promise<FoundPlaces> } | undefined
  #ack: { cseq: number; request: SipRequest } | undefined

  constructor(context: AgentContext, dialog: Dialog, credentials: Credentials | undefined, memory: NonceCounters) {
    this.#context = context
    this.dialog = dialog
    this.#credentials = credentials
    this.#memory = memory
  }

  /** All requests of a dialog share one resolution, so that they are sent in order. */
  #places(): Promise<FoundPlaces> {
    const { dialog } = this
    const uri = dialog.nextHop
    if (this.#resolved?.uri !== uri) this.#resolved = { uri, found: this.#resolve(uri) }
    return this.#resolved.found
  }

  async #resolve(uri: string): Promise<FoundPlaces> {
    const { flow, routes, remoteTarget } = this.dialog
    // Reuse the connection: often the only path through a firewall (RFC 5923).
    const own = flow.connection === undefined ? [] : [flow]
    if (flow.transport === 'udp' && routes.length === 0 && isBehindNat(remoteTarget, flow.remote))
      return { places: [flow], problem: '' }
    const { places: hops, problem, isRefused } = await resolveUri(this.#context.resolver, uri)
    const places = hops.map((hop): SipTarget => {
      if (hop.transport !== 'udp' || flow.transport !== 'udp') return hop
      // From the socket in our Contact: the peer may accept nothing else.
      return { transport: 'udp', local: flow.local, remote: { address: hop.address, port: hop.port } }
    })
    // If the peer's target must not be contacted, reply to its source address.
    if (places.length === 0 && isRefused && flow.transport === 'udp') return { places: [flow], problem }
    return { places: [...own, ...places], problem }
  }

  /** Whether this is the peer's observed address, its Contact, or another peer of the call's owner. */
  isFrom(flow: Flow, owner: string | undefined): boolean {
    const { address } = flow.remote
    const { dialog } = this
    if (address === dialog.flow.remote.address) return true
    return this.#hosts().includes(address) || this.#context.isPeerOf(flow, owner)
  }

  /** The same for host names, which are resolved. */
  async leadsTo(flow: Flow): Promise<boolean> {
    const { nextHop, remoteTarget } = this.dialog
    for (const uri of new Set([nextHop, remoteTarget])) {
      const { places } = await resolveUri(this.#context.resolver, uri)
      if (places.some(({ address }) => address === flow.remote.address)) return true
    }
    return false
  }

  #hosts(): string[] {
    const { nextHop, remoteTarget } = this.dialog
    return [nextHop, remoteTarget].map((uri) => parseUri(uri)?.host ?? '')
  }

  /** Follows the peer to a new connection or NAT port. */
  moved(flow: Flow): void {
    const { flow: before } = this.dialog
    const isSame =
      flow.transport === 'udp'
        ? before.transport !== 'udp' ||
          (flow.remote.address === before.remote.address && flow.remote.port === before.remote.port)
        : flow.connection === before.connection
    if (isSame) return
    this.dialog.flow = flow
    this.#resolved = undefined
  }

  async send(method: string, parts: LineParts = {}, limitMs = 64 * this.#context.timers.t1): Promise<RequestOutcome> {
    const { stack, timers, resolver } = this.#context
    const outcome = await exchange({
      stack,
      places: () => this.#places(),
      build: () => this.#request(method, parts),
      challenges: new Challenges(this.#credentials, this.#memory),
      limitMs,
      patienceMs: 64 * timers.t1,
      onDead: (hop) => resolver.markDead(hop),
      onAccepted: method === 'INVITE' ? (response, request) => this.#accepted(response, request) : undefined,
    })
    if ('failure' in outcome) return outcome
    if (outcome.response.status < 300 && method === 'UPDATE') this.dialog.refreshTarget(outcome.response)
    this.moved(outcome.flow)
    return outcome
  }

  #request(method: string, { headers = [], body }: LineParts): SipRequest {
    const ours: HeaderList = [
      ['user-agent', this.#context.name],
      ...(carriesContact.has(method) ? ([['contact', this.dialog.contact], ...capabilities] as const) : []),
      ...headers,
    ]
    return this.dialog.request(method, { headers: ours, body })
  }

  /** The ACK goes to the Contact of the 2xx (RFC 3261 section 12.2.1.2). */
  #accepted(response: SipResponse, invite: SipRequest): void {
    if (this.#ack?.cseq !== cseqOf(invite)) this.dialog.refreshTarget(response)
    this.ack(invite)
  }

  /** RFC 3261 section 22.1: with the credentials of its INVITE. */
  ack(invite: SipRequest): void {
    const credentials = ['authorization', 'proxy-authorization'].flatMap((name) =>
      invite.headers.all(name).map((value) => [name, value] as const),
    )
    this.sendAck(cseqOf(invite), credentials)
  }

  /** RFC 3261 section 13.2.2.4: a repeated 2xx gets the same ACK again. */
  sendAck(cseq: number, credentials: HeaderList = []): void {
    const headers: HeaderList = [['user-agent', this.#context.name], ...credentials]
    if (this.#ack?.cseq !== cseq) this.#ack = { cseq, request: this.dialog.request('ACK', { cseq, headers }) }
    const { request } = this.#ack
    const { stack, onFault } = this.#context
    this.#places().then(({ places: [first] }) => first && stack.send(request, first), onFault)
  }
}
