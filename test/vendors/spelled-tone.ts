// The voice of the vendors' protocol servers: every letter is a tone of its own for 40 ms, so that a call's recording
// shows which words were heard.
import { levelDb } from '../../src/audio/pcm.ts'

export const LETTER_MS = 40
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789 '
const LOWEST_HZ = 400
/** The highest letter is at 3100 Hz, within the telephone band. */
const STEP_HZ = 75
const RAMP_MS = 2
const LOUDNESS = 9000

const hzOf = (index: number) => LOWEST_HZ + STEP_HZ * index

/** The text in readable form: lowercase letters without accents, digits, and one space for each other character. */
export const spelling = (text: string): string =>
  [...text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()]
    .map((it) => (letters.includes(it) ? it : ' '))
    .join('')

const MAX_KEPT = 100
const kept = new Map<string, Int16Array>()

/** Cached, because many concurrent calls mostly say the same. */
export function spelledTone(text: string, rateHz: number): Int16Array {
  const key = `${rateHz} ${spelling(text) || ' '}`
  const pcm = kept.get(key) ?? madeTone(key.slice(key.indexOf(' ') + 1), rateHz)
  if (kept.size < MAX_KEPT) kept.set(key, pcm)
  return pcm
}

function madeTone(spelled: string, rateHz: number): Int16Array {
  const size = Math.round((rateHz * LETTER_MS) / 1000)
  const ramp = (rateHz * RAMP_MS) / 1000
  const pcm = new Int16Array(spelled.length * size)
  for (const [n, letter] of [...spelled].entries()) {
    const turn = (2 * Math.PI * hzOf(letters.indexOf(letter))) / rateHz
    for (let i = 0; i < size; i++)
      pcm[n * size + i] = Math.round(LOUDNESS * Math.min(1, i / ramp, (size - i) / ramp) * Math.sin(turn * i))
  }
  return pcm
}

export type Heard = {
  fromMs: number
  toMs: number
  /** As spelled; null: a sound that is not from this voice. */
  text: string | null
}

const HOP_MS = 10
const SILENCE_DB = -42
/** Share of a sound's power at one frequency; a pure tone has all of it, speech rarely half. */
const PURE = 0.6
/** Where two letters meet neither is pure: this many of the surrounding hops must be. */
const AROUND = 3
const PURE_AROUND = 3
const MIN_MS = 20

type Hop = { fromMs: number; isLoud: boolean; letter: string; isPure: boolean }

/** The sounds in a recording, in order; they are separated by silence or by a change of voice. */
export function heardIn(pcm: Int16Array, rateHz: number): Heard[] {
  const size = (rateHz * HOP_MS) / 1000
  const count = Math.max(0, Math.floor(pcm.length / size) - 1)
  const hops = Array.from({ length: count }, (_, i) =>
    hopOf(pcm.subarray(i * size, (i + 2) * size), rateHz, i * HOP_MS),
  )
  const found: (Heard & { runs: { letter: string; ms: number }[] })[] = []
  for (const [i, { fromMs, isLoud, letter }] of hops.entries()) {
    if (!isLoud) continue
    const near = hops.slice(Math.max(0, i - AROUND), i + AROUND + 1)
    const isTone = near.filter(({ isPure }) => isPure).length >= PURE_AROUND
    const last = found.at(-1)
    const isSame = last && fromMs - last.toMs < 2 * HOP_MS && (last.text !== null) === isTone
    const sound = isSame ? last : { fromMs, toMs: fromMs, text: isTone ? '' : null, runs: [] }
    if (!isSame) found.push(sound)
    sound.toMs = fromMs + HOP_MS
    const run = sound.runs.at(-1)
    if (run?.letter === letter) run.ms += HOP_MS
    else sound.runs.push({ letter, ms: HOP_MS })
  }
  return found
    .filter(({ fromMs, toMs }) => toMs - fromMs > MIN_MS)
    .map(({ fromMs, toMs, text, runs }) => ({
      fromMs,
      toMs,
      text: text === null ? null : runs.map(({ letter, ms }) => letter.repeat(Math.round(ms / LETTER_MS))).join(''),
    }))
}

function hopOf(pcm: Int16Array, rateHz: number, fromMs: number): Hop {
  if (levelDb(pcm.subarray(0, pcm.length >> 1)) < SILENCE_DB)
    return { fromMs, isLoud: false, letter: ' ', isPure: false }
  let [best, power] = [0, 0]
  for (let i = 0; i < letters.length; i++) {
    const level = powerAt(pcm, (2 * Math.PI * hzOf(i)) / rateHz)
    if (level > power) [best, power] = [i, level]
  }
  const all = pcm.reduce((sum, sample) => sum + sample * sample, 0) / pcm.length
  return { fromMs, isLoud: true, letter: letters[best] ?? ' ', isPure: power >= PURE * all }
}

/** Goertzel; for a pure tone, its mean square. */
function powerAt(pcm: Int16Array, angle: number): number {
  const turn = 2 * Math.cos(angle)
  let [one, two] = [0, 0]
  for (const sample of pcm) [one, two] = [sample + turn * one - two, one]
  return (2 * (one * one + two * two - turn * one * two)) / pcm.length ** 2
}
