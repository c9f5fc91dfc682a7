// Acoustic features of the caller's audio: evidence of an interruption, level, final prosody, and sound from other sources.
import { SoundAnalyser } from '../../audio/sound-features.ts'
import type { AudioFrame, FinalProsody, SoundFeatures } from '../ports.ts'
import { FarSpans } from './far-spans.ts'
import { finalProsody } from './final-prosody.ts'

const FRAME_MS = 20
/** Three seconds: an utterance's intonation and the pause after it. */
const KEPT_FRAMES = 150
/** An interruption has this many voiced frames of steady pitch within a tenth of a second; coughs and key clicks do not. */
const STRONG_FRAMES = 2
const STRONG_WITHIN = 5
const PITCH_RATIO = 1.25
/** Voiced frames farther below the limit do not count. */
const VOICED_BELOW_DB = 12
const BELOW_NEAR_DB = 0.5
/** While the caller's level is unknown: well above the noise. Always above our own echo. */
const ABOVE_NOISE_DB = 15
const MIN_DB = -27
const ABOVE_ECHO_DB = 9
/** Sound less than this below the caller's level opens the gate. */
const NEAR_DB = 10

type SoundFrame = Pick<AudioFrame, 'pcm' | 'rateHz'> & { readonly sound?: SoundFeatures | null }

export class SpeechSound {
  /** Rings of the latest frames. */
  readonly #levels = new Float32Array(KEPT_FRAMES)
  readonly #pitches = new Float32Array(KEPT_FRAMES)
  readonly #limits = new Float32Array(KEPT_FRAMES)
  #count = 0
  /** Media time after the latest frame, and the caller's level. */
  #nowMs = 0
  #nearDb: number | null = null
  /** For frames without features, in scripts and tests. */
  #analyser: SoundAnalyser | undefined
  /** Sound from other sources. */
  readonly far = new FarSpans()
  #silence = new Int16Array(0)

  /** `nowMs`: media time after the frame. Returns the frame's audio, silenced if it comes from another source. */
  push(frame: SoundFrame, nowMs: number): Int16Array {
    const sound = frame.sound ?? this.#analyze(frame)
    const place = this.#count++ % KEPT_FRAMES
    this.#levels[place] = sound.levelDb
    this.#pitches[place] = sound.pitchHz ?? 0
    this.#limits[place] = strongLimitDb(sound)
    this.#nearDb = sound.nearDb
    const fromMs = this.#nowMs
    this.#nowMs = nowMs
    if (sound.isFar) return this.#gate(frame.pcm, fromMs)
    if (sound.nearDb !== null && sound.levelDb > sound.nearDb - NEAR_DB) this.far.open(fromMs)
    return frame.pcm
  }

  /**
   * Voiced sound with a peak as loud as the caller's own speech: enough to interrupt, if VAD agrees. Interruptions reach that
   * level with their first syllable, backchannels do not. If VAD is sure that it is speech, the peak may be unvoiced.
   */
  isStrong(isSpeech: boolean): boolean {
    let voiced = 0
    let before = 0
    let hasPeak = false
    for (let back = Math.min(STRONG_WITHIN, this.#count); back > 0; back--) {
      const place = (this.#count - back) % KEPT_FRAMES
      const pitchHz = this.#pitches[place] as number
      const overDb = (this.#levels[place] as number) - (this.#limits[place] as number)
      const isSteady = before === 0 || (pitchHz < before * PITCH_RATIO && pitchHz > before / PITCH_RATIO)
      if (pitchHz > 0 && overDb >= -VOICED_BELOW_DB) voiced = isSteady ? voiced + 1 : 1
      if (overDb >= 0 && (pitchHz > 0 || isSpeech)) hasPeak = true
      if (pitchHz > 0) before = pitchHz
    }
    return hasPeak && voiced >= STRONG_FRAMES
  }

  /** Mean level of the voiced sound between the two, relative to the caller's usual level; null if either is unknown. */
  relativeDb(fromMs: number, toMs: number): number | null {
    let power = 0
    let frames = 0
    this.#each(fromMs, toMs, (levelDb, pitchHz) => {
      if (pitchHz === 0) return
      power += 10 ** (levelDb / 10)
      frames++
    })
    return frames === 0 || this.#nearDb === null ? null : 10 * Math.log10(power / frames) - this.#nearDb
  }

  prosody(fromMs: number, toMs: number): FinalProsody | null {
    const frames: { levelDb: number; pitchHz: number }[] = []
    this.#each(fromMs, toMs, (levelDb, pitchHz) => void frames.push({ levelDb, pitchHz }))
    return finalProsody(frames)
  }

  #analyze({ pcm, rateHz }: SoundFrame): SoundFeatures {
    this.#analyser ??= new SoundAnalyser()
    this.#analyser.push(pcm, rateHz)
    return this.#analyser
  }

  #gate(pcm: Int16Array, fromMs: number): Int16Array {
    this.far.add(fromMs, this.#nowMs)
    if (this.#silence.length !== pcm.length) this.#silence = new Int16Array(pcm.length)
    return this.#silence
  }

  #each(fromMs: number, toMs: number, take: (levelDb: number, pitchHz: number) => void): void {
    const first = Math.ceil((this.#nowMs - fromMs) / FRAME_MS)
    const last = Math.max(0, Math.floor((this.#nowMs - toMs) / FRAME_MS))
    for (let back = Math.min(first, KEPT_FRAMES, this.#count); back > last; back--) {
      const place = (this.#count - back) % KEPT_FRAMES
      take(this.#levels[place] as number, this.#pitches[place] as number)
    }
  }
}

function strongLimitDb({ nearDb, noiseDb }: SoundFeatures): number {
  if (nearDb === null) return Math.max(noiseDb + ABOVE_NOISE_DB, MIN_DB)
  return Math.max(nearDb - BELOW_NEAR_DB, noiseDb + ABOVE_ECHO_DB)
}
