// The first checks of a diagnosis: the name resolves, and the host answers SIP.
import { lookup } from 'node:dns/promises'
import { waitAtMost } from '../../base/concurrency/abort.ts'
import type { RequestOutcome } from '../../sip/dialog/call.ts'
import { newCallId } from '../../sip/message/build.ts'
import type { Hop } from '../../sip/message/message.ts'
import { parseUri } from '../../sip/message/uri.ts'
import { isPrivateAddress } from '../../sip/transport/nat.ts'
import { isLoopback } from '../ownership.ts'
import type { Trunk } from '../ports.ts'
import { credentialsOf, proxyOf, trunkUri } from '../route.ts'
import { optionsFor } from '../trunk-probe.ts'
import { type Diagnosis, type DiagnosticPhone, describeHop } from './diagnosis.ts'
import { commonEndpoints, firstAnswering, type ProbeResult, probe } from './probe.ts'
import { type Finding, failed, passed, warning } from './report.ts'

const OPTIONS_MS = 3500
/** A host that has not answered by now is probed: a closed port fails at once. */
const PATIENCE_MS = 700
const KNOCK_MS = 1500

export async function checkResolution(
  trunk: Trunk,
  host: string,
  { resolver, refusalFor }: Pick<DiagnosticPhone, 'resolver' | 'refusalFor'>,
): Promise<{ hops: Hop[]; finding: Finding }> {
  const target = parseUri(proxyOf(trunk) ?? trunkUri(trunk, host))
  const name = target?.host ?? host
  const all = target ? await resolver.resolve(target) : []
  const refusal = refusalFor(trunk)
  const hops = all.filter((hop) => refusal(hop) === undefined)
  const refused = all.flatMap((hop) => refusal(hop) ?? [])[0]
  if (hops.length === 0 && refused)
    return { hops, finding: failed('resolves', 'not_allowed', refused, `This trunk may not be used: ${refused}.`) }
  if (hops.length > 0)
    return { hops, finding: passed('resolves', `${name} leads to ${hops.map(describeHop).join(', ')}`) }
  const code = target ? await lookup(name).then(noCode, (error: NodeJS.ErrnoException) => error.code) : 'not a name'
  const isServerAway = code === 'EAI_AGAIN' || code === 'ETIMEOUT'
  const cure = isServerAway
    ? 'the name server of this machine does not answer, so check its DNS settings'
    : 'check the spelling of the host, or give its IP address'
  const detail = `${name} leads to no address (${code ?? 'no NAPTR, SRV, A or AAAA record'})`
  return {
    hops,
    finding: failed('resolves', 'unresolvable_name', detail, `The name ${name} leads to no address: ${cure}.`),
  }
}

const noCode = () => undefined

/** A socket on 127.0.0.1 cannot reach other hosts: a common mistake on a new server. */
export function checkListener(settings: { host: string }, hops: readonly Hop[]): Finding | undefined {
  const outside = hops.find(({ address }) => !isLoopback(address))
  if (!outside || !isLoopback(settings.host)) return undefined
  return failed(
    'reached',
    'bound_to_loopback',
    `SIP_HOST is ${settings.host}, and the trunk is at ${outside.address}`,
    `The phone listens on ${settings.host} only and cannot reach ${outside.address}: set SIP_HOST=0.0.0.0 and start again.`,
  )
}

export type Reachability = { outcome: RequestOutcome | undefined; callId: string; finding: Finding }

