// A caller who asks, listens to the whole reply, pauses and asks again, and records every silence in which they wait
// for the agent.

export const TICK_MS = 20
/** A reply is lost if nothing of it arrives for this long. */
const LOST_MS = 8000
/** Silence that ends a complete reply, and one that may still continue. */
const OVER_MS = 400
const BROKEN_MS = 3000
/** A reply counts as complete from this share of its expected length: the fallback voice may speak faster. */
const WHOLE = 0.6
const MIN_THOUGHT_MS = 400
const MAX_THOUGHT_MS = 900

export type Turn = {
  /** When the question ended, and when the turn was over. */
  askedAtMs: number
  overAtMs: number
  /** Time from the question to the first sound; null: no reply came. */
  firstMs: number | null
  /** The longest silence within the reply. */
  gapMs: number
  /** Start and end of that silence, or of the wait for the first sound if it was longer. */
  soundMs: number
}
type State = 'thinking' | 'asking' | 'waiting' | 'hearing'

export class OutageCaller<F> {
  readonly turns: Turn[] = []
  readonly #questions: readonly (readonly F[])[]
  readonly #noise: readonly F[]
  readonly #replyMs: number
  #state: State = 'thinking'
  #asksAtMs: number
  #count: number
  #frame = 0
  #ticks: number
  #turn: Turn | null = null
  #soundAtMs = 0

  /** `place` makes callers differ; `replyMs` is the length of the agent's reply. */
  constructor(
    script: { questions: readonly (readonly F[])[]; noise: readonly F[]; replyMs: number },
    place: number,
    beginsAtMs: number,
  ) {
    this.#questions = script.questions
    this.#noise = script.noise
    this.#replyMs = script.replyMs
    this.#asksAtMs = beginsAtMs
    this.#count = place
    this.#ticks = place * 7
  }

  /** The audio to send in this tick. */
  next(nowMs: number): F {
    this.#ticks++
    if (this.#state === 'thinking' && nowMs >= this.#asksAtMs) {
      this.#state = 'asking'
      this.#count++
      this.#frame = 0
    }
    if (this.#state === 'waiting' && this.#turn && nowMs - this.#turn.askedAtMs > LOST_MS) this.#end(nowMs)
    if (this.#state === 'hearing' && this.#turn) {
      const quietMs = nowMs - this.#soundAtMs
      const isWhole = this.#turn.soundMs >= WHOLE * this.#replyMs
      if (quietMs > (isWhole ? OVER_MS : BROKEN_MS)) this.#end(this.#soundAtMs)
    }
    if (this.#state !== 'asking') return this.#noise[this.#ticks % this.#noise.length] as F
    const question = this.#questions[this.#count % this.#questions.length] ?? []
    const frame = question[this.#frame++] as F
    if (this.#frame === question.length) {
      this.#state = 'waiting'
      this.#turn = { askedAtMs: nowMs, overAtMs: nowMs, firstMs: null, gapMs: 0, soundMs: 0 }
    }
    return frame
  }

  /** Called for each packet of the agent that is not silence. */
  hears(nowMs: number): void {
    const turn = this.#turn
    if (turn && this.#state === 'waiting') {
      turn.firstMs = nowMs - turn.askedAtMs
      this.#state = 'hearing'
    } else if (turn && this.#state === 'hearing') turn.gapMs = Math.max(turn.gapMs, nowMs - this.#soundAtMs - TICK_MS)
    if (turn) turn.soundMs += TICK_MS
    this.#soundAtMs = nowMs
  }

  #end(nowMs: number): void {
    if (this.#turn) this.turns.push({ ...this.#turn, overAtMs: nowMs })
    this.#turn = null
    this.#state = 'thinking'
    const spread = MAX_THOUGHT_MS - MIN_THOUGHT_MS
    this.#asksAtMs = nowMs + MIN_THOUGHT_MS + ((this.#count * 137 + this.turns.length * 211) % spread)
  }
}
