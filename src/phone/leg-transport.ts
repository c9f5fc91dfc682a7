// A SIP call as the conversation engine sees it: audio, digits, playout and call actions.
import type { EndReason } from '../base/domain/end-reasons.ts'
import type { MediaLeg } from '../rtp/leg.ts'
import type { ActOutcome, Transfer, Transport } from '../voice/ports.ts'
import type { DtmfSender } from './dtmf.ts'
import type { HoldMusic } from './hold-music.ts'

export type LegTransportParts = {
  leg: MediaLeg
  dtmf: DtmfSender
  hold: HoldMusic
  transfer: (transfer: Transfer) => Promise<ActOutcome>
  /** The caller was bridged to somebody else and no longer hears the agent. */
  isTransferred: () => boolean
  hangUp: (reason: EndReason) => void
}

export function legTransport({ leg, dtmf, hold, transfer, isTransferred, hangUp }: LegTransportParts): Transport {
  return {
    input: leg.input,
    listen: (options, sink) => leg.listen(options, sink),
    digits: leg.digits,
    play: async (audio, signal) => (isTransferred() ? { playedMs: 0 } : hold.play(audio, signal)),
    volume: (gain) => leg.volume(gain),
    hold: (isHeld) => leg.hold(isHeld),
    async act(action) {
      if (action.do === 'hangup') {
        hangUp(action.reason)
        return { status: 'done' }
      }
      if (isTransferred()) return { status: 'failed', detail: 'the call was transferred to somebody else' }
      return action.do === 'digits' ? dtmf.send(action) : transfer(action)
    },
  }
}
