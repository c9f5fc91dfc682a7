// Acoustic features of the caller's audio: evidence of an interruption, level, final prosody, and sound from other sources.
import { SoundAnalyser } from '../../audio/sound-features.ts'
import type { AudioFrame, FinalProsody, SoundFeatures, SpeechEvidence } from '../ports.ts'
import { FarSpans } from './far-spans.ts'
import { finalProsody } from './final-prosody.ts'
import { evidenceOf, isRaised, lastPitch, type OverlapEnd, UsualPitch } from './overlap-evidence.ts'

const FRAME_MS = 20
/** Three seconds: an utterance's intonation and the pause after it. */
const KEPT_FRAMES = 150
/** A syllable at the caller's level is a peak; it may be this far back. */
const PEAK_WITHIN = 12
const BELOW_NEAR_DB = 0.5
/** Speech is over when its level has fallen this far, or nearly to the noise. */
const RECENT_FRAMES = 25
const FALLEN_DB = 20
const ABOVE_SILENCE_DB = 6
/** Voiced frames farther below that do not count for the caller's pitch. */
const VOICED_BELOW_DB = 12
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
  #noiseDb = 0
  readonly #usual = new UsualPitch()
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
    this.#noiseDb = sound.noiseDb
    const fromMs = this.#nowMs
    this.#nowMs = nowMs
    if (sound.isFar) return this.#gate(frame.pcm, fromMs)
    if (sound.pitchHz !== null && sound.levelDb > strongLimitDb(sound) - VOICED_BELOW_DB)
      this.#usual.push(sound.pitchHz)
    if (sound.nearDb !== null && sound.levelDb > sound.nearDb - NEAR_DB) this.far.open(fromMs)
    return frame.pcm
  }

  /** What speech since `fromMs` is, over the agent. `speechMs`: its duration without pauses. */
  evidence(fromMs: number, speechMs: number): SpeechEvidence {
    return evidenceOf({
      speechMs,
      levelDb: this.relativeDb(fromMs, this.#nowMs),
      hasPeak: this.#hasPeak((back) => this.#limits[(this.#count - back) % KEPT_FRAMES] as number),
      isClear: this.#hasPeak(() => this.#noiseDb + ABOVE_ECHO_DB),
      isRaised: isRaised((back) => this.#pitchAt(back), this.#usual.st),
    })
  }

  #pitchAt(back: number): number {
    return back > this.#count ? 0 : (this.#pitches[(this.#count - back) % KEPT_FRAMES] as number)
  }

  /** How speech so far seems to end. */
  endOf(speechMs: number): OverlapEnd {
    const quietMs = this.#quietFrames() * FRAME_MS
    const endSt = quietMs === 0 ? null : lastPitch((back) => this.#pitchAt(back), this.#usual.st)
    return { speechMs, quietMs, endSt }
  }

  /** Since the last sound that was not much quieter than the loudest of the last half second. */
  #quietFrames(): number {
    const frames = Math.min(RECENT_FRAMES, this.#count)
    let loudestDb = this.#noiseDb
    for (let back = 1; back <= frames; back++) loudestDb = Math.max(loudestDb, this.#levelAt(back))
    const limitDb = Math.max(loudestDb - FALLEN_DB, this.#noiseDb + ABOVE_SILENCE_DB)
    let quiet = 0
    while (quiet < frames && this.#levelAt(quiet + 1) < limitDb) quiet++
    return quiet
  }

  #levelAt(back: number): number {
    return this.#levels[(this.#count - back) % KEPT_FRAMES] as number
  }

  #hasPeak(limitDb: (back: number) => number): boolean {
    for (let back = Math.min(PEAK_WITHIN, this.#count); back > 0; back--)
      if (this.#levelAt(back) >= limitDb(back)) return true
    return false
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
