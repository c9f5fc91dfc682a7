// Level, noise floor, pitch and distance of the caller's sound, frame by frame. Runs beside the media clock for every call:
// no memory is allocated per frame.
import { EchoTracker, SILENCE_DB } from './echo-tracker.ts'
import { NearSpeaker } from './near-speaker.ts'
import { PitchTracker } from './pitch-tracker.ts'

/** The noise floor is the lowest level of the last 8 × 400 ms: speech has shorter syllables, and pauses. */
const WINDOWS = 8
const WINDOW_FRAMES = 20
/** Sound this far above the noise floor and above this level may be a voice. */
const AUDIBLE_DB = 6
const MIN_DB = -60

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
  readonly #echo = new EchoTracker()
  /** levelDb, noise floor, pitch. */
  readonly #values = Float64Array.of(SILENCE_DB, SILENCE_DB, 0)
  readonly #frame = { levelDb: SILENCE_DB, noiseDb: SILENCE_DB, isAudible: false, isVoiced: false, isPlaying: false }
  #frames = 0

  get levelDb(): number {
    return this.#values[0] as number
  }

  /** The noise floor, or the echo of our own playout where that is louder. */
  get noiseDb(): number {
    return Math.max(this.#values[1] as number, this.#echo.levelDb)
  }

  get nearDb(): number | null {
    return this.#near.nearDb
  }

  get pitchHz(): number | null {
    return (this.#values[2] as number) || null
  }

  /** Another source than the caller: somebody farther away, or our own echo. */
  get isFar(): boolean {
    return this.#near.isFar || this.#echo.isEcho
  }

  /** 20 ms of received audio, and of the playout at that time. */
  push(pcm: Int16Array, rateHz: number, played: Int16Array | null = null): void {
    const levelDb = frameLevelDb(pcm)
    this.#values[0] = levelDb
    this.#trackNoise(levelDb)
    this.#echo.push(levelDb, played ? frameLevelDb(played) : SILENCE_DB)
    const isAudible = levelDb > MIN_DB && levelDb > (this.#values[1] as number) + AUDIBLE_DB
    this.#pitch.push(pcm, rateHz)
    this.#values[2] = isAudible ? this.#pitch.pitchHz() : 0
    const frame = this.#frame
    frame.levelDb = levelDb
    frame.noiseDb = this.noiseDb
    frame.isAudible = isAudible
    frame.isVoiced = this.#values[2] !== 0 && !this.#echo.isEcho
    frame.isPlaying = this.#echo.isPlaying
    this.#near.step(frame)
    this.#frames++
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
}
