// The supported codecs behind one interface: 16-bit PCM to RTP payloads and back.
import { decodeAlaw, decodeUlaw, encodeAlaw, encodeUlaw } from '../audio/g711.ts'
import { createG722Decoder, createG722Encoder } from '../audio/g722.ts'
import type { CodecName } from './leg.ts'
import { isOpusLoaded, openOpus } from './opus.ts'

export type Codec = {
  readonly name: CodecName
  /** Of the PCM. */
  readonly rateHz: 8000 | 16000
  /** Of the RTP timestamps: 8000 for G.722 too (RFC 3551 section 4.5.2), 48000 for Opus whatever it carries (RFC 7587). */
  readonly clockHz: 8000 | 48000
  /** 20 ms at `rateHz`, or another multiple of 10 ms that the codec knows. G.711 writes into `into` when it has the length. */
  encode(pcm: Int16Array, into?: Uint8Array): Uint8Array
  /** Never throws: what cannot be decoded is no samples at all. */
  decode(payload: Uint8Array): Int16Array
  close?(): void
}

/** What a leg costs its media thread, in legs of G.711. */
export const legWeights: Readonly<Record<CodecName, number>> = { PCMU: 1, PCMA: 1, G722: 4, opus: 10 }

/** Opus needs `await loadOpus()` before. */
export const isAvailable = (name: CodecName): boolean => name !== 'opus' || isOpusLoaded()

/** One for each leg: G.722 and Opus remember what was before, each direction for itself. */
export function openCodec(name: CodecName): Codec {
  if (name === 'PCMU') return { name, rateHz: 8000, clockHz: 8000, encode: encodeUlaw, decode: decodeUlaw }
  if (name === 'PCMA') return { name, rateHz: 8000, clockHz: 8000, encode: encodeAlaw, decode: decodeAlaw }
  if (name === 'G722') {
    return { name, rateHz: 16000, clockHz: 8000, encode: createG722Encoder(), decode: createG722Decoder() }
  }
  return { name, rateHz: 16000, clockHz: 48000, ...openOpus() }
}