/** OPTIONS from our own stack. Any response counts: many hosts refuse OPTIONS itself. */
export async function checkReachability(diagnosis: Diagnosis): Promise<Reachability> {
  const { phone, trunk, host, hops, capture } = diagnosis
  const callId = capture.follow(newCallId())
  const giveUp = new AbortController()
  const request = {
    ...optionsFor(trunk, host),
    credentials: credentialsOf(trunk),
    contactUser: phone.contactUser(trunk),
    refusal: phone.refusalFor(trunk),
    callId,
    timeoutMs: diagnosis.remainingMs(OPTIONS_MS),
  }
  const asked = phone.ua.request(request, AbortSignal.any([giveUp.signal, diagnosis.signal]))
  let outcome = await waitAtMost(PATIENCE_MS, asked)
  let results: ProbeResult[] = []
  if (outcome === undefined || 'failure' in outcome) {
    const limit = diagnosis.remainingMs(KNOCK_MS)
    results = await Promise.all(hops.slice(0, 4).map((hop) => probe(hop, limit)))
    if (results.every(({ is }) => is !== 'answers' && is !== 'open' && is !== 'silent')) giveUp.abort()
    outcome = await asked
  }
  if ('response' in outcome) {
    const { status, reason } = outcome.response
    return { outcome, callId, finding: passed('reached', `OPTIONS is answered: ${status} ${reason}`) }
  }
  return { outcome: undefined, callId, finding: await nobody(diagnosis, results) }
}

async function nobody(diagnosis: Diagnosis, results: readonly ProbeResult[]): Promise<Finding> {
  const worst = results.find(({ is }) => is === 'answers' || is === 'open') ?? results[0]
  if (!worst) return failed('reached', 'dead_host', 'no place to ask', `${diagnosis.host} cannot be asked.`)
  const { hop, is, problem = '' } = worst
  const place = describeHop(hop)
  const name = hop.serverName ?? diagnosis.host
  if (is === 'certificate')
    return failed(
      'reached',
      'tls_certificate',
      `${place}: the certificate is not accepted: ${problem}`,
      `The certificate that ${place} shows is not accepted because ${problem}: it must be for ${name} and signed by a known authority (or name its authority's file in NODE_EXTRA_CA_CERTS).`,
    )
  if (is === 'answers')
    return failed(
      'reached',
      'answers_lost',
      `${place} answers a socket of another port, but not our SIP port`,
      `${place} answers, but not to our SIP port: a firewall, a router's SIP ALG or the peer's list of allowed ports swallows it, so let UDP and TCP of SIP_PORT through in both directions.`,
    )
  const refusal = diagnosis.phone.refusalFor(diagnosis.trunk)
  const mayKnock = (each: Hop) => refusal(each) === undefined
  const other = await firstAnswering(commonEndpoints(hop).filter(mayKnock), diagnosis.remainingMs(KNOCK_MS))
  if (other) {
    const how = `transport ${other.transport} and port ${other.port}`
    return failed(
      'reached',
      'wrong_port',
      `${place}: ${problem || 'no answer'}; ${describeHop(other)} speaks SIP`,
      `Nobody speaks SIP at ${place}, but somebody does at ${describeHop(other)}: set ${how} in the trunk.`,
    )
  }
  if (is === 'refused')
    return failed(
      'reached',
      'wrong_port',
      `${place}: the port is closed; neither is SIP at 5060 or 5061`,
      `Nothing listens at ${place}: the host is there, but the port or the transport of the trunk is wrong (or its SIP server is not running).`,
    )
  if (is === 'handshake')
    return failed(
      'reached',
      'tls_handshake',
      `${place}: the TLS handshake fails (${problem})`,
      `${place} does not speak TLS: set the transport to udp or tcp, or the port to that of TLS (usually 5061).`,
    )
  const why = is === 'unreachable' ? `the network says ${problem}` : 'it says nothing'
  return failed(
    'reached',
    'dead_host',
    `${place}: ${why}`,
    `${place} does not answer (${why}): the host is down or its address wrong, a firewall is between, or the carrier must first be told our address${ourAddress(diagnosis, hop)}.`,
  )
}

function ourAddress({ phone }: Diagnosis, hop: Hop): string {
  const { host } = phone.ua.stack.contactOf(hop)
  return isPrivateAddress(host) ? '' : ` ${host}`
}

/** The host ignores OPTIONS but answered something else. */
export const optionsIgnored = (): Finding => warning('reached', 'OPTIONS is not answered (optionsPing should be off)')
