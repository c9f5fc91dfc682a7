// Detects tones in WAV files (frequency, level, time), and generates tones for phones to play.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { levelDb } from '../../src/audio/pcm.ts'
import { parseWavHeader, readWav, WAV_HEADER_BYTES, wavFile, wavHeader } from '../../src/audio/wav.ts'

export type Sound = { pcm: Int16Array; rateHz: number }

/** A sine with a level (RMS) of -11 dBFS. */
export function tone(hz: number, seconds: number, rateHz = 8000): Sound {
  const pcm = Int16Array.from({ length: Math.round(seconds * rateHz) }, (_, i) =>
    Math.round(13_000 * Math.sin((2 * Math.PI * hz * i) / rateHz)),
  )
  return { pcm, rateHz }
}

/** Longer than any test: phones hang up or fall silent when a file ends. */
const LONG_SECONDS = 90

export function toneFile(folder: string, hz: number, rateHz = 8000, seconds = LONG_SECONDS): string {
  const path = join(folder, `tone-${hz}-${rateHz}.wav`)
  writeFileSync(path, wavFile(tone(hz, seconds, rateHz).pcm, rateHz))
  return path
}

/**
 * Reads a WAV, even one that is still being written: its header then has no length (libsndfile) or is all zeros
 * (Linphone; `rateHz` then gives the rate). Empty if there is no file yet.
 */
export function listen(path: string, rateHz = 8000): Sound {
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  if (bytes.length <= WAV_HEADER_BYTES) return { pcm: new Int16Array(0), rateHz }
  if (bytes.readUInt32LE(0) === 0) wavHeader(rateHz).copy(bytes)
  const header = parseWavHeader(bytes)
  if (!header) throw new Error(`${path} is a WAV without samples`)
  if (header.dataBytes < bytes.length - header.dataAt) bytes.writeUInt32LE(0xffffffff, header.dataAt - 4)
  const sound = readWav(bytes)
  return { pcm: sound.pcm, rateHz: sound.rateHz }
}

const FRAME_MS = 20
/** Below this a frame is silence, whatever its spectrum. */
const SILENCE_DB = -50

/** The power of one frequency in dBFS (Goertzel); for a pure sine, its level. */
export function levelAt(pcm: Int16Array, rateHz: number, hz: number): number {
  const turn = 2 * Math.cos((2 * Math.PI * hz) / rateHz)
  let one = 0
  let two = 0
  for (let i = 0; i < pcm.length; i++) {
    const next = (pcm[i] as number) / 32_768 + turn * one - two
    two = one
    one = next
  }
  const power = (2 * (one * one + two * two - turn * one * two)) / pcm.length ** 2
  return 10 * Math.log10(power + 1e-12)
}

/** The loudest frequency between 100 and 7500 Hz in the middle of the audio, to 2.5 Hz; null for silence. */
export function loudestHz({ pcm, rateHz }: Sound): number | null {
  if (pcm.length === 0 || levelDb(pcm) < SILENCE_DB) return null
  const middle = (seconds: number) => {
    const half = Math.round((rateHz * seconds) / 2)
    return pcm.subarray(Math.max(0, (pcm.length >> 1) - half), (pcm.length >> 1) + half)
  }
  const loudest = (part: Int16Array, from: number, to: number, step: number) => {
    let best = { hz: 0, db: Number.NEGATIVE_INFINITY }
    for (let hz = from; hz <= to; hz += step) {
      const db = levelAt(part, rateHz, hz)
      if (db > best.db) best = { hz, db }
    }
    return best.hz
  }
  // Shorter windows have wider bins: a coarse search over 40 ms, then a fine one over 200 ms.
  const rough = loudest(middle(0.04), 100, Math.min(7500, rateHz * 0.45), 12.5)
  return loudest(middle(0.2), rough - 25, rough + 25, 2.5)
}

/** A span in which the tone is present. */
export type Stretch = { fromMs: number; toMs: number; levelDb: number }

