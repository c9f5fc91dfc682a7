// G.711: 16-bit samples to the telephone's 8-bit mu-law (PCMU) and A-law (PCMA) and back, by table.
import { newFrame } from './pcm.ts'

/** ITU-T G.711 table 2: added before the logarithm, in 16-bit steps. */
const ULAW_BIAS = 132
const ULAW_CLIP = 32767 - ULAW_BIAS

function ulawOf(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), ULAW_CLIP) + ULAW_BIAS
  const segment = 31 - Math.clz32(magnitude) - 7
  const step = (magnitude >> (segment + 3)) & 15
  return ~((sample < 0 ? 0x80 : 0) | (segment << 4) | step) & 0xff
}

function fromUlaw(code: number): number {
  const bits = ~code & 0xff
  const magnitude = (((bits & 15) << 3) + ULAW_BIAS) << ((bits >> 4) & 7)
  return bits & 0x80 ? ULAW_BIAS - magnitude : magnitude - ULAW_BIAS
}

function alawOf(sample: number): number {
  const magnitude = (sample < 0 ? -sample - 1 : sample) >> 3
  const segment = Math.max(0, 31 - Math.clz32(magnitude) - 4)
  const step = (magnitude >> Math.max(1, segment)) & 15
  // Even bits are inverted on the line (G.711 section 3.2).
  return ((sample < 0 ? 0 : 0x80) | (segment << 4) | step) ^ 0x55
}

function fromAlaw(code: number): number {
  const bits = code ^ 0x55
  const segment = (bits >> 4) & 7
  const step = ((bits & 15) << 4) + (segment === 0 ? 8 : 0x108)
  const magnitude = step << Math.max(0, segment - 1)
  return bits & 0x80 ? magnitude : -magnitude
}

const ulawToPcm = Int16Array.from({ length: 256 }, (_, code) => fromUlaw(code))
const alawToPcm = Int16Array.from({ length: 256 }, (_, code) => fromAlaw(code))
/** Indexed by the sample's 16 bits as they are. */
const pcmToUlaw = new Uint8Array(65536)
const pcmToAlaw = new Uint8Array(65536)
for (let bits = 0; bits < 65536; bits++) {
  const sample = (bits << 16) >> 16
  pcmToUlaw[bits] = ulawOf(sample)
  pcmToAlaw[bits] = alawOf(sample)
}

function encode(table: Uint8Array, pcm: Int16Array, into?: Uint8Array): Uint8Array {
  const out = into?.length === pcm.length ? into : new Uint8Array(pcm.length)
  for (let i = 0; i < pcm.length; i++) out[i] = table[(pcm[i] as number) & 0xffff] as number
  return out
}

function decode(table: Int16Array, codes: Uint8Array): Int16Array {
  const out = newFrame(codes.length)
  for (let i = 0; i < codes.length; i++) out[i] = table[codes[i] as number] as number
  return out
}

/** Into `into` when it has the length, else into new memory. */
export const encodeUlaw = (pcm: Int16Array, into?: Uint8Array): Uint8Array => encode(pcmToUlaw, pcm, into)
export const decodeUlaw = (codes: Uint8Array): Int16Array => decode(ulawToPcm, codes)
export const encodeAlaw = (pcm: Int16Array, into?: Uint8Array): Uint8Array => encode(pcmToAlaw, pcm, into)
export const decodeAlaw = (codes: Uint8Array): Int16Array => decode(alawToPcm, codes)
