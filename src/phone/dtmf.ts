// DTMF towards one party of a call: RFC 4733 events, SIP INFO or in-band tones.
import { setTimeout as sleep } from 'node:timers/promises'
import type { InbandDigits, MediaLeg } from '../rtp/leg.ts'
import type { SipCall } from '../sip/dialog/call.ts'
import type { ActOutcome, CallAction } from '../voice/ports.ts'
import type { AudioSession } from './audio-session.ts'
import type { Trunk } from './ports.ts'

const TONE_MS = 160
const GAP_MS = 100
const PAUSE_MS = 500
const DIGITS = /^[0-9*#A-Dw]+$/i

/** Tones are detected where no telephone-events were negotiated, but never beside SIP INFO. */
export const inbandDetection = (trunk: Pick<Trunk, 'dtmfMode'> | null): InbandDigits => {
  const mode = trunk?.dtmfMode ?? 'auto'
  return mode === 'inband' || (mode !== 'info' && 'without-events')
}

export type DtmfSenderParts = { leg: MediaLeg; sip: SipCall; audio: AudioSession; dtmfMode: Trunk['dtmfMode'] }
export type DtmfSender = ReturnType<typeof dtmfSender>
type Digits = Omit<CallAction & { do: 'digits' }, 'do'>
export type DigitSource = 'rfc4733' | 'inband' | 'info'

export function dtmfSender({ leg, sip, audio, dtmfMode }: DtmfSenderParts) {
  const hasEvents = () => typeof audio.agreed?.dtmfPayloadType === 'number'
  const methodFor = (mode: Digits['mode']): DigitSource => {
    const preferred = mode === undefined || mode === 'auto' ? dtmfMode : mode
    if (preferred === 'info') return 'info'
    return preferred === 'inband' || !hasEvents() ? 'inband' : 'rfc4733'
  }

  async function sendByInfo(digits: string, toneMs: number, gapMs: number): Promise<boolean> {
    for (const digit of digits) {
      if (digit === 'w') await sleep(PAUSE_MS)
      else if (!(await sip.sendDigitByInfo(digit, toneMs))) return false
      else await sleep(gapMs)
    }
    return true
  }

  async function send({ digits, mode, toneMs = TONE_MS, gapMs = GAP_MS }: Digits): Promise<ActOutcome> {
    // The error does not repeat the digits: they may be a PIN.
    if (!DIGITS.test(digits)) return { status: 'failed', detail: 'digits are 0 to 9, *, #, A to D, and w for a pause' }
    const method = methodFor(mode)
    const normalized = digits.toUpperCase().replaceAll('W', 'w')
    if (method !== 'info') await leg.sendDigits(normalized, method, toneMs, gapMs)
    else if (!(await sendByInfo(normalized, toneMs, gapMs)))
      return { status: 'failed', detail: 'the remote side does not accept digits by SIP INFO' }
    return { status: 'done' }
  }

  return {
    send,
    /** Relays a digit from the other side of a bridge. In-band tones already pass with the audio. */
    async relay(digit: string, by: DigitSource, durationMs: number): Promise<void> {
      if (by === 'inband' && methodFor('auto') === 'inband') return
      await send({ digits: digit, toneMs: durationMs > 0 ? durationMs : undefined })
    },
  }
}
