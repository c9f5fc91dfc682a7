// Tells the caller near the telephone from background voices by level: a television or another person in the room is clearly quieter.
//
// The rule: the first voice is the caller, however quiet, unless it is faint and talks into our first words. A louder voice takes its
// place at once; the former level is then known as background. Quieter voices become background when they talk while we play, or right after the caller: only then is anything
// gated, so that a caller in a quiet room may whisper. Background never becomes the caller by talking on, unless no nearer
// voice was heard for 12 s of our silence. Quieter speech that is not known as background is never gated, and is the
// caller (who moved away, or handed the telephone over) when it has gone on for 3 s.

const FRAME_MS = 20
/** Voiced frames after which a voice counts as the caller's: within the first word. */
const FIRST_FRAMES = 3
/** A caller's voice is at least this far above the noise floor and our echo. */
const ABOVE_NOISE_DB = 9
/** Voices this far below the caller's level belong to other people. */
const FAR_DB = 10
/** With known background, sound farther below the caller is gated … */
const GATED_DB = 7.5
/** … or, with loud background, sound that is less than this above it; sound this close to the caller's level never is. */
const ABOVE_BACKGROUND_DB = 3
const CLOSE_DB = 4.5
/** Only the caller's louder syllables lower their level: background that comes close must not pull it down. */
const LOWERS_DB = 6
/** Share of the difference that a voiced frame moves the level by: it settles near the louder syllables. */
const RISE = 0.1
const FALL = 0.02
/** A jump of this many dB means a different speaker; a former speaker who was heard this long becomes background. */
const LOUDER_DB = 7
const HEARD_MS = 800
const FORMER_RISE = 0.003
/** Unstressed last syllables are quiet: nothing is gated for this long after the caller. */
const HANGOVER_MS = 280
/** After a single syllable that is loud for less than 60 ms, background may be at its loudest. */
const BRIEF_MS = 60
const SHORT_HANGOVER_MS = 40
/** Voiced sound after which a speaker is known as background, and the most that is remembered. */
const KNOWN_MS = 400
const MAX_KNOWN_MS = 4000
/** Right after the caller. */
const SOON_MS = 1500
/** Background that has gone silent is forgotten by this much per frame. */
const FORGET_MS = 0.5
/** When quieter speech is accepted as the caller's. Pauses of a speaker are shorter than the last. */
const ACCEPT_MS = 3000
const ACCEPT_BACKGROUND_MS = 12_000
const PAUSE_MS = 1000
/** A voice below this is faint; and how long one that talked into our first words must go on to be the caller's. */
const FAINT_DB = -27
const ACCEPT_ALONE_MS = 5000

export type NearFrame = {
  levelDb: number
  noiseDb: number
  isAudible: boolean
  isVoiced: boolean
  /** Our playout may be in it. */
  isPlaying: boolean
}

/** Indexes in `#levels`: the caller, the background, the speaker who may be accepted, and the caller before a louder speaker came. */
const NEAR = 0
const BACKGROUND = 1
const ACCEPTED = 2
const FORMER = 3

export class NearSpeaker {
  readonly #levels = new Float64Array(4)
  #voicedFrames = 0
  #sinceNearMs = Number.POSITIVE_INFINITY
  /** How long the caller was heard, hangovers not counted; 0 after one. */
  #nearMs = 0
  #knownMs = 0
  /** How long quieter speech has gone on while we were silent, and its current pause. */
  #farMs = 0
  #pauseMs = 0
  isFar = false

  get nearDb(): number | null {
    return this.#voicedFrames < FIRST_FRAMES ? null : (this.#levels[NEAR] as number)
  }

  step(frame: NearFrame): void {
    const { levelDb, noiseDb, isVoiced, isAudible, isPlaying } = frame
    const isVoice = isVoiced && levelDb > noiseDb + ABOVE_NOISE_DB
    if (this.#voicedFrames < FIRST_FRAMES) {
      this.#awaitCaller(frame, isVoice)
      return
    }
    this.#knownMs = Math.max(0, this.#knownMs - FORGET_MS)
    if (levelDb >= this.#limitDb) {
      this.#nearMs += FRAME_MS
      this.#sinceNearMs = 0
      this.#farMs = 0
      this.isFar = false
      if (isVoice) this.#hearNear(levelDb)
      return
    }
    this.#sinceNearMs += FRAME_MS
    const isAfterNear = this.#sinceNearMs > (this.#nearMs < BRIEF_MS ? SHORT_HANGOVER_MS : HANGOVER_MS)
    if (isAfterNear) this.#nearMs = 0
    this.#trackFar(frame, isVoice && isAfterNear)
    this.isFar = isAudible && isAfterNear && this.#knownMs >= KNOWN_MS
    if (!isPlaying) this.#accept()
  }

