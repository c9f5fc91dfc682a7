// The echo call of an examination: rings, agrees on audio, sends a tone and listens for it, then digits, hold and good-bye.
import { setTimeout as sleep } from 'node:timers/promises'
import { waitAtMost } from '../../base/abort.ts'
import { monotonicMs } from '../../base/clock.ts'
import type { MediaLeg } from '../../rtp/leg.ts'
import type { CallEnding, SipCall } from '../../sip/dialog/call.ts'
import { readTimer } from '../../sip/dialog/session-timer.ts'
import type { Hop, SipResponse } from '../../sip/message/message.ts'
import { privateAddressIn } from '../../sip/sdp/sdp-parse.ts'
import { type AudioSession, audioSession, audioTerms } from '../audio-session.ts'
import { dialString } from '../numbers.ts'
import { trunkRoute } from '../outbound-routing.ts'
import { judgeEnding, judgeSdp } from './call-end.ts'
import type { Exam } from './exam.ts'
import { doubtful, type Finding, failed, fine, skipped } from './report.ts'
import { hearsTone, toneFor } from './tone.ts'

const RING_MS = 8000
const FIRST_RESPONSE_MS = 4000
/** A far side that passes through two carriers and a jitter buffer is there by then. */
const LISTEN_MS = 4000
const REOFFER_MS = 2500
const GOODBYE_MS = 1000

/** E.164 as the trunk wants it; a short code of the carrier as it is. */
export const dialled = (exam: Pick<Exam, 'trunk'>, number: string): string =>
  number.startsWith('+') ? dialString(number, exam.trunk.numberFormat) : number

export async function echoCall(exam: Exam, number: string): Promise<Finding[]> {
  const { line, trunk } = exam
  if (!trunk.directions.includes('outbound')) return [skipped('call', 'the trunk is not for outbound calls')]
  const place = line.enter(trunk)
  if ('text' in place) return [skipped('call', place.text)]
  let leg: MediaLeg | undefined
  try {
    leg = await line.media.open()
    return await placeCall(exam, dialled(exam, number), leg)
  } finally {
    await leg?.close()
    place.leave()
  }
}

type Talk = {
  exam: Exam
  user: string
  sip: SipCall
  leg: MediaLeg
  audio: AudioSession
  ended: Promise<CallEnding>
  /** What the far side answered with. */
  answer: string
}

async function placeCall(exam: Exam, user: string, leg: MediaLeg): Promise<Finding[]> {
  const { line, trunk, host, hops, watch } = exam
  const [hop] = hops as [Hop]
  const { settings, ua } = line
  const address = settings.publicAddress ?? ua.stack.contactOf(hop).host
  const audio = audioSession(leg, audioTerms(trunk, address), () => sip.peerAddress)
  const {
    trunk: _,
    device,
    fromNumber,
    ...route
  } = trunkRoute(trunk, host, {
    user,
    displayName: 'Ramal',
    contactUser: line.contactUser(trunk),
  })
  const began = monotonicMs()
  const ended = Promise.withResolvers<CallEnding>()
  const answered = Promise.withResolvers<string | null>()
  const limits = { ringTimeoutMs: exam.leftMs(RING_MS), firstResponseTimeoutMs: exam.leftMs(FIRST_RESPONSE_MS) }
  const sip: SipCall = ua.invite(
    { ...route, refusal: line.refusalFor(trunk), sdp: audio.offer(), ...limits },
    {
      onAnswered: answered.resolve,
      onOffer: (sdp) => audio.reoffered(sdp),
      onLateAnswer: (sdp) => void audio.accept(sdp),
      onEnd: ended.resolve,
    },
  )
  const callId = watch.follow(sip.callId)
  const hangUp = () => sip.hangUp()
  exam.signal.addEventListener('abort', hangUp, { once: true })
  try {
    const first = await Promise.race([answered.promise, ended.promise])
    const tookMs = Math.round(monotonicMs() - began)
    if (first !== null && typeof first === 'object') return [judgeEnding(exam, user, first, callId)]
    const problem = audio.accept(first ?? '')
    if (problem) return [fine('call', `answered after ${tookMs} ms`), judgeSdp(exam, problem, first ?? '')]
    const talk = { exam, user, sip, leg, audio, ended: ended.promise, answer: first ?? '' }
    return [fine('call', `${user} answered after ${tookMs} ms`), ...(await converse(talk)), timerOf(talk, callId)]
  } finally {
    exam.signal.removeEventListener('abort', hangUp)
    hangUp()
    await goodBye(exam, callId)
  }
}

/** So that the ladder is whole. */
async function goodBye({ watch }: Exam, callId: string): Promise<void> {
  const isOver = () => {
    const wasAnswered = watch.answersTo('INVITE', callId).some(({ status }) => status >= 200 && status < 300)
    return !wasAnswered || watch.answersTo('BYE', callId).length > 0 || isGone(watch, callId)
  }
  for (const end = monotonicMs() + GOODBYE_MS; !isOver() && monotonicMs() < end; ) await sleep(20)
}

