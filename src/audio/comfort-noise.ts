// Comfort noise (RFC 3389): noise generated from the peer's level and spectrum.

/** The static payload type at 8 kHz (RFC 3551 table 4). */
export const COMFORT_NOISE = 13
/** Section 3.1: levels are in dB below overload, a full-scale square wave. */
const FULL_SCALE = 32767
const MAX_ORDER = 12
/** Each sample moves the level by this share of the difference: 90 % in 20 ms at 8 kHz. */
const APPROACH = 0.014
/** Quieter noise is inaudible and could only trigger a detector. */
const SILENT_DB = 78

export class ComfortNoise {
  #seed = 0x2545f491
  #gain = 0
  #wanted = 0
  #order = 0
  readonly #reflection = new Float64Array(MAX_ORDER)
  readonly #lattice = new Float64Array(MAX_ORDER + 1)

  // |0|   level     | k1 + 127 | k2 + 127 | ...  (section 3.3)
  read(payload: Uint8Array): void {
    const level = (payload[0] ?? 127) & 127
    this.#order = Math.min(MAX_ORDER, Math.max(0, payload.length - 1))
    // The all-pole filter amplifies its input by 1 / prod(1 - k^2).
    let shrink = 1
    for (let i = 0; i < this.#order; i++) {
      // 255 would be beyond 1: no filter at all (section 3.2).
      const k = Math.max(-0.98, Math.min(0.98, ((payload[i + 1] as number) - 127) / 127))
      this.#reflection[i] = k
      shrink *= 1 - k * k
    }
    this.#lattice.fill(0)
    this.#wanted = level >= SILENT_DB ? 0 : FULL_SCALE * 10 ** (-level / 20) * Math.sqrt(shrink)
  }

  fill(out: Int16Array): void {
    for (let i = 0; i < out.length; i++) {
      this.#gain += (this.#wanted - this.#gain) * APPROACH
      const sample = this.#filtered(this.#white() * this.#gain)
      out[i] = sample > 32767 ? 32767 : sample < -32768 ? -32768 : sample
    }
  }

  /** Uniform, of variance 1. */
  #white(): number {
    this.#seed = (Math.imul(this.#seed, 1664525) + 1013904223) | 0
    return this.#seed * (Math.sqrt(3) / 2147483648)
  }

  /** All-pole lattice. */
  #filtered(input: number): number {
    const states = this.#lattice
    let forward = input
    for (let i = this.#order - 1; i >= 0; i--) {
      const k = this.#reflection[i] as number
      forward -= k * (states[i] as number)
      states[i + 1] = (states[i] as number) + k * forward
    }
    states[0] = forward
    return forward
  }
}
