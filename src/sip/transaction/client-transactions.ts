// The table of client transactions: creates them, matches responses, and reports lost connections.
import { newBranch } from '../message/build.ts'
import type { Flow, Hop, SipRequest, SipResponse } from '../message/message.ts'
import { formatVia, listOf, parseCSeq, parseVia } from '../message/values.ts'
import type { Wire } from '../transport/wire.ts'
import {
  type ClientHandlers,
  type ClientMachine,
  type ClientPort,
  type ClientTransaction,
  InviteClient,
  NonInviteClient,
  noHandlers,
} from './client-transaction.ts'
import { clientKey } from './via-routing.ts'

type Stray = (response: SipResponse, flow: Flow) => void
type Above = {
  /** Called for a 2xx to an INVITE without a transaction: false drops it, untraced. */
  isOfCall(response: SipResponse): boolean
  stray: Stray
}

export class ClientTransactions {
  readonly #wire: Wire
  readonly #isOfCall: Above['isOfCall']
  readonly #stray: Stray
  readonly #machines = new Map<string, { machine: ClientMachine; connection: number | undefined }>()
  readonly #branches = new WeakMap<SipRequest, string>()
  #isClosed = false

  constructor(wire: Wire, { isOfCall, stray }: Above) {
    this.#wire = wire
    this.#isOfCall = isOfCall
    this.#stray = (response, flow) => wire.call(() => stray(response, flow))
  }

  get size(): number {
    return this.#machines.size
  }

  request(request: SipRequest, to: Hop | Flow, handlers: ClientHandlers): ClientTransaction {
    const branch = newBranch()
    return this.#begin(this.#withVia(request, to, branch), branch, to, {
      onResponse: (response, flow) => this.#wire.call(() => handlers.onResponse(response, flow)),
      onFailure: (why, detail) => this.#wire.call(() => handlers.onFailure(why, detail)),
    })
  }

  /** Without a transaction. Sent again, it keeps its branch: a repeated ACK is recognizable as such. */
  send(request: SipRequest, to: Hop | Flow): void {
    if (this.#isClosed) return
    const before = this.#branches.get(request)
    const branch = before ?? newBranch()
    this.#branches.set(request, branch)
    this.#wire.send(this.#withVia(request, to, branch), to, before !== undefined)
  }

  #withVia(request: SipRequest, to: Hop | Flow, branch: string): SipRequest {
    const params = new Map([
      ['branch', branch],
      ['rport', null], // RFC 3581 section 3
    ])
    const via = formatVia({ ...this.#wire.sentBy(to), params })
    return { ...request, headers: request.headers.copy().prepend('via', via) }
  }

  #begin(request: SipRequest, branch: string, to: Hop | Flow, handlers: ClientHandlers): ClientTransaction {
    const key = clientKey(branch, request.method)
    const port: ClientPort = {
      timers: this.#wire.timers,
      isReliable: to.transport !== 'udp',
      transmit: (message, isRepeated) => {
        entry.connection = this.#wire.send(message, to, isRepeated, (detail) => entry.machine.lose(detail)).connection
      },
      cancel: (cancel) => this.#begin(cancel, branch, to, noHandlers),
      stray: this.#stray,
      ended: () => this.#machines.delete(key),
    }
    const machine =
      request.method === 'INVITE'
        ? new InviteClient(request, handlers, port)
        : new NonInviteClient(request, handlers, port)
    const entry: { machine: ClientMachine; connection: number | undefined } = { machine, connection: undefined }
    if (this.#isClosed) queueMicrotask(() => machine.close())
    else {
      this.#machines.set(key, entry)
      machine.start()
    }
    return machine
  }

  receive(response: SipResponse, flow: Flow): void {
    const vias = listOf(response.headers, 'via')
    const method = parseCSeq(response.headers.get('cseq') ?? '')?.method ?? ''
    // RFC 3261 section 8.1.3.3: more than one Via means it was not for us.
    const branch = vias.length === 1 ? parseVia(vias[0] ?? '')?.params.get('branch') : undefined
    const entry = this.#machines.get(clientKey(branch ?? '', method))
    const isAccepted = method === 'INVITE' && response.status >= 200 && response.status < 300
    // Only the recipient of our request knows its branch.
    if (entry) this.#wire.authenticate(flow)
    if (!entry && !(vias.length === 1 && isAccepted && this.#isOfCall(response))) return
    this.#wire.trace('in', flow, response, entry?.machine.knows(response) ?? false)
    if (entry) entry.machine.receive(response, flow)
    else this.#stray(response, flow)
  }

  closed(connection: number, detail: string): void {
    const hit = [...this.#machines.values()].filter((entry) => entry.connection === connection)
    for (const { machine } of hit) machine.lose(detail)
  }

  close(): void {
    this.#isClosed = true
    for (const { machine } of [...this.#machines.values()]) machine.close()
  }
}
