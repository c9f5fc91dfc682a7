// WAV: headers of finished and streaming files, and a tolerant reader.
import { decodeAlaw, decodeUlaw } from './g711.ts'
import { clamped } from './pcm.ts'
import { checkRate } from './rate.ts'

export const WAV_HEADER_BYTES = 44
/** Length of a stream that has not ended: readers then read to its end. */
const UNKNOWN = 0xffffffff

/** 16-bit PCM. Without `samples` (per channel) the length is left open, as a stream must. */
export function wavHeader(rateHz: number, samples?: number, channels = 1): Buffer {
  const dataBytes = samples === undefined ? UNKNOWN : samples * channels * 2
  const header = Buffer.alloc(WAV_HEADER_BYTES)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(samples === undefined ? UNKNOWN : WAV_HEADER_BYTES - 8 + dataBytes, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(formats.pcm, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(rateHz, 24)
  header.writeUInt32LE(rateHz * channels * 2, 28)
  header.writeUInt16LE(channels * 2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(dataBytes, 40)
  return header
}

/** Samples as the bytes that a WAV file holds. A view, not a copy: every machine that Node runs on is little-endian. */
export const pcmBytes = (pcm: Int16Array): Buffer => Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength)

/** The samples in bytes that a socket or a file gave; an odd last byte is left out. */
export function pcmOf(bytes: Uint8Array): Int16Array {
  const length = bytes.byteLength >> 1
  if (bytes.byteOffset % 2 === 0) return new Int16Array(bytes.buffer, bytes.byteOffset, length)
  return new Int16Array(Uint8Array.from(bytes.subarray(0, length * 2)).buffer)
}

export const wavFile = (pcm: Int16Array, rateHz: number): Buffer =>
  Buffer.concat([wavHeader(rateHz, pcm.length), pcmBytes(pcm)])

const formats = { pcm: 1, float: 3, alaw: 6, ulaw: 7, extensible: 0xfffe } as const

export type Wav = { rateHz: number; channels: number; pcm: Int16Array }
export type WavFormat = { format: number; rateHz: number; channels: number; bits: number }

/** The format and the offset of the samples; undefined while `bytes` is too short. Throws on other files and unsupported rates. */
export function parseWavHeader(bytes: Buffer): (WavFormat & { dataAt: number; dataBytes: number }) | undefined {
  const opening = bytes.toString('latin1', 0, 12)
  if (!'RIFF'.startsWith(opening.slice(0, 4)) || !'WAVE'.startsWith(opening.slice(8, 12)))
    throw new Error('not a WAV file')
  let format: WavFormat | undefined
  for (let at = 12; at + 8 <= bytes.length; ) {
    const id = bytes.toString('latin1', at, at + 4)
    const size = bytes.readUInt32LE(at + 4)
    if (id === 'data') {
      if (!format) throw new Error('the WAV file has no format before its data')
      return { ...format, dataAt: at + 8, dataBytes: size }
    }
    if (id === 'fmt ') {
      if (at + 8 + size > bytes.length) return undefined
      format = parseFormat(bytes.subarray(at + 8, at + 8 + size))
    }
    at += 8 + size + (size % 2)
  }
  return undefined
}

function parseFormat(chunk: Buffer): WavFormat {
  if (chunk.length < 16) throw new Error('the WAV file has a broken format')
  const code = chunk.readUInt16LE(0)
  const isExtensible = code === formats.extensible && chunk.length >= 26
  const found = {
    format: isExtensible ? chunk.readUInt16LE(24) : code,
    channels: chunk.readUInt16LE(2),
    rateHz: chunk.readUInt32LE(4),
    bits: chunk.readUInt16LE(14),
  }
  if (found.channels < 1) throw new Error('the WAV file has a broken format')
  checkRate(found.rateHz)
  return found
}

/** A whole file; several channels are averaged into one. A file shorter than its header says is read to its end. */
export function readWav(bytes: Buffer): Wav {
  const header = parseWavHeader(bytes)
  if (!header) throw new Error('the WAV file has no data')
  const { rateHz, channels } = header
  const end = Math.min(bytes.length, header.dataAt + header.dataBytes)
  const all = samplesOf(bytes.subarray(header.dataAt, end), header)
  if (channels === 1) return { rateHz, channels, pcm: all }
  const pcm = new Int16Array(Math.floor(all.length / channels))
  for (let i = 0; i < pcm.length; i++) {
    let sum = 0
    for (let channel = 0; channel < channels; channel++) sum += all[i * channels + channel] as number
    pcm[i] = Math.round(sum / channels)
  }
  return { rateHz, channels, pcm }
}

function samplesOf(data: Buffer, { format, bits }: WavFormat): Int16Array {
  const every = (width: number, read: (at: number) => number) => {
    const pcm = new Int16Array(Math.floor(data.length / width))
    for (let i = 0; i < pcm.length; i++) pcm[i] = read(i * width)
    return pcm
  }
  if (format === formats.ulaw) return decodeUlaw(data)
  if (format === formats.alaw) return decodeAlaw(data)
  if (format === formats.pcm && bits === 16) return pcmOf(data)
  if (format === formats.pcm && bits === 8) return every(1, (at) => ((data[at] as number) - 128) << 8)
  if (format === formats.pcm && bits === 24) return every(3, (at) => data.readInt16LE(at + 1))
  if (format === formats.pcm && bits === 32) return every(4, (at) => data.readInt16LE(at + 2))
  if (format === formats.float && bits === 32) return every(4, (at) => clamped(data.readFloatLE(at) * 32768))
  throw new Error(`WAV format ${format} with ${bits} bits is not known`)
}
