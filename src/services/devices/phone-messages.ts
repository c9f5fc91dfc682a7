// Messages to registered phones: sent by this node, or by the one that has the phone's connection.
import type { Phone } from '../../phone/phone.ts'
import type { MessageOutcome, OutboundMessage } from '../../phone/sip-messages.ts'
import type { ServiceContext } from '../service.ts'

type MessagePhone = Pick<Phone, 'sendMessage' | 'connectedNodeOf'>

/** `phone` is null if the phone is off. */
export function phoneMessages(
  { cluster, log }: Pick<ServiceContext, 'cluster' | 'log'>,
  phone: () => MessagePhone | null,
): (text: OutboundMessage) => Promise<MessageOutcome> {
  const here = async (text: OutboundMessage): Promise<MessageOutcome> =>
    (await phone()?.sendMessage(text)) ?? { ok: false, detail: 'the phone is switched off' }
  cluster?.handle('device-message', here)

  return async (text) => {
    const node = cluster && phone()?.connectedNodeOf(text.deviceId)
    if (!node) return here(text)
    try {
      return (await cluster.request(node, 'device-message', text)) as MessageOutcome
    } catch (err) {
      log.warn({ err, node, deviceId: text.deviceId }, 'failed to send a message through another node')
      const detail = `the node ${node}, which has the device's connection, does not answer`
      return { ok: false, detail, isDoubtful: true }
    }
  }
}