/** The far side hung up itself. */
const isGone = ({ seen }: Exam['watch'], callId: string): boolean =>
  seen.some(
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
  const findings = [fine('codec', `${codec} (number ${payloadType}, ${ptimeMs} ms${encrypted})`)]
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

function dropped({ user, exam }: Talk, name: 'audio' | 'digits' | 'hold', { detail }: CallEnding): Finding {
  if (exam.signal.aborted) return doubtful(name, 'there was no time left to try it')
  const when = name === 'hold' ? 'when it was put on hold' : 'before our tone had come back'
  const why = detail ? ` (${detail})` : ''
  return failed(
    name,
    'call_dropped',
    `the far side hung up ${when}${why}`,
    `${exam.host} hung up the call to ${user} ${when}${why}: check that ${user} is an echo service that stays on the line, or ask the carrier why it ends the call.`,
  )
}

async function listen(talk: Talk): Promise<Finding> {
  const { leg, exam, answer, user, audio } = talk
  const enough = new AbortController()
  void leg.play(toneFor(LISTEN_MS / 1000 + 1), enough.signal)
  const limitMs = exam.leftMs(LISTEN_MS)
  const isHeard = (await waitAtMost(limitMs, hearsTone(leg.input))) ?? false
  enough.abort()
  const { packetsReceived, packetsSent } = await leg.stats()
  const counted = `${packetsSent} packets sent, ${packetsReceived} received`
  const [hop] = exam.hops
  const hidden = privateAddressIn(answer, hop?.address)
  if (isHeard) {
    if (hidden) return fine('audio', `our tone came back, although the far side's SDP says ${hidden} (${counted})`)
    return fine('audio', `our tone came back (${counted})`)
  }
  if (hidden)
    return failed(
      'audio',
      'private_address',
      `the far side's SDP says ${hidden}, which cannot be reached from here; ${counted}`,
      `${exam.host} tells us to send audio to its private address ${hidden}, where nothing of ours arrives: its own NAT settings must name its public address.`,
    )
  const { from, to } = exam.line.settings.rtpPorts
  if (packetsReceived === 0) {
    const { remoteDirection } = audio.agreed ?? {}
    const held =
      remoteDirection === 'recvonly' || remoteDirection === 'inactive' ? ` (its SDP says ${remoteDirection})` : ''
    return failed(
      'audio',
      'one_way_audio',
      `nothing came at all; ${counted}`,
      `The call to ${user} was answered, but no audio came from the far side${held}: let UDP ports ${from} to ${to} (RTP_PORTS) through to this machine, and set PUBLIC_ADDRESS if it is behind NAT.`,
    )
  }
  return failed(
    'audio',
    'one_way_audio',
    `audio came, but not ours; ${counted}`,
    `Audio comes from ${exam.host}, but our own did not come back: either ${user} is not an echo service, or what we send does not arrive, so let outgoing UDP through and ask the carrier whether it receives our RTP.`,
  )
}

async function press({ leg, sip, audio, exam }: Talk): Promise<Finding> {
  const { dtmfMode } = exam.trunk
  if (dtmfMode === 'inband') return skipped('digits', 'the trunk sends digits as tones in the audio')
  if (dtmfMode === 'info')
    return (await sip.sendDigitByInfo('5', 160))
      ? fine('digits', 'SIP INFO is accepted')
      : doubtful('digits', 'the far side refuses digits by SIP INFO: set dtmfMode to auto')
  const number = audio.agreed?.dtmfPayloadType ?? null
  if (number === null)
    return doubtful('digits', 'the far side does not take digits by RFC 4733, so they go as tones in the audio')
  await leg.sendDigits('5', 'rfc4733')
  return fine('digits', `RFC 4733 is agreed (number ${number})`)
}

async function hold({ sip, audio, exam }: Talk): Promise<Finding> {
  for (const direction of ['sendonly', 'sendrecv'] as const) {
    const what = direction === 'sendonly' ? 'hold' : 'resume'
    const answer = (await waitAtMost(exam.leftMs(REOFFER_MS), sip.reoffer(audio.offer(direction)))) ?? {
      refuse: 408,
      reason: 'no answer',
    }
    if ('refuse' in answer)
      return doubtful('hold', `the far side refuses to ${what} (${answer.refuse} ${answer.reason ?? ''})`.trim())
    const problem = audio.accept(answer.sdp)
    if (problem) return doubtful('hold', `the answer to our ${what} cannot be used: ${problem.detail}`)
    if (direction === 'sendrecv' && audio.agreed?.direction !== 'sendrecv')
      return doubtful('hold', `after the hold the audio stays ${audio.agreed?.direction}`)
  }
  return fine('hold', 'a re-INVITE holds and resumes the call')
}

function timerOf({ exam: { trunk, watch } }: Talk, callId: string): Finding {
  const accepted = watch.answersTo('INVITE', callId).find(({ status }: SipResponse) => status >= 200 && status < 300)
  const timer = accepted ? readTimer(accepted.headers) : null
  if (timer)
    return fine('session_timer', `${timer.seconds} s, refreshed by ${timer.refresher === 'uas' ? 'them' : 'us'}`)
  return trunk.sessionTimers
    ? fine('session_timer', 'the far side has none; that is no trouble')
    : skipped('session_timer', 'switched off in the trunk')
}
