// Skips VAD inference while a stream only continues noise that was classified as non-speech. Pure.

/** Below this probability there is certainly no speech. */
const NO_VOICE = 0.1
/** This many steps (a quarter of a second) must be non-speech; they define the noise level. */
const STEPS = 8
/** A step below this multiple of the noise energy (2 dB) is noise. */
const MARGIN = 1.6
/** Energy of the smallest A-law level: a line without any signal, even noise. */
const NOTHING = 8 ** 2
/** One step in this many (half a second) is computed anyway, unless the line is dead. */
const LOOK_EVERY = 16

/**
 * Energy of the whole band and of the higher frequencies: mains hum does not mask a voice's high frequencies, nor hiss
 * its low ones.
 */
export type Energy = { all: number; high: number }

/** Writes to `into`, so that a stream needs one object for all its steps. */
export function energyOf(pcm: Int16Array, into: Energy = { all: 0, high: 0 }): Energy {
  let [all, high, before] = [0, 0, pcm[0] as number]
  for (let i = 0; i < pcm.length; i++) {
    const sample = pcm[i] as number
    all += sample * sample
    high += (sample - before) * (sample - before)
    before = sample
  }
  into.all = all / pcm.length
  into.high = high / pcm.length
  return into
}

const isNothing = ({ all }: Energy): boolean => all <= NOTHING

export class SteadyNoise {
  /** The last non-speech steps, as ring buffers. */
  readonly #all = new Float64Array(STEPS)
  readonly #high = new Float64Array(STEPS)
  #place = 0
  /** Consecutive non-speech steps. */
  #quiet = 0
  #sinceLook = 0
  /** The model's last probability. */
  probability = 0

  /** Whether the step can be skipped. */
  goesOn(energy: Energy): boolean {
    const all = loudest(this.#all)
    const high = loudest(this.#high)
    const isLouder = energy.all > all * MARGIN || energy.high > high * MARGIN
    if (isLouder && !isNothing(energy)) this.#quiet = 0
    if (this.#quiet < STEPS) return false
    this.#sinceLook++
    if (this.#sinceLook >= LOOK_EVERY && !isNothing(energy)) return false
    // A skipped step never raises the noise level: a voice that rises slowly must not become the noise.
    this.#keep(Math.min(energy.all, all), Math.min(energy.high, high))
    return true
  }

  /** The model's result for a computed step. */
  computed(energy: Energy, probability: number): void {
    this.probability = probability
    this.#sinceLook = 0
    if (probability >= NO_VOICE) this.#quiet = 0
    else {
      this.#quiet++
      this.#keep(energy.all, energy.high)
    }
  }

  #keep(all: number, high: number): void {
    this.#all[this.#place] = all
    this.#high[this.#place] = high
    this.#place = (this.#place + 1) % STEPS
  }
}

function loudest(energies: Float64Array): number {
  let most = 0
  for (let i = 0; i < STEPS; i++) most = Math.max(most, energies[i] as number)
  return most
}
