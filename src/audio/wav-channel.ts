// One channel of a stereo WAV, or a mono mix, as a WAV of its own; supports ranges.
import { parseWavHeader, WAV_HEADER_BYTES, wavHeader } from './wav.ts'

/** The peer is left, ours right. */
export type ChannelChoice = 'caller' | 'agent' | 'mixed'

export type OneChannel = {
  header: Buffer
  /** Size of header and samples together. */
  bytes: number
  /** Where the stereo samples begin in the file: four bytes there make two here. */
  dataAt: number
  /** The mono samples of whole stereo frames, four bytes each. */
  pick(stereo: Buffer): Buffer
}

/** From the beginning of the file; null unless it has two channels of 16 bits. */
export function oneChannel(start: Buffer, fileBytes: number, choice: ChannelChoice): OneChannel | null {
  const found = parsed(start)
  if (found?.format !== 1 || found.bits !== 16 || found.channels !== 2) return null
  const frames = Math.floor(Math.max(0, Math.min(found.dataBytes, fileBytes - found.dataAt)) / 4)
  const at = choice === 'agent' ? 2 : 0
  return {
    header: wavHeader(found.rateHz, frames),
    bytes: WAV_HEADER_BYTES + frames * 2,
    dataAt: found.dataAt,
    pick(stereo) {
      const mono = Buffer.allocUnsafe(stereo.length >> 1)
      for (let i = 0; i + 4 <= stereo.length; i += 4) {
        // Halved, so that the sum of both does not clip.
        const sample =
          choice === 'mixed' ? (stereo.readInt16LE(i) + stereo.readInt16LE(i + 2)) >> 1 : stereo.readInt16LE(i + at)
        mono.writeInt16LE(sample, i >> 1)
      }
      return mono
    },
  }
}

function parsed(start: Buffer) {
  try {
    return parseWavHeader(start)
  } catch {
    return undefined // no WAV
  }
}
