// Sends one INVITE by one route and waits until it is answered or over.
import type { MediaLeg } from '../rtp/leg.ts'
import type { CallEnding, SipCall, UserAgent } from '../sip/dialog/call.ts'
import { type AudioSession, audioSession, audioTerms } from './audio-session.ts'
import type { Ladders } from './ladders.ts'
import type { Route } from './route.ts'

export type DialParts = {
  ua: Pick<UserAgent, 'invite'>
  /** The address that our SDP gives to this route. */
  addressFor: (route: Route) => Promise<string>
  ladders: Pick<Ladders, 'hold' | 'release'>
}

export type DialOptions = {
  /** The user who owns the call. */
  owner: string
  ringMs: number
  /** Cancels the call while it rings. */
  signal: AbortSignal
  onRinging?(): void
  onDigit(digit: string, durationMs: number): void
}

export type DialResult = {
  sip: SipCall
  audio: AudioSession
  ended: Promise<CallEnding>
  isAnswered: boolean
  /** The answer has no codec in common with our offer. */
  mismatch: string | undefined
}

/** Gives up on a dead trunk before RFC 3261's 32 s: a person is waiting. */
const FIRST_RESPONSE_MS = 4000

export async function dial(parts: DialParts, route: Route, leg: MediaLeg, options: DialOptions): Promise<DialResult> {
  const { trunk, device: _device, fromNumber: _from, ...target } = route
  const { ringMs, signal } = options
  let sip: SipCall | undefined
  const audio = audioSession(leg, audioTerms(trunk, await parts.addressFor(route)), () => sip?.peerAddress ?? null)
  const ended = Promise.withResolvers<CallEnding>()
  const answered = Promise.withResolvers<void>()
  let isAnswered = false
  let mismatch: string | undefined
  const request = {
    ...target,
    sdp: audio.offer(),
    owner: options.owner,
    ringTimeoutMs: ringMs,
    firstResponseTimeoutMs: FIRST_RESPONSE_MS,
  }
  sip = parts.ua.invite(request, {
    onRinging: () => options.onRinging?.(),
    onAnswered(sdp) {
      const problem = sdp === null ? undefined : audio.accept(sdp)
      if (problem) {
        mismatch = `No audio in common: ${problem.detail}`
        sip?.hangUp({ code: 488, text: 'Not Acceptable Here' })
        return
      }
      isAnswered = true
      answered.resolve()
    },
    onOffer: (sdp) => audio.reoffered(sdp),
    onLateAnswer: (sdp) => void audio.accept(sdp),
    onDigit: options.onDigit,
    onEnd: (ending) => ended.resolve(ending),
  })
  const call = sip
  parts.ladders.hold(call.callId)
  const cancel = () => call.hangUp()
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  await Promise.race([answered.promise, ended.promise])
  signal.removeEventListener('abort', cancel)
  return { sip: call, audio, ended: ended.promise, isAnswered, mismatch }
}
