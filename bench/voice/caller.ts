// A caller who asks, listens to the whole reply, pauses and asks again; latency counts from their last voiced frame.
import { type Figure, percentile } from '../report/figures.ts'
import { noTally, type Tally } from './terms.ts'

export const TICK_MS = 20
/** After this long without audio the turn has no reply. */
const LOST_MS = 4000
/** A reply is over after this much silence. */
const OVER_MS = 300
const MIN_THOUGHT_MS = 400
const MAX_THOUGHT_MS = 900

export type Script<F> = { questions: readonly (readonly F[])[]; noise: readonly F[] }
type State = 'thinking' | 'asking' | 'waiting' | 'hearing'

export class Caller<F> {
  readonly #script: Script<F>
  #state: State = 'thinking'
  #asksAtMs: number
  #question: number
  #frame = 0
  #noise: number
  #voicedAtMs = 0
  #soundAtMs = Number.NEGATIVE_INFINITY
  #isMeasured = false
  #tally = noTally()
  #turns = 0

  /** `place` makes callers differ. */
  constructor(script: Script<F>, place: number, beginsAtMs: number) {
    this.#script = script
    this.#asksAtMs = beginsAtMs
    this.#question = place
    this.#noise = place * 7
  }

  /** Turns count from now on; one in progress does not. */
  measure(): void {
    this.#tally = noTally()
    this.#isMeasured = false
  }

  get tally(): Tally {
    return this.#tally
  }

  /** The audio to send in this tick. */
  next(nowMs: number): F {
    if (this.#state === 'thinking' && nowMs >= this.#asksAtMs) this.#ask()
    if (this.#state === 'waiting' && nowMs - this.#voicedAtMs > LOST_MS) {
      if (this.#isMeasured) this.#tally.lost++
      this.#think(nowMs)
    }
    if (this.#state === 'hearing' && nowMs - this.#soundAtMs > OVER_MS) this.#think(nowMs)
    if (this.#state !== 'asking') return this.#quiet()
    const { questions } = this.#script
    const question = questions[this.#question % questions.length] ?? []
    const frame = question[this.#frame++] as F
    if (this.#frame === question.length) {
      this.#state = 'waiting'
      this.#voicedAtMs = nowMs
    }
    return frame
  }

  /** Audio from the agent. */
  hears(nowMs: number): void {
    if (this.#state === 'waiting') {
      if (this.#isMeasured) this.#tally.answeredMs.push(nowMs - this.#voicedAtMs)
      this.#state = 'hearing'
    } else if (this.#state === 'asking' && nowMs - this.#soundAtMs > OVER_MS) {
      if (this.#isMeasured) this.#tally.early++
    } else if (this.#state === 'thinking' && nowMs - this.#soundAtMs > OVER_MS) {
      if (this.#isMeasured) this.#tally.stray++
    }
    this.#soundAtMs = nowMs
  }

  #ask(): void {
    this.#state = 'asking'
    this.#isMeasured = true
    this.#question++
    this.#turns++
    this.#frame = 0
  }

  #think(nowMs: number): void {
    this.#state = 'thinking'
    const spread = MAX_THOUGHT_MS - MIN_THOUGHT_MS
    this.#asksAtMs = nowMs + MIN_THOUGHT_MS + ((this.#question * 137 + this.#turns * 211) % spread)
  }

  #quiet(): F {
    const { noise } = this.#script
    return noise[this.#noise++ % noise.length] as F
  }
}

/**
 * Runs all callers on one clock, each at one of this many offsets within a tick: phones do not all send at the same
 * moment.
 */
export function everyTick(
  count: number,
  send: (caller: number) => void,
  before: () => void = () => {},
): { stop(): void; lateMs: () => Figure } {
  const parts = Math.min(10, Math.max(1, count))
  const startMs = performance.now()
  const late: number[] = []
  let step = 0
  let timer: NodeJS.Timeout
  const next = () => {
    const dueMs = () => startMs + (step * TICK_MS) / parts
    late.push(Math.max(0, performance.now() - dueMs()))
    before()
    while (dueMs() <= performance.now()) {
      for (let i = step % parts; i < count; i += parts) send(i)
      step++
    }
    timer = setTimeout(next, Math.max(0, Math.floor(dueMs() - performance.now())))
  }
  next()
  return {
    stop: () => clearTimeout(timer),
    /** The 99th percentile of lateness since the last call. */
    lateMs: () => percentile(late.splice(0), 0.99),
  }
}
