// Smoothed tick time: evenly spaced, although the thread runs some ticks late.

/** Share of the difference to real time that each tick corrects: half of it in 0.7 s. */
const FOLLOW = 0.02
/** A gap this large for this many ticks is not lateness but a suspended clock: skip the missed ticks. */
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
