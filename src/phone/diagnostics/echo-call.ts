// The echo call of a diagnosis: negotiates audio, sends a tone and listens for it, then digits, hold and hangup.
import { setTimeout as sleep } from 'node:timers/promises'
import { waitAtMost } from '../../base/concurrency/abort.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import type { MediaLeg } from '../../rtp/leg.ts'
import type { CallEnding, SipCall } from '../../sip/dialog/call.ts'
import { readTimer } from '../../sip/dialog/session-timer.ts'
import type { Hop, SipResponse } from '../../sip/message/message.ts'
import { privateAddressIn } from '../../sip/sdp/sdp-parse.ts'
import { type AudioSession, audioSession, audioTerms } from '../audio-session.ts'
import { dialString } from '../dial-string.ts'
import { trunkRoute } from '../route.ts'
import { explainEnding, explainSdpProblem } from './call-failure.ts'
import type { Diagnosis } from './diagnosis.ts'
import { type Finding, failed, passed, skipped, warning } from './report.ts'
import { detectTone, testTone } from './tone.ts'

const RING_MS = 8000
const FIRST_RESPONSE_MS = 4000
/** Long enough for two carriers and a jitter buffer. */
const LISTEN_MS = 4000
const REOFFER_MS = 2500
const GOODBYE_MS = 1000

/** E.164 in the trunk's format; a short code unchanged. */
export const dialStringFor = (diagnosis: Pick<Diagnosis, 'trunk'>, number: string): string =>
  number.startsWith('+') ? dialString(number, diagnosis.trunk.numberFormat) : number

export async function echoCall(diagnosis: Diagnosis, number: string): Promise<Finding[]> {
  const { phone, trunk } = diagnosis
  if (!trunk.directions.includes('outbound')) return [skipped('call', 'the trunk is not for outbound calls')]
  const slot = await phone.acquireSlot(trunk)
  if ('text' in slot) return [skipped('call', slot.text)]
  let leg: MediaLeg | undefined
  try {
    leg = await phone.media.open()
    return await placeCall(diagnosis, dialStringFor(diagnosis, number), leg)
  } finally {
    await leg?.close()
    await slot.release()
  }
}

type Talk = {
  diagnosis: Diagnosis
  user: string
  sip: SipCall
  leg: MediaLeg
  audio: AudioSession
  ended: Promise<CallEnding>
  /** The SDP answer. */
  answer: string
}

async function placeCall(diagnosis: Diagnosis, user: string, leg: MediaLeg): Promise<Finding[]> {
  const { phone, trunk, host, hops, capture } = diagnosis
  const [hop] = hops as [Hop]
  const { settings, ua } = phone
  const address = settings.publicAddress ?? ua.stack.contactOf(hop).host
  const audio = audioSession(leg, audioTerms(trunk, address), () => sip.peerAddress)
  const contactUser = phone.contactUser(trunk)
  const {
    trunk: _,
    device,
    fromNumber,
    ...route
  } = trunkRoute(trunk, host, { user, displayName: 'Ramal', contactUser })
  const began = monotonicMs()
  const ended = Promise.withResolvers<CallEnding>()
  const answered = Promise.withResolvers<string | null>()
  const sip: SipCall = ua.invite(
    {
      ...route,
      refusal: phone.refusalFor(trunk),
      unchallengedRefusal: phone.unchallengedRefusalFor(trunk),
      sdp: audio.offer(),
      ringTimeoutMs: diagnosis.remainingMs(RING_MS),
      firstResponseTimeoutMs: diagnosis.remainingMs(FIRST_RESPONSE_MS),
    },
    {
      onAnswered: answered.resolve,
      onOffer: (sdp) => audio.reoffered(sdp),
      onLateAnswer: (sdp) => void audio.accept(sdp),
      onEnd: ended.resolve,
    },
  )
  const callId = capture.follow(sip.callId)
  const hangUp = () => sip.hangUp()
  diagnosis.signal.addEventListener('abort', hangUp, { once: true })
  try {
    const first = await Promise.race([answered.promise, ended.promise])
    const tookMs = Math.round(monotonicMs() - began)
    if (first !== null && typeof first === 'object') return [explainEnding(diagnosis, user, first, callId)]
    const problem = audio.accept(first ?? '')
    if (problem)
      return [passed('call', `answered after ${tookMs} ms`), explainSdpProblem(diagnosis, problem, first ?? '')]
    const talk = { diagnosis, user, sip, leg, audio, ended: ended.promise, answer: first ?? '' }
    return [passed('call', `${user} answered after ${tookMs} ms`), ...(await converse(talk)), timerOf(talk, callId)]
  } finally {
    diagnosis.signal.removeEventListener('abort', hangUp)
    hangUp()
    await goodBye(diagnosis, callId)
  }
}

/** Waits for the BYE exchange, so that the ladder is complete. */
async function goodBye({ capture }: Diagnosis, callId: string): Promise<void> {
  const isOver = () => {
    const wasAnswered = capture.responsesTo('INVITE', callId).some(({ status }) => status >= 200 && status < 300)
    return !wasAnswered || capture.responsesTo('BYE', callId).length > 0 || isGone(capture, callId)
  }
  for (const end = monotonicMs() + GOODBYE_MS; !isOver() && monotonicMs() < end; ) await sleep(20)
}

/** The peer hung up. */
const isGone = ({ messages }: Diagnosis['capture'], callId: string): boolean =>
  messages.some(
    ({ direction, message }) =>
      direction === 'in' &&
      message.kind === 'request' &&
      message.method === 'BYE' &&
      message.headers.get('call-id') === callId,
  )

