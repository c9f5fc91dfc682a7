// Retransmits the 2xx to an INVITE until its ACK arrives (RFC 3261 section 13.3.1.4), over TCP and TLS too.
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { ServerTransaction, SipTimers } from '../stack.ts'
import { retransmit } from '../transaction/timers.ts'
import { cseqOf } from './dialog.ts'

export type AckWait = ReturnType<typeof waitForAck>

type Parts = {
  transaction: ServerTransaction
  response: SipResponse
  timers: SipTimers
  onAck(ack: SipRequest): void
  onLost(): void
}

export function waitForAck({ transaction, response, timers, onAck, onLost }: Parts) {
  const cseq = cseqOf(transaction.request)
  let isOver = false
  const send = () => transaction.respond(response)
  send()
  const stopSending = retransmit(timers, timers.t2, send, () => {
    isOver = true
    onLost()
  })

  function stop(): void {
    isOver = true
    stopSending()
  }

  return {
    stop,
    receive(ack: SipRequest): void {
      if (isOver || cseqOf(ack) !== cseq) return
      stop()
      onAck(ack)
    },
  }
}
