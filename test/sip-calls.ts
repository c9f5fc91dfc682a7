// Whole calls on bare stacks: the minimum that dialogs do on top, for tests of the layers below.
import assert from 'node:assert/strict'
import { newTag, responseTo } from '../src/sip/message/build.ts'
import type { Hop, SipRequest, SipResponse } from '../src/sip/message/message.ts'
import type { ServerTransaction } from '../src/sip/stack.ts'
import { Retransmitter } from '../src/sip/transaction/timers.ts'
import { ask, type End, newCall, short } from './sip-ends.ts'

/**
 * What dialogs do on top of the stack: ring, answer, and retransmit the 200 until its ACK arrives (RFC 3261 section
 * 13.3.1.4).
 */
export function callee(timers = short) {
  const waiting = new Map<string, Retransmitter>()
  return {
    waiting,
    answer(transaction: ServerTransaction) {
      const { request } = transaction
      const callId = request.headers.get('call-id') ?? ''
      if (request.method === 'ACK') {
        waiting.get(callId)?.stop()
        waiting.delete(callId)
        return
      }
      const toTag = newTag()
      const headers = { contact: '<sip:callee@127.0.0.1>' }
      const ok = responseTo(request, 200, undefined, { toTag, headers })
      if (request.method === 'INVITE') {
        transaction.respond(responseTo(request, 180, undefined, { toTag, headers }))
        const repeater = new Retransmitter()
        waiting.set(callId, repeater)
        repeater.start(timers.t1, timers.t2, () => transaction.respond(ok))
        transaction.onEnd(() => repeater.stop())
      }
      transaction.respond(ok)
    },
  }
}

/** Resolves once the BYE is answered. */
export async function call(caller: End, to: Hop): Promise<void> {
  const invite = newCall('INVITE')
  const inDialog = (method: string, ok: SipResponse) => {
    const request = newCall(method)
    for (const name of ['call-id', 'from']) request.headers.set(name, invite.headers.get(name) ?? '')
    request.headers.set('to', ok.headers.get('to') ?? '')
    return request
  }
  let ack: SipRequest | undefined
  const ok = await new Promise<SipResponse>((answered, failed) => {
    caller.stack.request(invite, to, {
      onResponse(response) {
        if (response.status < 200) return
        ack ??= inDialog('ACK', response)
        caller.stack.send(ack, to) // one ACK per 200
        answered(response)
      },
      onFailure: (why, detail) => failed(new Error(`${why}: ${detail}`)),
    })
  })
  const bye = ask(caller.stack, inDialog('BYE', ok), to)
  assert.equal((await bye.final()).status, 200)
}
