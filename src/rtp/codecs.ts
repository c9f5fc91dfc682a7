// The supported codecs behind one interface: 16-bit PCM to RTP payloads and back.
import { decodeAlaw, decodeUlaw, encodeAlaw, encodeUlaw } from '../audio/g711.ts'
import { createG722Decoder, createG722Encoder } from '../audio/g722.ts'
import { isOpusLoaded, openOpus } from '../audio/opus.ts'
import type { CodecName } from './leg.ts'

export type Codec = {
  readonly name: CodecName
  /** PCM sample rate. */
  readonly rateHz: 8000 | 16000
  /** RTP clock rate: also 8000 for G.722 (RFC 3551 section 4.5.2), always 48000 for Opus (RFC 7587). */
  readonly clockHz: 8000 | 48000
  /** 20 ms at `rateHz`, or another multiple of 10 ms that the codec supports. G.711 writes into `into` if its length fits. */
  encode(pcm: Int16Array, into?: Uint8Array): Uint8Array
  /** Never throws: an invalid payload decodes to no samples. */
  decode(payload: Uint8Array): Int16Array
  close?(): void
}

/** The cost of a leg to its media thread, in legs of G.711. */
export const legWeights: Readonly<Record<CodecName, number>> = { PCMU: 1, PCMA: 1, G722: 4, opus: 10 }

/** Call `loadOpus()` first. */
export const isAvailable = (name: CodecName): boolean => name !== 'opus' || isOpusLoaded()

/** One per leg: G.722 and Opus keep state for each direction. */
export function openCodec(name: CodecName): Codec {
  if (name === 'PCMU') return { name, rateHz: 8000, clockHz: 8000, encode: encodeUlaw, decode: decodeUlaw }
  if (name === 'PCMA') return { name, rateHz: 8000, clockHz: 8000, encode: encodeAlaw, decode: decodeAlaw }
  if (name === 'G722') {
    return { name, rateHz: 16000, clockHz: 8000, encode: createG722Encoder(), decode: createG722Decoder() }
  }
  return { name, rateHz: 16000, clockHz: 48000, ...openOpus() }
}
