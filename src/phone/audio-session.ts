// One call's audio: what offer and answer agree on is what its leg does. Knows SDP and the leg, nothing of the call.
import { randomInt } from 'node:crypto'
import { isAvailable } from '../rtp/codecs.ts'
import type { Direction, MediaLeg } from '../rtp/leg.ts'
import type { OfferAnswer } from '../sip/dialog/call.ts'
import {
  answerOffer,
  type CodecName,
  type LocalMedia,
  makeOffer,
  type NegotiatedAudio,
  type Offer,
  readAnswer,
  type SdpProblem,
} from '../sip/sdp/offer-answer.ts'
import { plainAddress } from './address-set.ts'
import type { Trunk } from './ports.ts'

const everyCodec: Trunk['codecs'] = ['opus', 'G722', 'PCMA', 'PCMU']

export type AudioTerms = {
  /** What the far side is told to send to. */
  address: string
  codecs: readonly CodecName[]
  encryption: LocalMedia['encryption']
}

/** As the trunk has it; a device has no settings for it. */
export const audioTerms = (trunk: Trunk | null, address: string): AudioTerms => ({
  address,
  codecs: trunk?.codecs ?? everyCodec,
  encryption: trunk?.mediaEncryption ?? 'allowed',
})

export type AudioSession = ReturnType<typeof audioSession>

/** `peerAddress` is asked at every agreement: where the far side's signalling comes from by then. */
export function audioSession(leg: MediaLeg, terms: AudioTerms, peerAddress: () => string | null) {
  // Opus comes in an optional package: what is not there is neither offered nor agreed on.
  const codecs = terms.codecs.filter(isAvailable)
  const base = { ...terms, codecs, port: leg.port, sessionId: String(randomInt(2 ** 47)), version: 1 }
  let before: LocalMedia['before']
  let pending: Offer | undefined
  const local = (): LocalMedia => (before ? { ...base, before } : base)

  function agree(sdp: string, agreed: NegotiatedAudio): void {
    before = { sdp, agreed }
    const signalling = peerAddress()
    leg.configure({ ...agreed, signalling: signalling && plainAddress(signalling) })
  }

  const session = {
    get agreed(): NegotiatedAudio | undefined {
      return before?.agreed
    },

    /** Our offer, to be followed by `accept`. `sendonly` holds the far side. */
    offer(direction: Direction = 'sendrecv'): string {
      pending = makeOffer({ ...local(), direction })
      return pending.sdp
    },

    /** The answer to our offer. */
    accept(answerSdp: string): SdpProblem | undefined {
      if (!pending) return { problem: 'unreadable', detail: 'there was no offer to answer' }
      const agreed = readAnswer(pending, answerSdp)
      if ('problem' in agreed) return agreed
      agree(pending.sdp, agreed)
      return undefined
    },

    answer(offerSdp: string): { sdp: string } | SdpProblem {
      const taken = answerOffer(offerSdp, local())
      if ('problem' in taken) return taken
      agree(taken.sdp, taken.agreed)
      return { sdp: taken.sdp }
    },

    /** A re-INVITE or UPDATE; one without an offer asks for ours. What cannot be agreed leaves everything as it was. */
    reoffered(offerSdp: string | null): OfferAnswer {
      if (offerSdp === null) return { sdp: session.offer() }
      const taken = session.answer(offerSdp)
      return 'sdp' in taken ? taken : { refuse: 488, reason: 'Not Acceptable Here' }
    },
  }
  return session
}
