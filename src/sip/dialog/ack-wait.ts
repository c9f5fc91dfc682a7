// Retransmits the 2xx to an INVITE until its ACK arrives (RFC 3261 section 13.3.1.4), over TCP and TLS too.
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { ServerTransaction, SipTimers } from '../stack.ts'
import { retransmit } from '../transaction/timers.ts'
import { cseqOf } from './dialog.ts'

export class AckWait {
  readonly #cseq: number
  readonly #stop: () => void
  readonly #onAck: (ack: SipRequest) => void
  #isOver = false

  constructor(parts: {
    transaction: ServerTransaction
    response: SipResponse
    timers: SipTimers
    onAck(ack: SipRequest): void
    onLost(): void
  }) {
    const { transaction, response, timers } = parts
    this.#cseq = cseqOf(transaction.request)
    this.#onAck = parts.onAck
    transaction.respond(response)
    const again = () => transaction.respond(response)
    this.#stop = retransmit(timers, timers.t2, again, () => {
      this.#isOver = true
      parts.onLost()
    })
  }

  receive(ack: SipRequest): void {
    if (this.#isOver || cseqOf(ack) !== this.#cseq) return
    this.stop()
    this.#onAck(ack)
  }

  stop(): void {
    this.#isOver = true
    this.#stop()
  }
}
