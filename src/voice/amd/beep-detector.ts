// Detects single-frequency tones, and distinguishes a voicemail's recording tone (400 to 2000 Hz for 0.2 to 1 s, not repeated) from network
// tones: ringback, busy, congestion, call waiting, SIT and fax calling tone.
import type { AudioFrame } from '../ports.ts'

const WINDOW_MS = 20
/** Below 400 Hz, with room for noise: the British busy tone is exactly 400 Hz. */
const MIN_HZ = 380
const MAX_HZ = 2000
/** Complete windows; those at both ends are partly silent. */
const MIN_WINDOWS = 9
const MAX_WINDOWS = 50
/** -42 dBFS. */
const MIN_LEVEL = 260
/** Share of the energy at that frequency; vowels and chords have less. */
const MIN_PURITY = 0.85
/** Largest change of pitch and level from the first window. */
const MAX_PITCH_CHANGE = 0.03
const MAX_LEVEL_RATIO = 1.6
/** Shorter breaks do not end a tone. The three tones of SIT follow each other within 30 ms. */
const BREAK_WINDOWS = 4

/** Ringback, busy, congestion and call waiting of Brazil and Europe; the clocks of gateways are less than 2 % off. */
const PROGRESS_HZ = 425
const PROGRESS_SHARE = 0.02
/** Other countries use 400, 440, 450 or 480 Hz, and so do voicemails: a tone this low is a network tone if it is as long as a ringback … */
const LOW_HZ = 500
const RINGBACK_WINDOWS = 43
/** … or repeated, like busy and congestion, which pause for up to 0.5 s. */
const REPEAT_WINDOWS = 35
/** Fax calling tone: 1100 Hz ± 38 for 0.5 s ± 15 %. */
const FAX_HZ = 1100
const FAX_SHARE = 0.035
const FAX_WINDOWS = { min: 20, max: 29 }

type Tone = { hz: number; level: number }
type Run = Tone & {
  hzSum: number
  windows: number
  breakWindows: number
  /** Directly follows a tone of another frequency. */
  isChained: boolean
}

/** `beep`: a recording tone; `progress`: a network tone. */
export type HeardTone = 'beep' | 'progress'

/** Takes frames; reports a tone at its end, a low one only once it is clear that it is not repeated. */
export function beepDetector(): (frame: Pick<AudioFrame, 'pcm' | 'rateHz'>) => HeardTone | null {
  let rateHz = 0
  let window: number[] = []
  let run: Run | null = null
  /** The last low tone, while it may be repeated. */
  let low: { windowsAgo: number; isProgress: boolean } | null = null

  function next(tone: Tone | null): HeardTone | null {
    if (low) low.windowsAgo++
    if (run && tone && isSame(run, tone)) {
      run.hzSum += tone.hz
      run.windows++
      run.breakWindows = 0
      return null
    }
    const isOther = run !== null && tone !== null && !isPitch(run.hz, tone.hz)
    if (run && !isOther && ++run.breakWindows < BREAK_WINDOWS) return null
    const ended = run && endOf(run, isOther)
    const isChained = isOther && run !== null && run.windows >= MIN_WINDOWS
    run = tone && { ...tone, hzSum: tone.hz, windows: 1, breakWindows: 0, isChained }
    return ended ?? lowTone()
  }

  function endOf(tone: Run, isFollowed: boolean): HeardTone | null {
    if (tone.windows < MIN_WINDOWS || tone.windows > MAX_WINDOWS) return null
    const hz = tone.hzSum / tone.windows
    const isRepeated = low !== null
    const isProgress = tone.isChained || isFollowed || isRepeated || isOfNetwork(hz, tone.windows)
    low = hz < LOW_HZ ? { windowsAgo: 0, isProgress } : null
    if (isProgress) return 'progress'
    return low ? null : 'beep'
  }

  /** A low tone that was not repeated was a recording tone. */
  function lowTone(): HeardTone | null {
    if (!low || low.windowsAgo < REPEAT_WINDOWS || run) return null
    const { isProgress } = low
    low = null
    return isProgress ? null : 'beep'
  }

  return ({ pcm, rateHz: frameRateHz }) => {
    if (frameRateHz !== rateHz) window = []
    rateHz = frameRateHz
    const size = Math.round((rateHz * WINDOW_MS) / 1000)
    let heard: HeardTone | null = null
    for (const sample of pcm) {
      window.push(sample)
      if (window.length < size) continue
      heard = next(toneIn(window, rateHz)) ?? heard
      window = []
    }
    return heard
  }
}

function isOfNetwork(hz: number, windows: number): boolean {
  if (isNear(hz, PROGRESS_HZ, PROGRESS_SHARE) || (hz < LOW_HZ && windows >= RINGBACK_WINDOWS)) return true
  return isNear(hz, FAX_HZ, FAX_SHARE) && windows >= FAX_WINDOWS.min && windows <= FAX_WINDOWS.max
}

const isNear = (hz: number, wantedHz: number, share: number) => Math.abs(hz - wantedHz) <= share * wantedHz
const isPitch = (hz: number, otherHz: number) => isNear(otherHz, hz, MAX_PITCH_CHANGE)
const isSame = (a: Tone, b: Tone) =>
  isPitch(a.hz, b.hz) && b.level <= MAX_LEVEL_RATIO * a.level && a.level <= MAX_LEVEL_RATIO * b.level

/** The tone in these samples; null if there is none. */
export function toneIn(samples: readonly number[], rateHz: number): Tone | null {
  let energy = 0
  for (const sample of samples) energy += sample * sample
  const level = Math.sqrt(energy / samples.length)
  if (level < MIN_LEVEL) return null
  const hz = pitchOf(samples, rateHz)
  if (hz < MIN_HZ || hz > MAX_HZ) return null
  return strengthAt(samples, hz, rateHz) >= MIN_PURITY * energy ? { hz, level } : null
}

/** From zero crossings, the first and last interpolated between samples. */
function pitchOf(samples: readonly number[], rateHz: number): number {
  let firstAt = 0
  let lastAt = 0
  let crossings = 0
  for (let i = 1; i < samples.length; i++) {
    const [a, b] = [samples[i - 1] as number, samples[i] as number]
    if (a < 0 === b < 0) continue
    lastAt = i - 1 + a / (a - b)
    if (crossings === 0) firstAt = lastAt
    crossings++
  }
  return crossings < 3 ? 0 : ((crossings - 1) * rateHz) / (2 * (lastAt - firstAt))
}

/** Energy at this frequency (Goertzel). */
function strengthAt(samples: readonly number[], hz: number, rateHz: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * hz) / rateHz)
  let [before, last] = [0, 0]
  for (const sample of samples) [before, last] = [last, sample + factor * last - before]
  return (2 * (last * last + before * before - factor * last * before)) / samples.length
}
