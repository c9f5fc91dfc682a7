// The session of a confirmed dialog: handles the peer's requests, sends ours, reports its end once.
import { type AgentContext, allowed, capabilities, extensions, type ReplyParts, replyTo } from '../agent-context.ts'
import type { NonceCounters } from '../auth/digest.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import { listOf } from '../message/values.ts'
import type { ServerTransaction } from '../stack.ts'
import type { CallEnding, CallHandlers, Cause, Credentials } from './call.ts'
import { cseqOf, type Dialog } from './dialog.ts'
import { DialogRequests } from './dialog-requests.ts'
import { reasonHeader, reasonOf } from './ending.ts'
import { digitTypes, readInfoDigit, writeInfoDigit } from './info-dtmf.ts'
import { Negotiation } from './negotiation.ts'
import { type ReferOutcome, receiveRefer, Transfers } from './refer.ts'

export type SessionParts = {
  context: AgentContext
  dialog: Dialog
  credentials: Credentials | undefined
  memory: NonceCounters
  handlers: CallHandlers
  /** Handles requests of the peer on behalf of the call's owner. */
  asOwner?: (work: () => void) => void
  /** Owner of the call; checked when another call wants to replace it. */
  owner?: () => string | undefined
  /** A PRACK: `unknown` matches no response; `settled`: its SDP, an answer, was handled. */
  onPrack?(request: SipRequest): 'unknown' | 'taken' | 'settled'
  /** The peer hung up or was lost. Called once, not for our own hang-up. `gone` resolves when our BYE, if any, is answered. */
  onOver(ending: CallEnding, gone: Promise<void>): void
}

/** Known methods that are not allowed in a dialog get a 405, unknown ones a 501. */
const foreign = new Set(['REGISTER', 'PUBLISH', 'CANCEL'])

/** Required extensions that we do not support (RFC 3261 section 8.2.2.3). */
export const unsupported = (request: SipRequest): string[] =>
  listOf(request.headers, 'require').filter((option) => !extensions.includes(option.toLowerCase()))

export class Session {
  readonly dialog: Dialog
  readonly negotiation: Negotiation
  readonly #parts: SessionParts
  readonly #line: DialogRequests
  readonly #transfers: Transfers
  #isOver = false
  #refersTaken = 0

  constructor(parts: SessionParts) {
    const { context, dialog, handlers } = parts
    this.#parts = parts
    this.dialog = dialog
    this.#line = new DialogRequests(context, dialog, parts.credentials, parts.memory)
    this.#transfers = new Transfers(this.#line)
    this.negotiation = new Negotiation({
      context,
      line: this.#line,
      handlers,
      onLost: (detail, status) => this.#lost(detail, status),
    })
    context.dialogs.set(dialog.key, this)
  }

  get owner(): string | undefined {
    return this.#parts.owner?.()
  }

