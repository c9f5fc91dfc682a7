// Whether the natural voice begins a reply: as long as its first sound comes in time. Once it was late, the small voice begins until a trial
// beside it was in time again. Pure but for its clock.
import { monotonicMs } from '../base/time/clock.ts'

/** With what the small voice needs to begin, half a second: nobody takes that for dead air. */
const MIN_DEADLINE_MS = 450
const MAX_DEADLINE_MS = 1500
/** The deadline as a multiple of the usual first sound. */
const MULTIPLE = 1.3
/** Until it was heard on this machine: a slow one must have a chance. */
const UNKNOWN_MS = 1000
/** The usual time follows quick replies at once and slow ones hardly: it is that of a machine at rest. */
const FALL = 0.5
const RISE = 0.05
/** A late voice is tried again this often, as long as somebody speaks. */
const TRY_EVERY_MS = 5000

export class FirstSound {
  readonly #now: () => number
  #usualMs = UNKNOWN_MS
  #isLate = false
  #triedAtMs = Number.NEGATIVE_INFINITY

  constructor(now: () => number = monotonicMs) {
    this.#now = now
  }

  get deadlineMs(): number {
    return Math.min(MAX_DEADLINE_MS, Math.max(MIN_DEADLINE_MS, MULTIPLE * this.#usualMs))
  }

  /** The natural voice may begin a reply. */
  get isInTime(): boolean {
    return !this.#isLate
  }

  /** Its first sound took so long, in a reply or in a trial. Late ones do not change what is usual: load must not move the deadline. */
  came(tookMs: number): void {
    this.#isLate = tookMs > this.deadlineMs
    if (this.#isLate) return
    this.#usualMs += (tookMs - this.#usualMs) * (tookMs < this.#usualMs ? FALL : RISE)
  }

  /** It did not come by the deadline. */
  missed(): void {
    this.#isLate = true
    this.#triedAtMs = this.#now()
  }

  /** True at most once in a while: a trial may begin now. */
  takeTrial(): boolean {
    const now = this.#now()
    if (!this.#isLate || now - this.#triedAtMs < TRY_EVERY_MS) return false
    this.#triedAtMs = now
    return true
  }
}
