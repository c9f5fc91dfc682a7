// Checks registration and digest authentication, and explains refusals.

import { challengesOf } from '../../sip/auth/digest.ts'
import type { RequestOutcome } from '../../sip/dialog/call.ts'
import { detailOf } from '../../sip/dialog/ending.ts'
import { newCallId } from '../../sip/message/build.ts'
import type { SipResponse } from '../../sip/message/message.ts'
import { accountUri, credentialsOf, proxyOf, trunkUri } from '../route.ts'
import type { Diagnosis } from './diagnosis.ts'
import { sentCredentials } from './message-capture.ts'
import { type CheckName, type Finding, failed, passed, skipped } from './report.ts'

const REGISTER_MS = 4000

const said = (response: SipResponse): string => `${response.status} ${detailOf(response) ?? ''}`.trim()

/** What a final 401, 403 or 407 means; undefined for other responses. */
export function explainRefusal(
  diagnosis: Diagnosis,
  name: CheckName,
  response: SipResponse,
  callId: string,
): Finding | undefined {
  const { trunk, host, capture } = diagnosis
  const words = said(response)
  if (response.status === 401 || response.status === 407) {
    const realms = challengesOf(response).map(({ realm }) => realm)
    const listed = [...new Set(realms)].map((realm) => `"${realm}"`).join(', ')
    if (realms.length === 0)
      return failed(
        name,
        'unknown_challenge',
        `${words}: no challenge that can be answered`,
        `${host} asks for a proof of a kind that is not spoken here (digest with MD5 or SHA-256 and qop auth is): ask the carrier for digest authentication.`,
      )
    if (!credentialsOf(trunk))
      return failed(
        name,
        'no_credentials',
        `${words}: a password is asked for (realm ${listed}), and the trunk has none`,
        `${host} asks for a password for the realm ${listed}: give the trunk its username and password.`,
      )
    if (trunk.realm && !realms.includes(trunk.realm))
      return failed(
        name,
        'wrong_realm',
        `${words}: the realm is ${listed}, the trunk's is "${trunk.realm}"`,
        `${host} asks for a password for the realm ${listed}, but the trunk's password is for "${trunk.realm}": set the realm to ${listed}, or leave it empty.`,
      )
    return wrongPassword(diagnosis, name, words)
  }
  if (response.status !== 403) return undefined
  if (sentCredentials(capture, callId)) return wrongPassword(diagnosis, name, words)
  return failed(
    name,
    'blocked_by_address',
    `${words}, without a challenge`,
    `${host} refuses us without asking for a password (${words}): have the carrier allow our address${seenAt(diagnosis)}.`,
  )
}

const wrongPassword = ({ trunk, host }: Diagnosis, name: CheckName, words: string): Finding =>
  failed(
    name,
    'wrong_password',
    `${words} after our answer to the challenge`,
    `${host} does not accept the username "${trunk.username}" with the password of the trunk (${words}): correct the username or the password.`,
  )

/** Our address as the peer sees it, if the Via header has it. */
function seenAt({ capture }: Diagnosis): string {
  for (const { direction, message } of capture.messages) {
    const received = /;\s*received=([^;,\s]+)/i.exec(message.headers.get('via') ?? '')?.[1]
    if (direction === 'in' && message.kind === 'response' && received) return ` ${received}`
  }
  return ''
}

/** Sends a real REGISTER; unregisters again if nobody else maintains the registration. */
export async function checkRegistration(diagnosis: Diagnosis): Promise<Finding> {
  const { phone, trunk, host, capture } = diagnosis
  if (trunk.authMode !== 'register')
    return skipped('registers', `the trunk does not register (authMode ${trunk.authMode})`)
  const callId = capture.follow(newCallId())
  const aor = accountUri(trunk, host)
  let cseq = 1
  const send = (expires: number): Promise<RequestOutcome> => {
    const request = {
      method: 'REGISTER',
      uri: trunkUri(trunk, host),
      from: aor,
      to: aor,
      route: proxyOf(trunk),
      credentials: credentialsOf(trunk),
      headers: { ...trunk.headers, expires: String(expires) },
      contactUser: phone.contactUser(trunk),
      refusal: phone.refusalFor(trunk),
      callId,
      cseq,
      timeoutMs: diagnosis.remainingMs(REGISTER_MS),
    }
    cseq += 5 // leaves room for responses to challenges
    return phone.ua.request(request, diagnosis.signal)
  }
  let outcome = await send(trunk.registerExpires)
  // RFC 3261 section 10.2.8.
  const least =
    'response' in outcome && outcome.response.status === 423 ? outcome.response.headers.get('min-expires') : ''
  if (least && /^\d{1,6}$/.test(least)) outcome = await send(Number(least))
  if ('failure' in outcome)
    return failed(
      'registers',
      'dead_host',
      `REGISTER is not answered: ${outcome.detail}`,
      `${host} does not answer REGISTER: check that it is the carrier's registrar, and its port and transport.`,
    )
  const { response } = outcome
  if (response.status < 300) {
    if (phone.isStandalone || !trunk.isActive) await send(0)
    return passed(
      'registers',
      `${said(response)}${sentCredentials(capture, callId) ? ', with our password' : ', unasked'}`,
    )
  }
  const refusal = explainRefusal(diagnosis, 'registers', response, callId)
  if (refusal) return refusal
  if (response.status === 404 || response.status === 604)
    return failed(
      'registers',
      'unknown_user',
      said(response),
      `${host} does not know the user "${trunk.fromUser ?? trunk.username}" (${said(response)}): correct the username, or the fromUser and fromDomain, of the trunk.`,
    )
  return failed(
    'registers',
    'registration_refused',
    said(response),
    `${host} refuses the registration (${said(response)}): ask the carrier whether the account may register.`,
  )
}

/** Whether OPTIONS or an answered call has proved our credentials. */
export function checkOptionsAuthentication(
  diagnosis: Diagnosis,
  outcome: RequestOutcome | undefined,
  callId: string,
): Finding {
  const name = 'authenticates'
  const accepted = diagnosis.capture.responsesTo('INVITE').find(({ status }) => status >= 200 && status < 300)
  if (accepted && sentCredentials(diagnosis.capture, accepted.headers.get('call-id') ?? ''))
    return passed(name, 'our answer to the challenge of a call was accepted')
  if (!outcome || 'failure' in outcome) return skipped(name, 'OPTIONS was not answered')
  const refusal = explainRefusal(diagnosis, name, outcome.response, callId)
  if (refusal) return refusal
  if (sentCredentials(diagnosis.capture, callId)) return passed(name, 'our answer to its challenge was accepted')
  return skipped(name, 'OPTIONS is answered without a challenge; a call would show more')
}
