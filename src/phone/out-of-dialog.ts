// Requests outside a dialog: REGISTER, OPTIONS and MESSAGE; anything else is refused.
import type { Log } from '../base/process/log.ts'
import { responseTo } from '../sip/message/build.ts'
import type { SipResponse } from '../sip/message/message.ts'
import type { Registrar } from '../sip/registration/registrar.ts'
import type { ServerTransaction } from '../sip/stack.ts'
import type { Authenticator } from './authenticate.ts'
import type { DeviceBindings } from './device-bindings.ts'
import type { OnMessage } from './ports.ts'
import { parseMessage } from './sip-messages.ts'

export type OutOfDialogParts = {
  authenticator: Authenticator
  registrar: Pick<Registrar, 'isFrom'>
  bindings: Pick<DeviceBindings, 'register'>
  /** False while draining or while the database is away: OPTIONS is then answered with 503, so that load balancers move on. */
  takesCalls: () => boolean
  /** Without it, messages are refused. */
  onMessage?: OnMessage | undefined
  name: string
  log: Log
}

export function createOutOfDialogHandler(parts: OutOfDialogParts) {
  const { authenticator, registrar, bindings, takesCalls, onMessage, name, log } = parts

  async function handle(transaction: ServerTransaction): Promise<void> {
    const { request, flow } = transaction
    const respond = (response: SipResponse) => transaction.respond(response)
    const answer = (status: number, headers: [string, string][] = []) =>
      respond(responseTo(request, status, undefined, { headers: [['server', name], ...headers] }))
    if (request.method === 'OPTIONS') return answer(takesCalls() ? 200 : 503, [['accept', 'application/sdp']])
    const isMessage = request.method === 'MESSAGE'
    if (isMessage && !(onMessage && registrar.isFrom(flow))) return answer(404)
    if (!isMessage && request.method !== 'REGISTER') return answer(405)
    const peer = await authenticator.authenticate(request, flow)
    if (peer.is === 'unauthenticated')
      return answer(
        401,
        peer.challenges.map((value) => ['www-authenticate', value]),
      )
    if (peer.is === 'unknown') return transaction.drop()
    if (peer.is !== 'device') return answer(403)
    if (!isMessage) return respond(await bindings.register(peer.device, request, flow))
    const message = parseMessage(request, peer.device)
    if ('refuse' in message) return answer(message.refuse, message.refuse === 415 ? [['accept', 'text/plain']] : [])
    const isStored = await onMessage?.(message)
    answer(isStored ? 200 : 404)
  }

  return (transaction: ServerTransaction): void => {
    handle(transaction).catch((err) => {
      log.error({ err }, 'failed to answer SIP request')
      transaction.respond(responseTo(transaction.request, 500))
    })
  }
}