  /** Before the first speaker. A faint voice that talks into our first words is a television rather than the caller. */
  #awaitCaller({ levelDb, isAudible, isVoiced, isPlaying }: NearFrame, isVoice: boolean): void {
    const isKnown = this.#knownMs >= KNOWN_MS
    const isLikeBackground = isKnown && levelDb < (this.#levels[BACKGROUND] as number) + LOUDER_DB
    this.isFar = isAudible && isLikeBackground
    if (isVoiced && isAudible && isPlaying && levelDb < FAINT_DB) this.#learnBackground(levelDb)
    else if (isVoice && !isLikeBackground) this.#begin(levelDb)
    if (isPlaying || !isLikeBackground) return
    this.#pauseMs = isVoice ? 0 : this.#pauseMs + FRAME_MS
    this.#farMs = this.#pauseMs > PAUSE_MS ? 0 : this.#farMs + FRAME_MS
    if (this.#farMs < ACCEPT_ALONE_MS) return
    this.#knownMs = 0
    this.#farMs = 0
    this.#begin(levelDb)
  }

  #learnBackground(levelDb: number): void {
    if (this.#knownMs === 0) this.#levels[BACKGROUND] = levelDb
    this.#learn(BACKGROUND, levelDb)
    this.#knownMs = Math.min(MAX_KNOWN_MS, this.#knownMs + FRAME_MS)
  }

  #begin(levelDb: number): void {
    const isFirst = this.#voicedFrames++ === 0
    this.#levels[NEAR] = isFirst ? levelDb : Math.max(levelDb, this.#levels[NEAR] as number)
    this.#levels[FORMER] = this.#levels[NEAR] as number
    this.#sinceNearMs = 0
  }

  /** Quieter sound is not the caller's. */
  get #limitDb(): number {
    const nearDb = this.#levels[NEAR] as number
    if (this.#knownMs < KNOWN_MS) return nearDb - FAR_DB
    const overBackground = (this.#levels[BACKGROUND] as number) + ABOVE_BACKGROUND_DB
    return Math.min(nearDb - CLOSE_DB, Math.max(nearDb - GATED_DB, overBackground))
  }

  #hearNear(levelDb: number): void {
    this.#voicedFrames++
    if (levelDb > (this.#levels[NEAR] as number) - LOWERS_DB) this.#learn(NEAR, levelDb)
    this.#trackLouder()
  }

  /** A much nearer speaker: one who was heard for long before becomes background. A cough and a first "alô" are shorter. */
  #trackLouder(): void {
    const nearDb = this.#levels[NEAR] as number
    const formerDb = this.#levels[FORMER] as number
    if (nearDb < formerDb + LOUDER_DB) {
      this.#levels[FORMER] = nearDb < formerDb ? nearDb : formerDb + FORMER_RISE * (nearDb - formerDb)
      return
    }
    const heardMs = this.#voicedFrames * FRAME_MS
    if (heardMs >= HEARD_MS) {
      this.#levels[BACKGROUND] = formerDb
      this.#knownMs = Math.min(MAX_KNOWN_MS, this.#knownMs + heardMs)
    }
    this.#levels[FORMER] = nearDb
    this.#voicedFrames = FIRST_FRAMES
  }

  #trackFar({ levelDb, isPlaying }: NearFrame, isVoice: boolean): void {
    this.#pauseMs = isVoice ? 0 : this.#pauseMs + FRAME_MS
    if (this.#pauseMs > PAUSE_MS) this.#farMs = 0
    if (isVoice && (isPlaying || this.#sinceNearMs < SOON_MS)) this.#learnBackground(levelDb)
    if (isPlaying || (this.#farMs === 0 && !isVoice)) return
    if (this.#farMs === 0) this.#levels[ACCEPTED] = levelDb
    if (isVoice) this.#learn(ACCEPTED, levelDb)
    this.#farMs += FRAME_MS
  }

  #accept(): void {
    const isBackground = this.#knownMs >= KNOWN_MS
    if (this.#farMs < (isBackground ? ACCEPT_BACKGROUND_MS : ACCEPT_MS)) return
    this.#levels[NEAR] = this.#levels[ACCEPTED] as number
    this.#levels[FORMER] = this.#levels[NEAR]
    this.#knownMs = 0
    this.#farMs = 0
    this.isFar = false
  }

  #learn(place: number, levelDb: number): void {
    const before = this.#levels[place] as number
    this.#levels[place] = before + (levelDb > before ? RISE : FALL) * (levelDb - before)
  }
}