/** Spans in which the tone dominates; gaps shorter than `joinMs` are joined. */
export function stretchesOf({ pcm, rateHz }: Sound, hz: number, joinMs = 60): Stretch[] {
  const size = (rateHz * FRAME_MS) / 1000
  const found: (Stretch & { frames: number })[] = []
  for (let at = 0; at + size <= pcm.length; at += size) {
    const frame = pcm.subarray(at, at + size)
    const [all, part] = [levelDb(frame), levelAt(frame, rateHz, hz)]
    if (all < SILENCE_DB || part < all - 3) continue
    const fromMs = (at / rateHz) * 1000
    const last = found.at(-1)
    if (last && fromMs - last.toMs <= joinMs) {
      last.toMs = fromMs + FRAME_MS
      last.levelDb = (last.levelDb * last.frames + part) / (last.frames + 1)
      last.frames++
    } else found.push({ fromMs, toMs: fromMs + FRAME_MS, levelDb: part, frames: 1 })
  }
  return found.map(({ fromMs, toMs, levelDb }) => ({ fromMs, toMs, levelDb }))
}

/** The levels of the frames in which the tone dominates, sorted. */
export function levelsOf({ pcm, rateHz }: Sound, hz: number): number[] {
  const size = (rateHz * FRAME_MS) / 1000
  const frames = Array.from({ length: Math.floor(pcm.length / size) }, (_, i) => pcm.subarray(i * size, (i + 1) * size))
  return frames
    .filter((frame) => levelAt(frame, rateHz, hz) > Math.max(SILENCE_DB, levelDb(frame) - 3))
    .map((frame) => levelAt(frame, rateHz, hz))
    .sort((a, b) => a - b)
}

/** Positions of phase jumps within continuous sound: something is missing or repeated. */
export function jumpsOf({ pcm, rateHz }: Sound, hz: number): number[] {
  const size = (rateHz * FRAME_MS) / 1000
  const frames: { turns: number | null; isSilent: boolean }[] = []
  for (let at = 0; at + size <= pcm.length; at += size) {
    const frame = pcm.subarray(at, at + size)
    const db = levelDb(frame)
    const isTone = db > SILENCE_DB && levelAt(frame, rateHz, hz) > db - 1
    frames.push({ turns: isTone ? turnsAt(frame, at, rateHz, hz) : null, isSilent: db < SILENCE_DB })
  }
  // Compares frames two apart, so that a jump within the frame between them is fully visible.
  return frames.flatMap(({ turns }, i) => {
    const later = frames[i + 2]?.turns ?? null
    if (turns === null || later === null || frames[i + 1]?.isSilent) return []
    const off = Math.abs(later - turns)
    return Math.min(off, 1 - off) > MAX_OFFSET ? [(i + 1) * FRAME_MS] : []
  })
}

/** Up to a twelfth of a period is not a jump. */
const MAX_OFFSET = 1 / 12

/** The phase of the tone in a frame, in periods, relative to a tone that began at sample 0. */
function turnsAt(frame: Int16Array, from: number, rateHz: number, hz: number): number {
  let [re, im] = [0, 0]
  for (let i = 0; i < frame.length; i++) {
    const angle = (2 * Math.PI * hz * (from + i)) / rateHz
    re += (frame[i] as number) * Math.cos(angle)
    im -= (frame[i] as number) * Math.sin(angle)
  }
  return (Math.atan2(im, re) / (2 * Math.PI) + 1) % 1
}

/** Total duration of the tone. */
export const heardMs = (sound: Sound, hz: number): number =>
  stretchesOf(sound, hz).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)

/** Silences of at least `minMs` between the first and the last audio. */
export function gapsOf({ pcm, rateHz }: Sound, minMs = 40): { fromMs: number; toMs: number }[] {
  const size = (rateHz * 10) / 1000
  const gaps: { fromMs: number; toMs: number }[] = []
  let lastSound: number | undefined
  for (let at = 0; at + size <= pcm.length; at += size) {
    if (levelDb(pcm.subarray(at, at + size)) < SILENCE_DB) continue
    const fromMs = (at / rateHz) * 1000
    if (lastSound !== undefined && fromMs - lastSound >= minMs) gaps.push({ fromMs: lastSound, toMs: fromMs })
    lastSound = fromMs + 10
  }
  return gaps
}
