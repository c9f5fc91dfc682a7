// The first steps of an examination: does the name lead anywhere, and is anybody there who speaks SIP?
import { lookup } from 'node:dns/promises'
import { waitAtMost } from '../../base/abort.ts'
import type { RequestOutcome } from '../../sip/dialog/call.ts'
import { newCallId } from '../../sip/message/build.ts'
import type { Hop } from '../../sip/message/message.ts'
import { parseUri } from '../../sip/message/uri.ts'
import { isPrivateAddress } from '../../sip/transport/nat.ts'
import { proxyUri } from '../outbound-routing.ts'
import type { Trunk } from '../ports.ts'
import { optionsFor, trunkUri } from '../trunk-monitor.ts'
import { credentialsOf, type DoctorLine, type Exam, placeOf } from './exam.ts'
import { firstThatAnswers, type Knock, knock, usualPlaces } from './probe.ts'
import { doubtful, type Finding, failed, fine } from './report.ts'

const OPTIONS_MS = 3500
/** Who has not answered by now is knocked at: a closed port says so at once. */
const PATIENCE_MS = 700
const KNOCK_MS = 1500

const isLoopback = (address: string) => address === '::1' || address.startsWith('127.')

export async function resolveTrunk(
  trunk: Trunk,
  host: string,
  { resolver, refusalFor }: Pick<DoctorLine, 'resolver' | 'refusalFor'>,
): Promise<{ hops: Hop[]; finding: Finding }> {
  const uri = trunk.outboundProxy ? proxyUri(trunk.outboundProxy, trunk.transport) : trunkUri(trunk, host)
  const target = parseUri(uri)
  const name = target?.host ?? host
  const all = target ? await resolver.resolve(target) : []
  const refusal = refusalFor(trunk)
  const hops = all.filter((hop) => refusal(hop) === undefined)
  const refused = all.flatMap((hop) => refusal(hop) ?? [])[0]
  if (hops.length === 0 && refused)
    return { hops, finding: failed('resolves', 'not_allowed', refused, `This trunk may not be used: ${refused}.`) }
  if (hops.length > 0) return { hops, finding: fine('resolves', `${name} leads to ${hops.map(placeOf).join(', ')}`) }
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

/** A socket of 127.0.0.1 reaches nobody outside: the first thing that goes wrong on a new server. */
export function judgeListener(settings: { host: string }, hops: readonly Hop[]): Finding | undefined {
  const outside = hops.find(({ address }) => !isLoopback(address))
  if (!outside || !isLoopback(settings.host)) return undefined
  return failed(
    'reached',
    'bound_to_loopback',
    `SIP_HOST is ${settings.host}, and the trunk is at ${outside.address}`,
    `The phone listens on ${settings.host} only and cannot reach ${outside.address}: set SIP_HOST=0.0.0.0 and start again.`,
  )
}

export type Reached = { outcome: RequestOutcome | undefined; callId: string; finding: Finding }

/** OPTIONS by our own stack. Any answer will do: many refuse OPTIONS itself. */
export async function reach(exam: Exam): Promise<Reached> {
  const { line, trunk, host, hops, watch } = exam
  const callId = watch.follow(newCallId())
  const giveUp = new AbortController()
  const credentials = credentialsOf(trunk)
  const request = {
    ...optionsFor(trunk, host),
    ...(credentials ? { credentials } : {}),
    contactUser: line.contactUser(trunk),
    refusal: line.refusalFor(trunk),
    callId,
    timeoutMs: exam.leftMs(OPTIONS_MS),
  }
  const asked = line.ua.request(request, AbortSignal.any([giveUp.signal, exam.signal]))
  let outcome = await waitAtMost(PATIENCE_MS, asked)
  let knocks: Knock[] = []
  if (outcome === undefined || 'failure' in outcome) {
    const limit = exam.leftMs(KNOCK_MS)
    knocks = await Promise.all(hops.slice(0, 4).map((hop) => knock(hop, limit)))
    if (knocks.every(({ is }) => is !== 'answers' && is !== 'open' && is !== 'silent')) giveUp.abort()
    outcome = await asked
  }
  if ('response' in outcome) {
    const { status, reason } = outcome.response
    return { outcome, callId, finding: fine('reached', `OPTIONS is answered: ${status} ${reason}`) }
  }
  return { outcome: undefined, callId, finding: await nobody(exam, knocks) }
}

async function nobody(exam: Exam, knocks: readonly Knock[]): Promise<Finding> {
  const worst = knocks.find(({ is }) => is === 'answers' || is === 'open') ?? knocks[0]
  if (!worst) return failed('reached', 'dead_host', 'no place to ask', `${exam.host} cannot be asked.`)
  const { hop, is, problem = '' } = worst
  const place = placeOf(hop)
  const name = hop.serverName ?? exam.host
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
      `${place} answers, but not to our SIP port: a firewall, a router's SIP ALG or the far side's list of allowed ports swallows it, so let UDP and TCP of SIP_PORT through in both directions.`,
    )
  const refusal = exam.line.refusalFor(exam.trunk)
  const mayKnock = (each: Hop) => refusal(each) === undefined
  const other = await firstThatAnswers(usualPlaces(hop).filter(mayKnock), exam.leftMs(KNOCK_MS))
  if (other) {
    const how = `transport ${other.transport} and port ${other.port}`
    return failed(
      'reached',
      'wrong_port',
      `${place}: ${problem || 'no answer'}; ${placeOf(other)} speaks SIP`,
      `Nobody speaks SIP at ${place}, but somebody does at ${placeOf(other)}: set ${how} in the trunk.`,
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
    `${place} does not answer (${why}): the host is down or its address wrong, a firewall is between, or the carrier must first be told our address${ourAddress(exam, hop)}.`,
  )
}

function ourAddress({ line }: Exam, hop: Hop): string {
  const { host } = line.ua.stack.contactOf(hop)
  return isPrivateAddress(host) ? '' : ` ${host}`
}

/** It keeps silent on OPTIONS, and yet it is there: something else was answered. */
export const silentOnOptions = (): Finding => doubtful('reached', 'OPTIONS is not answered (optionsPing should be off)')
