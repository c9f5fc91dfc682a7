// Why an echo call failed, from its final response or its SDP.
import type { CallEnding } from '../../sip/dialog/call.ts'
import type { SipResponse } from '../../sip/message/message.ts'
import type { SdpProblem } from '../../sip/sdp/offer-answer.ts'
import { readSdp } from '../../sip/sdp/sdp-parse.ts'
import { sdpOf } from '../../sip/sdp/session-body.ts'
import { credentialsOf } from '../route.ts'
import { explainRefusal } from './authentication.ts'
import type { Diagnosis } from './diagnosis.ts'
import { sentCredentials } from './message-capture.ts'
import { type Finding, failed } from './report.ts'

/** RFC 3261 section 21.4: unknown number, or wrong format. */
const numberRefusals = [404, 410, 414, 416, 484, 485, 604]
/** The offered media is not acceptable. */
const mediaRefusals = [415, 488, 606]

export function explainEnding(
  diagnosis: Diagnosis,
  user: string,
  { why, status = 0, detail }: CallEnding,
  callId: string,
): Finding {
  const { host, trunk, capture } = diagnosis
  const words = `${status} ${detail ?? ''}`.trim()
  if (why === 'ring-timeout')
    return failed(
      'call',
      'no_answer',
      `${user} rings, and nobody answers`,
      `${user} rings at ${host} but nobody answers: give the number of an echo service, which answers by itself.`,
    )
  if (why === 'unreachable')
    return failed(
      'call',
      'dead_host',
      `INVITE is not answered: ${detail ?? 'silence'}`,
      `${host} does not answer an INVITE: check its address, port and transport, and whether it must first be told our address.`,
    )
  if (why !== 'refused') return failed('call', 'call_dropped', why, `The call to ${user} ended before it was answered.`)
  const response = capture.responsesTo('INVITE', callId).findLast((answer) => answer.status === status)
  if (mediaRefusals.includes(status)) return noCodec(diagnosis, words, response)
  if (numberRefusals.includes(status))
    return failed(
      'call',
      'refused_number',
      words,
      `${host} does not know the number as we dial it, ${user} (${words}): correct the number, or the numberFormat of the trunk (plus sign, prefix).`,
    )
  const isProved = credentialsOf(trunk) !== undefined && sentCredentials(capture, callId)
  const isRegistered = capture.responsesTo('REGISTER').some((answer) => answer.status >= 200 && answer.status < 300)
  if (response && !(status === 403 && isProved && isRegistered)) {
    const refusal = explainRefusal(diagnosis, 'call', response, callId)
    if (refusal) return refusal
  }
  const caller = trunk.callerId ? ` or show the caller id ${trunk.callerId}` : ''
  return failed(
    'call',
    'call_refused',
    words,
    `${host} refuses the call to ${user} (${words}): ask the carrier whether this account may call that number${caller}.`,
  )
}

/** The call was answered with unusable SDP. */
export function explainSdpProblem(diagnosis: Diagnosis, { problem, detail }: SdpProblem, sdp: string): Finding {
  if (problem === 'encryption-required')
    return failed(
      'codec',
      'encryption',
      detail,
      `${diagnosis.host} and the trunk do not agree on encryption (${detail}): set mediaEncryption to ${diagnosis.trunk.mediaEncryption === 'required' ? 'allowed' : 'required'}, or change it at the peer.`,
    )
  return noCodec(diagnosis, detail, undefined, codecsIn(sdp))
}

function noCodec(diagnosis: Diagnosis, words: string, response: SipResponse | undefined, listed?: string): Finding {
  const { host, trunk, capture } = diagnosis
  const ours = trunk.codecs.join(', ')
  const told = [response, ...capture.responsesTo('OPTIONS')].flatMap(
    (one) => codecsIn(one ? (sdpOf(one) ?? '') : '') || [],
  )
  const theirs = listed || told[0]
  const encryption =
    trunk.mediaEncryption === 'required' ? ', or does not take encrypted audio, which the trunk requires' : ''
  return failed(
    'codec',
    'no_common_codec',
    `${words}; we offer ${ours}; the peer ${theirs ? `has ${theirs}` : 'does not tell what it has'}`,
    `${host} takes none of the codecs that we offer (${ours})${theirs ? ` but has ${theirs}` : ''}${encryption}: allow PCMA and PCMU (G.711) on both sides.`,
  )
}

function codecsIn(sdp: string): string {
  const session = readSdp(sdp)
  if ('unreadable' in session) return ''
  const names = session.media.flatMap(({ formats }) => formats.map(({ name }) => name))
  return [...new Set(names)]
    .filter((name) => name !== 'TELEPHONE-EVENT')
    .join(', ')
    .slice(0, 120)
}