async function converse(talk: Talk): Promise<Finding[]> {
  const { audio, ended } = talk
  const { codec, payloadType, ptimeMs, srtp } = audio.agreed ?? {}
  const encrypted = srtp ? ', encrypted' : ''
  const findings = [passed('codec', `${codec} (number ${payloadType}, ${ptimeMs} ms${encrypted})`)]
  let ending: CallEnding | undefined
  void ended.then((end) => {
    ending = end
  })
  for (const [name, step] of [
    ['audio', listen],
    ['digits', press],
    ['hold', hold],
  ] as const) {
    const finding = await Promise.race([step(talk), ended])
    if (ending && (!('name' in finding) || finding.status !== 'ok')) return [...findings, dropped(talk, name, ending)]
    if ('name' in finding) findings.push(finding)
  }
  return findings
}

function dropped({ user, diagnosis }: Talk, name: 'audio' | 'digits' | 'hold', { detail }: CallEnding): Finding {
  if (diagnosis.signal.aborted) return warning(name, 'there was no time left to try it')
  const when = name === 'hold' ? 'when it was put on hold' : 'before our tone had come back'
  const why = detail ? ` (${detail})` : ''
  return failed(
    name,
    'call_dropped',
    `the peer hung up ${when}${why}`,
    `${diagnosis.host} hung up the call to ${user} ${when}${why}: check that ${user} is an echo service that stays on the line, or ask the carrier why it ends the call.`,
  )
}

async function listen(talk: Talk): Promise<Finding> {
  const { leg, diagnosis, answer, user, audio } = talk
  const enough = new AbortController()
  void leg.play(testTone(LISTEN_MS / 1000 + 1), enough.signal)
  const limitMs = diagnosis.remainingMs(LISTEN_MS)
  const isHeard = (await waitAtMost(limitMs, detectTone(leg.input))) ?? false
  enough.abort()
  const { packetsReceived, packetsSent } = await leg.stats()
  const counted = `${packetsSent} packets sent, ${packetsReceived} received`
  const [hop] = diagnosis.hops
  const hidden = privateAddressIn(answer, hop?.address)
  if (isHeard) {
    if (hidden) return passed('audio', `our tone came back, although the peer's SDP says ${hidden} (${counted})`)
    return passed('audio', `our tone came back (${counted})`)
  }
  if (hidden)
    return failed(
      'audio',
      'private_address',
      `the peer's SDP says ${hidden}, which cannot be reached from here; ${counted}`,
      `${diagnosis.host} tells us to send audio to its private address ${hidden}, where nothing of ours arrives: its own NAT settings must name its public address.`,
    )
  const { from, to } = diagnosis.phone.settings.rtpPorts
  if (packetsReceived === 0) {
    const { remoteDirection } = audio.agreed ?? {}
    const held =
      remoteDirection === 'recvonly' || remoteDirection === 'inactive' ? ` (its SDP says ${remoteDirection})` : ''
    return failed(
      'audio',
      'one_way_audio',
      `nothing came at all; ${counted}`,
      `The call to ${user} was answered, but no audio came from the peer${held}: let UDP ports ${from} to ${to} (RTP_PORTS) through to this machine, and set PUBLIC_ADDRESS if it is behind NAT.`,
    )
  }
  return failed(
    'audio',
    'one_way_audio',
    `audio came, but not ours; ${counted}`,
    `Audio comes from ${diagnosis.host}, but our own did not come back: either ${user} is not an echo service, or what we send does not arrive, so let outgoing UDP through and ask the carrier whether it receives our RTP.`,
  )
}

async function press({ leg, sip, audio, diagnosis }: Talk): Promise<Finding> {
  const { dtmfMode } = diagnosis.trunk
  if (dtmfMode === 'inband') return skipped('digits', 'the trunk sends digits as tones in the audio')
  if (dtmfMode === 'info')
    return (await sip.sendDigitByInfo('5', 160))
      ? passed('digits', 'SIP INFO is accepted')
      : warning('digits', 'the peer refuses digits by SIP INFO: set dtmfMode to auto')
  const number = audio.agreed?.dtmfPayloadType ?? null
  if (number === null)
    return warning('digits', 'the peer does not take digits by RFC 4733, so they go as tones in the audio')
  await leg.sendDigits('5', 'rfc4733')
  return passed('digits', `RFC 4733 is agreed (number ${number})`)
}

async function hold({ sip, audio, diagnosis }: Talk): Promise<Finding> {
  for (const direction of ['sendonly', 'sendrecv'] as const) {
    const what = direction === 'sendonly' ? 'hold' : 'resume'
    const answer = (await waitAtMost(diagnosis.remainingMs(REOFFER_MS), sip.reoffer(audio.offer(direction)))) ?? {
      refuse: 408,
      reason: 'no answer',
    }
    if ('refuse' in answer)
      return warning('hold', `the peer refuses to ${what} (${answer.refuse} ${answer.reason ?? ''})`.trim())
    const problem = audio.accept(answer.sdp)
    if (problem) return warning('hold', `the answer to our ${what} cannot be used: ${problem.detail}`)
    if (direction === 'sendrecv' && audio.agreed?.direction !== 'sendrecv')
      return warning('hold', `after the hold the audio stays ${audio.agreed?.direction}`)
  }
  return passed('hold', 'a re-INVITE holds and resumes the call')
}

function timerOf({ diagnosis: { trunk, capture } }: Talk, callId: string): Finding {
  const accepted = capture
    .responsesTo('INVITE', callId)
    .find(({ status }: SipResponse) => status >= 200 && status < 300)
  const timer = accepted ? readTimer(accepted.headers) : null
  if (timer)
    return passed('session_timer', `${timer.seconds} s, refreshed by ${timer.refresher === 'uas' ? 'them' : 'us'}`)
  return trunk.sessionTimers
    ? passed('session_timer', 'the peer has none, which is fine')
    : skipped('session_timer', 'switched off in the trunk')
}