  /** Accepts requests from the peer only: anyone who saw a message knows the tags. */
  receive(transaction: ServerTransaction): void {
    const { asOwner = (work) => work() } = this.#parts
    asOwner(() => this.#receive(transaction))
  }

  #receive(transaction: ServerTransaction): void {
    const { request, flow } = transaction
    if (this.#line.isFrom(flow, this.owner)) {
      this.#take(transaction)
      return
    }
    const refuse = () => request.method !== 'ACK' && this.#reply(transaction, 403)
    this.#line
      .leadsTo(flow)
      .then((isPeer) => (isPeer ? this.#take(transaction) : refuse()))
      .catch(this.#parts.context.onFault)
  }

  #take(transaction: ServerTransaction) {
    const { request, flow } = transaction
    const { context } = this.#parts
    context.stack.authenticate(flow, this.owner)
    if (request.method === 'ACK') return this.negotiation.receiveAck(request)
    if (this.#isOver && request.method !== 'BYE') return this.#reply(transaction, 481)
    const missing = unsupported(request)
    if (missing.length > 0) return this.#reply(transaction, 420, { headers: [['unsupported', missing.join(', ')]] })
    if (!this.dialog.takes(request)) return this.#reply(transaction, 500, { reason: 'CSeq Out Of Order' })
    this.#line.moved(flow)
    this.negotiation.learn(request)
    switch (request.method) {
      case 'BYE':
        this.#reply(transaction, 200)
        if (this.#isOver) return
        this.stop(true)
        return this.#parts.onOver({ by: 'remote', why: 'bye', detail: reasonOf(request.headers) }, Promise.resolve())
      case 'INVITE':
        return void this.negotiation.receiveInvite(transaction).catch(context.onFault)
      case 'UPDATE':
        return void this.negotiation.receiveUpdate(transaction).catch(context.onFault)
      case 'PRACK':
        return this.#receivePrack(transaction)
      case 'INFO':
        return this.#receiveInfo(transaction)
      case 'REFER':
        this.#refersTaken += 1
        return receiveRefer(transaction, {
          context,
          line: this.#line,
          onRefer: this.#parts.handlers.onRefer,
          isFirst: this.#refersTaken === 1,
        })
      case 'NOTIFY':
        return this.#reply(transaction, this.#transfers.receive(transaction) ? 200 : 489)
      case 'SUBSCRIBE':
        return this.#reply(transaction, 489)
      case 'OPTIONS':
        return this.#reply(transaction, 200, { headers: [...capabilities, ['accept', 'application/sdp']] })
      case 'MESSAGE':
        return this.#receiveMessage(transaction)
      default:
        return this.#reply(transaction, foreign.has(request.method) ? 405 : 501, { headers: [['allow', allowed]] })
    }
  }

  #receivePrack(transaction: ServerTransaction): void {
    const wanted = this.#parts.onPrack?.(transaction.request) ?? 'unknown'
    const { onFault } = this.#parts.context
    if (wanted === 'taken') return void this.negotiation.receiveUpdate(transaction).catch(onFault)
    this.#reply(transaction, wanted === 'settled' ? 200 : 481)
  }

  #receiveInfo(transaction: ServerTransaction) {
    const { headers, body } = transaction.request
    if (headers.has('info-package')) return this.#reply(transaction, 469, { headers: [['recv-info', '']] })
    if (body.length === 0) return this.#reply(transaction, 200)
    const heard = readInfoDigit(headers.get('content-type') ?? '', body.toString('utf8'))
    if (heard === null) return this.#reply(transaction, 415, { headers: [['accept', digitTypes.join(', ')]] })
    this.#reply(transaction, 200)
    this.#parts.handlers.onDigit?.(heard.digit, heard.durationMs)
  }

  #receiveMessage(transaction: ServerTransaction): void {
    const isText = /^\s*text\/plain\b/i.test(transaction.request.headers.get('content-type') ?? 'text/plain')
    if (isText) this.#reply(transaction, 200)
    else this.#reply(transaction, 415, { headers: [['accept', 'text/plain']] })
  }

  #reply(transaction: ServerTransaction, status: number, parts: ReplyParts = {}): void {
    const toTag = this.dialog.localTag
    transaction.respond(replyTo(this.#parts.context.name, transaction.request, status, { ...parts, toTag }))
  }

  #lost(detail: string, status?: number): void {
    if (this.#isOver) return
    this.#parts.onOver({ by: 'system', why: 'lost', status, detail }, this.bye())
  }

  replace(): void {
    if (this.#isOver) return
    this.#parts.onOver({ by: 'remote', why: 'replaced' }, this.bye())
  }

  ack(invite: SipRequest): void {
    this.#line.ack(invite)
  }

  acknowledge(response: SipResponse): void {
    this.#line.sendAck(cseqOf(response))
  }

  prack(rack: string): void {
    this.#line.send('PRACK', { headers: [['rack', rack]] }).catch(this.#parts.context.onFault)
  }

  async sendDigit(digit: string, durationMs: number): Promise<boolean> {
    if (this.#isOver) return false
    const outcome = await this.#line.send('INFO', { body: writeInfoDigit(digit, durationMs) })
    if ('failure' in outcome) return false
    const { status, reason } = outcome.response
    if (status === 481) this.#lost(reason, status)
    return status < 300
  }

  refer(to: string, timeoutMs: number): Promise<ReferOutcome> {
    if (this.#isOver) return Promise.resolve({ status: 481, reason: 'the call is over' })
    return this.#transfers.refer(to, timeoutMs)
  }

  /** Sends BYE; resolves when it is answered or has timed out. */
  async bye(cause?: Cause): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.negotiation.stop()
    this.#transfers.end(false)
    // Stays in the dialog table until it is answered: the peer's BYE may cross ours.
    await this.#line.send('BYE', { headers: cause ? [['reason', reasonHeader(cause)]] : [] })
    this.#parts.context.dialogs.delete(this.dialog.key)
  }

  /** Ends without signaling. */
  stop(isByRemote = false): void {
    this.#isOver = true
    this.negotiation.stop()
    this.#transfers.end(isByRemote)
    this.#parts.context.dialogs.delete(this.dialog.key)
  }
}
