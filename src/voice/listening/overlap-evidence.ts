// What sound over the agent is, before a word of it is recognized: the start of an interruption, or perhaps a backchannel. From its
// duration, level and pitch. Backchannels are short, quieter than the caller's turns and low or falling in pitch; an interruption starts
// high or rises.
import type { SpeechEvidence } from '../ports.ts'

/** No sound is judged before this much speech: a cough and a click are over by then. */
const EARLIEST_MS = 128
/** Speech that lasts this long is taken for an interruption, whatever its pitch. The agent is silent some 40 ms later … */
const LONG_MS = 288
/** … and goes on when that speech is followed by this much quiet before it has lasted as long as no backchannel does. */
const QUIET_MS = { low: 80, high: 160 }
const LONGEST_MS = 800
/** Semitones from the caller's usual pitch: what ends lower is over. */
const LOW_ST = -1.5
/** Below the caller's usual level, speech is a backchannel, or addressed to another person. */
const QUIET_DB = -4.5
/** Frames whose pitch is compared, the latest first, and how far back they may be. */
const PITCH_FRAMES = 4
const PITCH_WITHIN = 10
const END_WITHIN = 20
/** Semitones above the caller's usual pitch; and how far it may fall meanwhile. */
const RAISED_ST = 4
const FALL_ST = 0.5
/** Frames this far from the usual pitch are octave errors. */
const OCTAVE_ST = 10
/** Voiced frames after which the usual pitch is known, and the share by which it follows each later one. */
const KNOWN_FRAMES = 25
const FOLLOWS = 0.01

const semitones = (hz: number) => 12 * Math.log2(hz / 100)

/** The pitch at which a caller usually speaks, in semitones above 100 Hz. */
export class UsualPitch {
  #mean = 0
  #frames = 0

  push(pitchHz: number): void {
    const st = semitones(pitchHz)
    if (this.#frames >= KNOWN_FRAMES && Math.abs(st - this.#mean) > OCTAVE_ST) return
    this.#frames++
    this.#mean += (st - this.#mean) * Math.max(FOLLOWS, 1 / this.#frames)
  }

  get st(): number | null {
    return this.#frames < KNOWN_FRAMES ? null : this.#mean
  }
}

/** Pitches of the latest voiced frames, relative to the usual one, the last one first. */
function latestPitches(pitchAt: (back: number) => number, usualSt: number, within: number): number[] {
  const latest: number[] = []
  for (let back = 1; back <= within && latest.length < PITCH_FRAMES; back++) {
    const hz = pitchAt(back)
    const st = hz > 0 ? semitones(hz) - usualSt : OCTAVE_ST
    if (Math.abs(st) < OCTAVE_ST) latest.push(st)
  }
  return latest
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** `pitchAt`: of the latest frames, the last one is 1; 0 where unvoiced. */
export function isRaised(pitchAt: (back: number) => number, usualSt: number | null): boolean {
  if (usualSt === null) return false
  const latest = latestPitches(pitchAt, usualSt, PITCH_WITHIN)
  const [last = 0, first = 0] = [latest[0], latest.at(-1)]
  return latest.length === PITCH_FRAMES && median(latest) >= RAISED_ST && last >= first - FALL_ST
}

/** Where the voice ended. */
export function lastPitch(pitchAt: (back: number) => number, usualSt: number | null): number | null {
  if (usualSt === null) return null
  const latest = latestPitches(pitchAt, usualSt, END_WITHIN)
  return latest.length === PITCH_FRAMES ? median(latest) : null
}

export type OverlapSound = {
  /** Without pauses. */
  speechMs: number
  /** Mean of the voiced sound, relative to the caller's usual level. */
  levelDb: number | null
  /** A syllable was as loud as the caller usually is. */
  hasPeak: boolean
  /** Well above the noise and our own echo. */
  isClear: boolean
  isRaised: boolean
}

export function evidenceOf({ speechMs, levelDb, hasPeak, isClear, isRaised: raised }: OverlapSound): SpeechEvidence {
  if (speechMs < EARLIEST_MS || !isClear) return 'none'
  if (raised && hasPeak) return 'interruption'
  const isNear = levelDb === null ? hasPeak : levelDb >= QUIET_DB
  return speechMs >= LONG_MS && isNear ? 'long' : 'none'
}

/** After speech that pauses. `endSt`: its last pitch, relative to the caller's usual one; null: unknown. */
export type OverlapEnd = { speechMs: number; quietMs: number; endSt: number | null }

/** Speech that goes on after it seemed to be over is an interruption. */
export function evidenceAfter(before: SpeechEvidence, { speechMs, quietMs, endSt }: OverlapEnd): SpeechEvidence {
  if (before === 'over') return quietMs === 0 ? 'interruption' : before
  if (before !== 'long' || speechMs >= LONGEST_MS) return before
  return quietMs >= (endSt !== null && endSt <= LOW_ST ? QUIET_MS.low : QUIET_MS.high) ? 'over' : before
}
