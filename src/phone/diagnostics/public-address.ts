// Compares the address that the remote side sees (received and rport in Via, RFC 3581) with our Contact and SDP.
import type { SipResponse } from '../../sip/message/message.ts'
import { parseVia, splitList } from '../../sip/message/values.ts'
import { isPrivateAddress } from '../../sip/transport/nat.ts'
import { plainAddress } from '../address-set.ts'
import { type Finding, failed, passed, skipped, warning } from './report.ts'

export type ReflexiveAddress = { address: string; port: number | null; ourPort: number | null; transport: string }

export function reflexiveAddress(responses: readonly SipResponse[]): ReflexiveAddress | undefined {
  for (const { headers } of responses) {
    const via = parseVia(splitList(headers.get('via') ?? '')[0] ?? '')
    const received = via?.params.get('received')
    if (!via || !received) continue
    const port = Number(via.params.get('rport') ?? 0) || null
    return { address: plainAddress(received), port, ourPort: via.port, transport: via.transport }
  }
  return undefined
}

/** `told` is the address in our Contact and SDP; `addresses` what it resolves to if it is a name. */
export function checkPublicAddress(
  seen: ReflexiveAddress | undefined,
  told: string,
  addresses: readonly string[],
): Finding {
  const name = 'public_address'
  if (!seen) return skipped(name, 'the peer does not report the address it sees us at')
  const { address, port, ourPort } = seen
  if (address === told || addresses.includes(address)) {
    if (seen.transport === 'udp' && port !== null && ourPort !== null && port !== ourPort)
      return warning(
        name,
        `a NAT changes our port ${ourPort} to ${port}: forward SIP_PORT and RTP_PORTS to this machine`,
      )
    return passed(name, `the peer sees us at ${address}, which is what we advertise`)
  }
  const differs = `the peer sees us at ${address}, but our Contact and SDP say ${told}`
  // A PBX in the local network, while PUBLIC_ADDRESS is for outside carriers: most routers support hairpin NAT.
  if (isPrivateAddress(address) && !isPrivateAddress(told)) return warning(name, differs)
  const kind = isPrivateAddress(told) ? 'the private address' : 'the address'
  return failed(
    name,
    'private_address',
    differs,
    `We advertise ${kind} ${told}, but the peer sees us at ${address}, so calls and audio would not find us: set PUBLIC_ADDRESS=${address} and forward SIP_PORT and RTP_PORTS to this machine.`,
  )
}
