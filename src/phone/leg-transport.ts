// A telephone call as the conversation sees it: what is heard, what is pressed, what is said, and what can be done with it.
import type { EndReason } from '../base/end-reasons.ts'
import type { MediaLeg } from '../rtp/leg.ts'
import type { ActOutcome, Transfer, Transport } from '../voice/ports.ts'
import type { Keys } from './dtmf.ts'
import type { HoldSound } from './hold-sound.ts'

export type TransportParts = {
  leg: MediaLeg
  keys: Keys
  hold: HoldSound
  transfer: (transfer: Transfer) => Promise<ActOutcome>
  /** The call belongs to others now: the agent is not heard any more. */
  isGiven: () => boolean
  hangUp: (reason: EndReason) => void
}

export function legTransport({ leg, keys, hold, transfer, isGiven, hangUp }: TransportParts): Transport {
  return {
    input: leg.input,
    digits: leg.digits,
    play: async (sound, signal) => (isGiven() ? { playedMs: 0 } : hold.play(sound, signal)),
    volume: (gain) => leg.volume(gain),
    async act(action) {
      if (action.do === 'hangup') {
        hangUp(action.reason)
        return { status: 'done' }
      }
      if (isGiven()) return { status: 'failed', detail: 'the call was given to somebody else' }
      return action.do === 'digits' ? keys.press(action) : transfer(action)
    },
  }
}
