// Negotiates one call's audio by SDP offer/answer and configures its media leg accordingly.
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
  /** The address that the remote side sends audio to. */
  address: string
  codecs: readonly CodecName[]
  encryption: LocalMedia['encryption']
}

/** A device has no media settings of its own. */
export const audioTerms = (trunk: Trunk | null, address: string): AudioTerms => ({
  address,
  codecs: trunk?.codecs ?? everyCodec,
  encryption: trunk?.mediaEncryption ?? 'allowed',
})

export type AudioSession = ReturnType<typeof audioSession>

/** `peerAddress` is read at every agreement: the current source of the remote signaling. */
export function audioSession(
  leg: MediaLeg,
  terms: AudioTerms,
  peerAddress: () => string | null,
  hasCodec: (codec: CodecName) => boolean = isAvailable,
) {
  // Opus is an optional package: without it, it is neither offered nor accepted.
  const codecs = terms.codecs.filter(hasCodec)
  const base = { ...terms, codecs, port: leg.port, sessionId: String(randomInt(2 ** 47)), version: 1 }
  let before: LocalMedia['before']
  let pending: Offer | undefined
  const local = (): LocalMedia => (before ? { ...base, before } : base)

  function agree(sdp: string, agreed: NegotiatedAudio): void {
    before = { sdp, agreed }
    const signaling = peerAddress()
    leg.configure({ ...agreed, signaling: signaling && plainAddress(signaling) })
  }

  const session = {
    get agreed(): NegotiatedAudio | undefined {
      return before?.agreed
    },

    /** Our offer, to be followed by `accept`. `sendonly` puts the remote side on hold. */
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
      const answered = answerOffer(offerSdp, local())
      if ('problem' in answered) return answered
      agree(answered.sdp, answered.agreed)
      return { sdp: answered.sdp }
    },

    /** Answers a re-INVITE or UPDATE; without an offer, it requests ours. A failed negotiation changes nothing. */
    reoffered(offerSdp: string | null): OfferAnswer {
      if (offerSdp === null) return { sdp: session.offer() }
      const answered = session.answer(offerSdp)
      return 'sdp' in answered ? answered : { refuse: 488, reason: 'Not Acceptable Here' }
    },
  }
  return session
}
