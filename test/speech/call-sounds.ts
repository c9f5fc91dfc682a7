// What a recording shows by itself: where each side is audible, and the agent's level relative to its synthesized
// voice.
import assert from 'node:assert/strict'
import { parseWavHeader, pcmOf } from '../../src/audio/wav.ts'

export const RATE_HZ = 8000
const BLOCK = RATE_HZ / 100
/** Audible is within 30 dB of the loudest sound, and no fainter than this. */
const FAINT = 0.001
const LEAST = 50 ** 2

export type Stretch = { fromMs: number; toMs: number }

/** Caller left, agent right. */
export function sidesOf(bytes: Buffer): { caller: Int16Array; agent: Int16Array } {
  const { rateHz, channels, dataAt } = parseWavHeader(bytes) ?? assert.fail('no WAV')
  assert.deepEqual([rateHz, channels], [RATE_HZ, 2])
  const all = pcmOf(bytes.subarray(dataAt))
  const side = (offset: number) => all.filter((_, i) => i % 2 === offset)
  return { caller: side(0), agent: side(1) }
}

export const partOf = (pcm: Int16Array, { fromMs, toMs }: Stretch) =>
  pcm.subarray(Math.max(0, fromMs * 8), Math.max(0, toMs * 8))

const powersOf = (pcm: Int16Array): number[] =>
  Array.from({ length: Math.floor(pcm.length / BLOCK) }, (_, i) =>
    pcm.subarray(i * BLOCK, (i + 1) * BLOCK).reduce((sum, sample) => sum + (sample * sample) / BLOCK, 0),
  )

/** Stretches of sound separated by at least `quietMs` of silence, each from its first to its last audible 10 ms. */
export function stretchesOf(pcm: Int16Array, quietMs: number): Stretch[] {
  const powers = powersOf(pcm)
  const found: { from: number; to: number }[] = []
  for (const [i, power] of powers.entries()) {
    if (power < LEAST) continue
    const last = found.at(-1)
    if (last && (i - last.to) * 10 < quietMs) last.to = i + 1
    else found.push({ from: i, to: i + 1 })
  }
  return found.map(({ from, to }) => {
    const limit = Math.max(LEAST, FAINT * Math.max(...powers.slice(from, to)))
    const isLoud = (power: number) => power >= limit
    const inside = powers.slice(from, to)
    return { fromMs: (from + inside.findIndex(isLoud)) * 10, toMs: (from + inside.findLastIndex(isLoud) + 1) * 10 }
  })
}

/**
 * The level of each 10 ms of `heard` relative to `made`, both from the same moment, null where the voice pauses; and
 * how similar the two are.
 */
export function gainsOf(
  heard: Int16Array,
  made: Int16Array,
): { gains: (number | null)[]; offset: number; likeness: number } {
  const length = Math.min(heard.length, made.length, RATE_HZ)
  const likenessAt = (offset: number) => {
    let [ab, aa, bb] = [0, 0, 0]
    for (let i = 0; i < length; i++) {
      const [a, b] = [heard[i + offset] ?? 0, made[i] ?? 0]
      ab += a * b
      aa += a * a
      bb += b * b
    }
    return ab / Math.sqrt(aa * bb + 1)
  }
  let best = { offset: 0, likeness: -1 }
  for (let offset = -400; offset <= 400; offset++) {
    const likeness = likenessAt(offset)
    if (likeness > best.likeness) best = { offset, likeness }
  }
  const gains = Array.from({ length: Math.floor(Math.min(heard.length, made.length) / BLOCK) }, (_, block) => {
    let [ab, bb] = [0, 0]
    for (let i = block * BLOCK; i < (block + 1) * BLOCK; i++) {
      const b = made[i - best.offset] ?? 0
      ab += (heard[i] ?? 0) * b
      bb += b * b
    }
    return bb / BLOCK < 200 ** 2 ? null : ab / bb
  })
  return { gains, ...best }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
