// A caller's speech at a nominal level, with its first and last audible frame.

export const LINE_HZ = 8000
export const FRAME_MS = 20
export const FRAME = (LINE_HZ * FRAME_MS) / 1000

/** Level of the voiced part of every caller's turn, in dBFS. */
export const SPEECH_DB = -22
/** Frames this much quieter than the loudest one are leading or trailing silence. */
const EDGE_DB = -42
/** Threshold of the caller's last sound: anything quieter is a fading breath. */
const AUDIBLE_DB = -30
/** The speech level counts only frames above this, relative to the loudest. */
const VOICED_DB = -20

export type Utterance = {
  readonly pcm: Int16Array
  /** The first and the last sound that is clearly audible. */
  readonly firstMs: number
  readonly lastMs: number
}

export const gainOf = (db: number): number => 10 ** (db / 20)

/** In dBFS; −100 for digital silence. */
export function levelOf(pcm: Int16Array): number {
  let energy = 0
  for (const sample of pcm) energy += sample * sample
  return energy === 0 ? -100 : 10 * Math.log10(energy / pcm.length / 32768 ** 2)
}

export const framesOf = (pcm: Int16Array): Int16Array[] =>
  Array.from({ length: Math.ceil(pcm.length / FRAME) }, (_, i) => {
    const frame = new Int16Array(FRAME)
    frame.set(pcm.subarray(i * FRAME, (i + 1) * FRAME))
    return frame
  })

export function utteranceOf(pcm: Int16Array): Utterance {
  const levels = framesOf(pcm).map(levelOf)
  const loudest = Math.max(...levels)
  const isOver = (db: number) => (level: number) => level >= loudest + db
  const from = levels.findIndex(isOver(EDGE_DB))
  const to = levels.findLastIndex(isOver(EDGE_DB)) + 1
  const voiced = levels.filter(isOver(VOICED_DB)).map((level) => 10 ** (level / 10))
  const level = 10 * Math.log10(voiced.reduce((sum, power) => sum + power, 0) / voiced.length)
  const gain = gainOf(SPEECH_DB - level)
  const inside = levels.slice(from, to)
  return {
    pcm: pcm.slice(from * FRAME, to * FRAME).map((sample) => clip(sample * gain)),
    firstMs: inside.findIndex(isOver(AUDIBLE_DB)) * FRAME_MS,
    lastMs: (inside.findLastIndex(isOver(AUDIBLE_DB)) + 1) * FRAME_MS,
  }
}

export const clip = (sample: number): number => Math.max(-32768, Math.min(32767, Math.round(sample)))
