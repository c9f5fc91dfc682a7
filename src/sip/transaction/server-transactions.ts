// The table of server transactions: matches requests, answers CANCEL, passes up new requests.
import { responseTo } from '../message/build.ts'
import type { Flow, SipRequest, SipResponse } from '../message/message.ts'
import type { ParseProblem } from '../message/parse.ts'
import { tagOf, type Via } from '../message/values.ts'
import type { Wire } from '../transport/wire.ts'
import {
  ackTransaction,
  InviteServer,
  NonInviteServer,
  type ServerMachine,
  type ServerPort,
  type ServerTransaction,
} from './server-transaction.ts'
import { responseHop, serverKey, stampVia, topVia } from './via-routing.ts'

/** Seconds, when there are too many transactions. */
const RETRY_AFTER = '5'

type Above = {
  onRequest(transaction: ServerTransaction): void
  /** False: no response. A number: only this response. */
  mayBegin(request: SipRequest, flow: Flow): boolean | number
  /** Called for an ACK without a transaction: false drops it, untraced. */
  isOfCall(ack: SipRequest): boolean
  isFull(): boolean
}

export class ServerTransactions {
  readonly #wire: Wire
  readonly #above: Above
  readonly #machines = new Map<string, ServerMachine>()

  constructor(wire: Wire, above: Above) {
    this.#wire = wire
    this.#above = above
  }

  get size(): number {
    return this.#machines.size
  }

  receive(request: SipRequest, flow: Flow): void {
    const via = topVia(request)
    if (!via) return
    stampVia(request, via, flow)
    const { method } = request
    const isFollower = method === 'ACK' || method === 'CANCEL'
    const key = serverKey(request, via, isFollower ? 'INVITE' : method)
    const machine = this.#machines.get(key)
    const admission = machine !== undefined || this.#admission(request, flow)
    if (admission === false) return
    if (admission !== true) {
      this.#answer(responseTo(request, admission), via, flow)
      return
    }
    this.#wire.trace('in', flow, request, machine !== undefined && !isFollower)
    if (method === 'ACK') this.#acknowledge(request, flow, machine)
    else if (method === 'CANCEL') this.#cancel(request, via, flow, machine)
    else if (machine) machine.again()
    else if (this.#above.isFull())
      this.#answer(responseTo(request, 503, undefined, { headers: { 'retry-after': RETRY_AFTER } }), via, flow)
    else this.#begin(request, via, flow, key)
  }

  #admission(request: SipRequest, flow: Flow): boolean | number {
    return request.method === 'ACK' ? this.#above.isOfCall(request) : this.#above.mayBegin(request, flow)
  }

  #begin(request: SipRequest, via: Via, flow: Flow, key: string): void {
    const port: ServerPort = {
      timers: this.#wire.timers,
      isReliable: flow.transport !== 'udp',
      transmit: (response, isRepeated) => this.#answer(response, via, flow, isRepeated, () => machine.lose()),
      trying: () => responseTo(request, 100),
      call: (above) => this.#wire.call(above),
      ended: () => this.#machines.delete(key),
    }
    const machine =
      request.method === 'INVITE' ? new InviteServer(request, flow, port) : new NonInviteServer(request, flow, port)
    this.#machines.set(key, machine)
    let isHandled = false
    this.#wire.call(() => {
      this.#above.onRequest(machine)
      isHandled = true
    })
    if (!isHandled) machine.respond(responseTo(request, 500))
  }

  #acknowledge(ack: SipRequest, flow: Flow, machine: ServerMachine | undefined): void {
    if (machine instanceof InviteServer && !machine.acknowledge()) return
    this.#wire.call(() => this.#above.onRequest(ackTransaction(ack, flow)))
  }

  /** RFC 3261 section 9.2. Stateless: a retransmitted CANCEL gets the same response while its INVITE lives. */
  #cancel(cancel: SipRequest, via: Via, flow: Flow, machine: ServerMachine | undefined): void {
    if (!(machine instanceof InviteServer)) {
      this.#answer(responseTo(cancel, 481), via, flow)
      return
    }
    const toTag = tagOf(machine.answeredTo ?? '') ?? undefined
    this.#answer(responseTo(cancel, 200, undefined, { toTag }), via, flow)
    machine.canceled(cancel)
  }

  /** A malformed request that can still be answered. */
  refuse({ partial, status, problem }: ParseProblem, flow: Flow): void {
    const via = partial && partial.method !== 'ACK' ? topVia(partial) : null
    if (!partial || !via) return
    stampVia(partial, via, flow)
    const admission = this.#above.mayBegin(partial, flow)
    if (admission === false) return
    if (admission === true) this.#wire.trace('in', flow, partial, false)
    this.#answer(admission === true ? responseTo(partial, status, problem) : responseTo(partial, admission), via, flow)
  }

  #answer(response: SipResponse, via: Via, flow: Flow, isRepeated = false, lost?: (detail: string) => void): void {
    const isByFlow = flow.transport === 'udp' ? via.params.has('rport') : this.#wire.isOpen(flow)
    this.#wire.send(response, isByFlow ? flow : responseHop(via, flow), isRepeated, lost)
  }

  close(): void {
    for (const machine of [...this.#machines.values()]) machine.close()
  }
}
