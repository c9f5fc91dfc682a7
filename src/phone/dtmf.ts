// Keys pressed towards one far side of a call, by the way that it understands.
import type { InbandDigits, MediaLeg } from '../rtp/leg.ts'
import type { SipCall } from '../sip/dialog/call.ts'
import type { ActOutcome, CallAction } from '../voice/ports.ts'
import type { AudioSession } from './audio-session.ts'
import type { Trunk } from './ports.ts'

const TONE_MS = 160
const GAP_MS = 100
const PAUSE_MS = 500
const DIGITS = /^[0-9*#A-Dw]+$/i

/** Who has no events presses tones; where keys come by INFO they are not looked for in the audio too. */
export const inbandDetection = (trunk: Pick<Trunk, 'dtmfMode'> | null): InbandDigits => {
  const mode = trunk?.dtmfMode ?? 'auto'
  return mode === 'inband' || (mode !== 'info' && 'without-events')
}

export type DtmfSenderParts = { leg: MediaLeg; sip: SipCall; audio: AudioSession; dtmfMode: Trunk['dtmfMode'] }
export type DtmfSender = ReturnType<typeof dtmfSender>
type Digits = Omit<CallAction & { do: 'digits' }, 'do'>

export function dtmfSender({ leg, sip, audio, dtmfMode }: DtmfSenderParts) {
  const hasEvents = () => typeof audio.agreed?.dtmfPayloadType === 'number'
  const wayFor = (mode: Digits['mode']): 'rfc4733' | 'info' | 'inband' => {
    const wished = mode === undefined || mode === 'auto' ? dtmfMode : mode
    if (wished === 'info') return 'info'
    return wished === 'inband' || !hasEvents() ? 'inband' : 'rfc4733'
  }

  async function byInfo(digits: string, toneMs: number, gapMs: number): Promise<boolean> {
    for (const digit of digits) {
      if (digit === 'w') await new Promise((wake) => setTimeout(wake, PAUSE_MS))
      else if (!(await sip.sendDigitByInfo(digit, toneMs))) return false
      else await new Promise((wake) => setTimeout(wake, gapMs))
    }
    return true
  }

  async function send({ digits, mode, toneMs = TONE_MS, gapMs = GAP_MS }: Digits): Promise<ActOutcome> {
    // The digits themselves are not repeated: they may be a password.
    if (!DIGITS.test(digits)) return { status: 'failed', detail: 'digits are 0 to 9, *, #, A to D, and w for a pause' }
    const way = wayFor(mode)
    const wanted = digits.toUpperCase().replaceAll('W', 'w')
    if (way !== 'info') await leg.sendDigits(wanted, way, toneMs, gapMs)
    else if (!(await byInfo(wanted, toneMs, gapMs)))
      return { status: 'failed', detail: 'the far side takes no digits by INFO' }
    return { status: 'done' }
  }

  return {
    press: send,
    /** One that was pressed on the other side of a bridge. A tone that is heard there is heard here too: it is not said twice. */
    async relay(digit: string, by: 'rfc4733' | 'inband' | 'info', durationMs: number): Promise<void> {
      if (by === 'inband' && wayFor('auto') === 'inband') return
      await send({ digits: digit, ...(durationMs > 0 ? { toneMs: durationMs } : {}) })
    },
  }
}
