// Level, noise floor, pitch and distance of the caller's sound, frame by frame. Runs beside the media clock for every call:
// no memory is allocated per frame.
import { NearSpeaker } from './near-speaker.ts'
import { PitchTracker } from './pitch-tracker.ts'

/** Lower bound of the level: a line may carry digital silence. */
export const SILENCE_DB = -90
/** The noise floor is the lowest level of the last 8 × 400 ms: speech has shorter syllables, and pauses. */
const WINDOWS = 8
const WINDOW_FRAMES = 20
/** Sound this far above the noise floor and above this level may be a voice. */
const AUDIBLE_DB = 6
const MIN_DB = -60
/** Longest delay of an echo: the round trip and the peer's jitter buffer. */
const ECHO_FRAMES = 15
/** Echo of our playout before it is measured. */
const FIRST_ECHO_DB = -18
const MAX_ECHO_DB = -6
/** The estimate follows the lower quartile of the measurements, since a caller who speaks over us is not an echo. */
const ECHO_RISE_DB = 0.05
const ECHO_FALL_DB = 0.15
/** Our playout below this is a pause. */
const PLAYING_DB = -50

const FULL_SCALE = 32_768

function frameLevelDb(pcm: Int16Array): number {
  const fours = pcm.length & ~3
  // Four independent sums can be computed in parallel. They are integers, so the order does not change the result.
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let i = 0; i < fours; i += 4) {
    a += (pcm[i] as number) ** 2
    b += (pcm[i + 1] as number) ** 2
    c += (pcm[i + 2] as number) ** 2
    d += (pcm[i + 3] as number) ** 2
  }
  for (let i = fours; i < pcm.length; i++) a += (pcm[i] as number) ** 2
  const sum = a + b + c + d
  return sum === 0 ? SILENCE_DB : Math.max(SILENCE_DB, 10 * Math.log10(sum / pcm.length / FULL_SCALE ** 2))
}

/** A frame's features; overwritten by the next `push`. */
export class SoundAnalyser {
  readonly #pitch = new PitchTracker()
  readonly #near = new NearSpeaker()
  readonly #minima = new Float64Array(WINDOWS).fill(0)
  readonly #playedDb = new Float64Array(ECHO_FRAMES).fill(SILENCE_DB)
  /** levelDb, noise floor, echo relative to the playout, pitch. */
  readonly #values = Float64Array.of(SILENCE_DB, SILENCE_DB, FIRST_ECHO_DB, 0)
  readonly #frame = { levelDb: SILENCE_DB, noiseDb: SILENCE_DB, isAudible: false, isVoiced: false, isPlaying: false }
  #frames = 0
  #echoOfDb = SILENCE_DB

  get levelDb(): number {
    return this.#values[0] as number
  }

  /** The noise floor, or the echo of our own playout where that is louder. */
  get noiseDb(): number {
    return Math.max(this.#values[1] as number, this.#echoDb)
  }

  get nearDb(): number | null {
    return this.#near.nearDb
  }

  get pitchHz(): number | null {
    return (this.#values[3] as number) || null
  }

  get isFar(): boolean {
    return this.#near.isFar
  }

  /** 20 ms of received audio, and of the playout at that time. */
  push(pcm: Int16Array, rateHz: number, played: Int16Array | null = null): void {
    const levelDb = frameLevelDb(pcm)
    this.#values[0] = levelDb
    this.#trackNoise(levelDb)
    this.#trackEcho(levelDb, played ? frameLevelDb(played) : SILENCE_DB)
    const isAudible = levelDb > MIN_DB && levelDb > (this.#values[1] as number) + AUDIBLE_DB
    this.#pitch.push(pcm, rateHz)
    this.#values[3] = isAudible ? this.#pitch.pitchHz() : 0
    const frame = this.#frame
    frame.levelDb = levelDb
    frame.noiseDb = this.noiseDb
    frame.isAudible = isAudible
    frame.isVoiced = this.#values[3] !== 0
    frame.isPlaying = this.#echoOfDb > PLAYING_DB
    this.#near.step(frame)
    this.#frames++
  }

  get #echoDb(): number {
    return this.#echoOfDb > PLAYING_DB ? this.#echoOfDb + (this.#values[2] as number) : SILENCE_DB
  }

  #trackNoise(levelDb: number): void {
    const place = Math.floor(this.#frames / WINDOW_FRAMES) % WINDOWS
    const isFirst = this.#frames % WINDOW_FRAMES === 0
    this.#minima[place] = isFirst ? levelDb : Math.min(this.#minima[place] as number, levelDb)
    let least = this.#minima[0] as number
    // Before the first windows are full they hold 0 dB.
    for (let i = 1; i < WINDOWS; i++) least = Math.min(least, this.#minima[i] as number)
    this.#values[1] = least
  }

  #trackEcho(levelDb: number, playedDb: number): void {
    this.#playedDb[this.#frames % ECHO_FRAMES] = playedDb
    let loudest = SILENCE_DB
    for (let i = 0; i < ECHO_FRAMES; i++) loudest = Math.max(loudest, this.#playedDb[i] as number)
    this.#echoOfDb = loudest
    if (loudest <= PLAYING_DB) return
    const measured = levelDb - loudest
    const echo = this.#values[2] as number
    this.#values[2] = measured > echo ? Math.min(MAX_ECHO_DB, echo + ECHO_RISE_DB) : echo - ECHO_FALL_DB
  }
}
