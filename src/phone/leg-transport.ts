// A telephone call as the conversation sees it: what is heard, what is pressed, what is said, and what can be done with it.
import type { MediaLeg } from '../media/leg.ts'
import type { SipCall } from '../sip/call.ts'
import type { Transport } from '../voice/ports.ts'
import type { AudioSession } from './audio-session.ts'
import type { Trunk } from './ports.ts'

const TONE_MS = 160
const GAP_MS = 100
const TRANSFER_MS = 45_000

export type TransportParts = {
  leg: MediaLeg
  sip: SipCall
  audio: AudioSession
  dtmfMode: Trunk['dtmfMode']
  /** A number or SIP address as a Refer-To of this call's trunk; null when it may not be called. */
  referTarget: (to: string) => string | null
  onTransfer: () => void
  onTransferred: () => void
  hangUp: (reason: string) => void
}

export class TransferFailed extends Error {
  readonly sipCode: number
  constructor(sipCode: number, reason: string) {
    super(`The transfer failed: ${sipCode} ${reason}`)
    this.sipCode = sipCode
  }
}

export function legTransport({ leg, sip, audio, dtmfMode, ...call }: TransportParts): Transport {
  async function sendDigits(digits: string): Promise<void> {
    if (dtmfMode === 'info') {
      for (const digit of digits) {
        if (digit === 'w') await new Promise((wake) => setTimeout(wake, 500))
        else await sip.sendDigitByInfo(digit, TONE_MS)
      }
      return
    }
    const hasEvents = audio.agreed?.dtmfPayloadType !== null && audio.agreed?.dtmfPayloadType !== undefined
    const mode = dtmfMode === 'inband' || !hasEvents ? 'inband' : 'rfc4733'
    await leg.sendDigits(digits, mode, TONE_MS, GAP_MS)
  }

  async function transfer(to: string): Promise<void> {
    const target = call.referTarget(to)
    if (target === null) throw new TransferFailed(403, 'this number may not be called')
    call.onTransfer()
    const { status, reason } = await sip.refer(target, TRANSFER_MS)
    if (status < 200 || status > 299) throw new TransferFailed(status, reason)
    call.onTransferred()
  }

  return {
    input: leg.input,
    digits: leg.digits,
    play: (sound, signal) => leg.play(sound, signal),
    volume: (gain) => leg.volume(gain),
    async act(action) {
      if (action.do === 'digits') await sendDigits(action.digits)
      else if (action.do === 'transfer') await transfer(action.to)
      else call.hangUp(action.reason)
    },
  }
}
