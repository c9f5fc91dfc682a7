// Whether the natural voice begins a reply: as long as its first sound comes in time. After a late one the small voice begins replies until
// a trial of the natural voice is in time again. Pure except for its clock.
import { monotonicMs } from '../base/time/clock.ts'

/** Together with the start of the small voice half a second, which no caller takes for dead air. */
const MIN_DEADLINE_MS = 450
const MAX_DEADLINE_MS = 1500
/** The deadline as a multiple of the usual first sound. */
const MULTIPLE = 1.3
/** Before the first measurement: a slow machine must have a chance. */
const UNKNOWN_MS = 1000
/** The usual time follows fast replies quickly and slow ones hardly, so that it stays that of an idle machine. */
const FALL = 0.5
const RISE = 0.05
/** A late voice is tried again at most this often, and only while there is speech to synthesize. */
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

  /** The first sound took `tookMs`, in a reply or in a trial. Late ones do not change the usual time: load must not move the deadline. */
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

  /** True if a trial may begin now; limited in rate. */
  takeTrial(): boolean {
    const now = this.#now()
    if (!this.#isLate || now - this.#triedAtMs < TRY_EVERY_MS) return false
    this.#triedAtMs = now
    return true
  }
}
