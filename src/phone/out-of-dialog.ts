// Requests outside any call: phones that register, neighbours that ask whether we are there, and everything that is not for us.
import type { Log } from '../base/log.ts'
import { responseTo } from '../sip/message/build.ts'
import type { SipResponse } from '../sip/message/message.ts'
import type { Registrar } from '../sip/registrar/registrar.ts'
import type { ServerTransaction } from '../sip/stack.ts'
import type { Authenticator } from './authenticate.ts'
import type { OnMessage } from './ports.ts'
import { parseMessage } from './sip-messages.ts'

export type OutOfDialogParts = {
  authenticator: Authenticator
  registrar: Registrar
  /** While we drain, a balancer that asks is told to look elsewhere. */
  isDraining: () => boolean
  /** Nobody takes texts where it is missing. */
  onMessage?: OnMessage | undefined
  name: string
  log: Log
}

export function createOutOfDialogHandler({
  authenticator,
  registrar,
  isDraining,
  onMessage,
  name,
  log,
}: OutOfDialogParts) {
  async function open(transaction: ServerTransaction): Promise<void> {
    const { request, flow } = transaction
    const respond = (response: SipResponse) => transaction.respond(response)
    const answer = (status: number, headers: [string, string][] = []) =>
      respond(responseTo(request, status, undefined, { headers: [['server', name], ...headers] }))
    if (request.method === 'OPTIONS') return answer(isDraining() ? 503 : 200, [['accept', 'application/sdp']])
    const isText = request.method === 'MESSAGE'
    if (isText && !(onMessage && registrar.isFrom(flow))) return answer(404)
    if (!isText && request.method !== 'REGISTER') return answer(405)
    const who = await authenticator.authenticate(request, flow)
    if (who.is === 'unauthenticated')
      return answer(
        401,
        who.challenges.map((value) => ['www-authenticate', value]),
      )
    if (who.is === 'unknown') return transaction.drop()
    if (who.is !== 'device') return answer(403)
    if (!isText) return respond(registrar.register(who.device.username, request, flow))
    const text = parseMessage(request, who.device)
    if ('refuse' in text) return answer(text.refuse, text.refuse === 415 ? [['accept', 'text/plain']] : [])
    const isKept = await onMessage?.(text)
    answer(isKept ? 200 : 404)
  }

  return (transaction: ServerTransaction): void => {
    open(transaction).catch((err) => {
      log.error({ err }, 'a SIP request could not be answered')
      transaction.respond(responseTo(transaction.request, 500))
    })
  }
}
