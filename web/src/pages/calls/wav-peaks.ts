// Waveform peaks of a WAV file, computed while streaming: memory use does not grow with the recording.

type Format = { channels: number; rateHz: number; dataAt: number; dataBytes: number }

const HEADER_BYTES = 4096

/** Parses the WAV header. Null if it is not 16-bit PCM, or if the header is too long. */
export function wavFormat(bytes: Uint8Array): Format | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const word = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))
  if (bytes.length < 12 || word(0) !== 'RIFF' || word(8) !== 'WAVE') return null
  let format: Pick<Format, 'channels' | 'rateHz'> | null = null
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at + 4, true)
    if (word(at) === 'data') return format && { ...format, dataAt: at + 8, dataBytes: size }
    if (word(at) === 'fmt ' && at + 24 <= bytes.length) {
      if (view.getUint16(at + 8, true) !== 1 || view.getUint16(at + 22, true) !== 16) return null
      format = { channels: view.getUint16(at + 10, true), rateHz: view.getUint32(at + 12, true) }
    }
    at += 8 + size + (size % 2)
  }
  return null
}

export type Peaks = {
  /** One array per channel, with values from 0 to 1. */
  channels: Float32Array[]
  durationSeconds: number
}

/** Reads a file of `fileBytes` bytes in chunks of any size, into `points` peaks per channel. */
export function peakReader(fileBytes: number, points: number) {
  let head: Uint8Array | null = new Uint8Array(0)
  let format: Format | null = null
  let peaks: Float32Array[] = []
  let samplesInAll = 0
  let at = 0 // offset of the next audio byte
  let halfSample: number | null = null

  function begin(bytes: Uint8Array): Uint8Array | null {
    const known = wavFormat(bytes)
    if (!known) return null
    format = known
    samplesInAll = Math.max(1, Math.floor(Math.min(known.dataBytes, fileBytes - known.dataAt) / 2 / known.channels))
    peaks = Array.from({ length: known.channels }, () => new Float32Array(points))
    return bytes.subarray(known.dataAt)
  }

  function take(value: number): void {
    const channels = peaks.length
    const sample = at >> 1
    const place = Math.floor((Math.floor(sample / channels) * points) / samplesInAll)
    const loud = Math.abs(value) / 32_768
    const channel = peaks[sample % channels]
    if (channel && place < points && loud > (channel[place] ?? 0)) channel[place] = loud
    at += 2
  }

  const signed = (low: number, high: number) => (((high << 8) | low) << 16) >> 16

  return {
    add(piece: Uint8Array): void {
      let bytes: Uint8Array | null = piece
      if (head) {
        const joined: Uint8Array = new Uint8Array(head.length + piece.length)
        joined.set(head)
        joined.set(piece, head.length)
        bytes = begin(joined)
        head = bytes || joined.length > HEADER_BYTES ? null : joined
      }
      if (!bytes || !format) return
      let i = 0
      if (halfSample !== null && bytes.length > 0) {
        take(signed(halfSample, bytes[0] ?? 0))
        halfSample = null
        i = 1
      }
      for (; i + 1 < bytes.length; i += 2) take(signed(bytes[i] ?? 0, bytes[i + 1] ?? 0))
      if (i < bytes.length) halfSample = bytes[i] ?? 0
    },
    /** Null if the file cannot be rendered. */
    get peaks(): Peaks | null {
      return format && { channels: peaks, durationSeconds: samplesInAll / format.rateHz }
    },
  }
}
