// Smoothed tick time: evenly spaced, though the thread runs some ticks late.

/** Of the difference to the real time, taken over at each tick: half in 0.7 s. */
const FOLLOW = 0.02
/** So far off for so long is no lateness: ticks were left out, or nobody has pulled for a while. */
const JUMP_MS = 60
const JUMP_AFTER = 25
const JUMP_AT_ONCE_MS = 1000

export class SmoothedTickTime {
  ms = Number.NaN
  readonly #everyMs: number
  #offFor = 0

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  next(nowMs: number): number {
    const off = nowMs - (this.ms + this.#everyMs)
    this.#offFor = Math.abs(off) > JUMP_MS ? this.#offFor + 1 : 0
    const isJump = !(Math.abs(off) < JUMP_AT_ONCE_MS) || this.#offFor > JUMP_AFTER
    this.ms = isJump ? nowMs : this.ms + this.#everyMs + off * FOLLOW
    return this.ms
  }
}
