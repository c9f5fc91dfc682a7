// Relative transit time of packets: the recent minimum, and the delay above it.

const BUCKET_MS = 250
/** Ten seconds. */
const BUCKETS = 40
/** The baseline is the fastest packet of the last 4 s, which follows clock drift (0.8 ms in that time). */
const BASE_BUCKETS = 16
/** A delay of the last 1.25 s is expected again. */
const RECENT_BUCKETS = 5
/** A recurring delay (in 6 of 40 buckets) is expected for longer, up to a limit: the buffer must be short again 2 s after it ends. */
const RECURRING = 6
const MAX_RECURRING_MS = 36
/** A packet is needed when the frame starts that contains its first sample, up to 20 ms before its own time; plus 2 ms. */
const AHEAD_MS = 22
export const MAX_DELAY_MS = 200
/** In the first second. */
const EARLY_MS = 40

export class TransitTime {
  /** The fastest transit, relative to an arbitrary origin. */
  baseMs = 0
  /** How long a packet without delay should wait. */
  targetMs = EARLY_MS
  #isEmpty = true
  #fromMs = 0
  #bucket = 0
  readonly #fastest = new Float64Array(BUCKETS)
  readonly #slowest = new Float64Array(BUCKETS)
  readonly #sorted = new Float64Array(BUCKETS)

  get isEmpty(): boolean {
    return this.#isEmpty
  }

  reset(): void {
    this.#isEmpty = true
    this.targetMs = EARLY_MS
  }

  note(transitMs: number, nowMs: number): void {
    const bucket = Math.floor(nowMs / BUCKET_MS)
    if (this.#isEmpty) {
      this.#isEmpty = false
      this.#fromMs = nowMs
      this.#bucket = bucket
      this.#fastest.fill(Number.POSITIVE_INFINITY)
      this.#slowest.fill(Number.NEGATIVE_INFINITY)
      this.baseMs = transitMs
    }
    const slot = bucket % BUCKETS
    const isNew = bucket > this.#bucket
    if (isNew) {
      for (let n = Math.max(this.#bucket + 1, bucket - BUCKETS + 1); n <= bucket; n++) {
        this.#fastest[n % BUCKETS] = Number.POSITIVE_INFINITY
        this.#slowest[n % BUCKETS] = Number.NEGATIVE_INFINITY
      }
      this.#bucket = bucket
    }
    const isFaster = transitMs < (this.#fastest[slot] as number)
    const isSlower = transitMs > (this.#slowest[slot] as number)
    if (isFaster) this.#fastest[slot] = transitMs
    if (isSlower) this.#slowest[slot] = transitMs
    if (isNew) this.#judge(nowMs)
    else if (transitMs < this.baseMs || transitMs - this.baseMs + AHEAD_MS > this.targetMs) this.#judge(nowMs)
  }

  #judge(nowMs: number): void {
    let base = Number.POSITIVE_INFINITY
    let recent = Number.NEGATIVE_INFINITY
    for (let n = this.#bucket; n > this.#bucket - BASE_BUCKETS; n--) {
      const slot = (n + BUCKETS) % BUCKETS
      base = Math.min(base, this.#fastest[slot] as number)
      if (n > this.#bucket - RECENT_BUCKETS) recent = Math.max(recent, this.#slowest[slot] as number)
    }
    this.baseMs = base
    this.#sorted.set(this.#slowest)
    this.#sorted.sort()
    const recurring = Math.min(MAX_RECURRING_MS, (this.#sorted[BUCKETS - RECURRING] as number) - base)
    const early = nowMs - this.#fromMs < 1000 ? EARLY_MS - AHEAD_MS : 0
    this.targetMs = Math.min(MAX_DELAY_MS, Math.max(0, recent - base, recurring, early) + AHEAD_MS)
  }
}
