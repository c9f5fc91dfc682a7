// Skips VAD inference while a stream only continues noise that was classified as non-speech. Pure.

/** Below this probability the model is certain that there is no speech. */
const NO_VOICE = 0.1
/** This many steps (a quarter of a second) must be non-speech; they define the noise level. */
const STEPS = 8
/** A step below this multiple of the noise energy (2 dB) is noise. */
const MARGIN = 1.6
/** The smallest A-law level, as energy: a line that carries no signal, not even noise. */
const NOTHING = 8 ** 2
/** One step in this many (half a second) is computed anyway, unless the line is silent. */
const LOOK_EVERY = 16

/**
 * Energy of the whole band and of the higher frequencies: mains hum does not mask a voice's high frequencies, nor hiss
 * its low ones.
 */
export type Energy = { all: number; high: number }

export function energyOf(pcm: Int16Array): Energy {
  let [all, high, before] = [0, 0, pcm[0] as number]
  for (let i = 0; i < pcm.length; i++) {
    const sample = pcm[i] as number
    all += sample * sample
    high += (sample - before) * (sample - before)
    before = sample
  }
  return { all: all / pcm.length, high: high / pcm.length }
}

const isNothing = ({ all }: Energy): boolean => all <= NOTHING
const quieter = (a: Energy, b: Energy): Energy => ({ all: Math.min(a.all, b.all), high: Math.min(a.high, b.high) })
const louder = (a: Energy, b: Energy): Energy => ({ all: Math.max(a.all, b.all), high: Math.max(a.high, b.high) })

export class SteadyNoise {
  /** The last non-speech steps, as a ring buffer. */
  readonly #energies: Energy[] = Array(STEPS).fill({ all: 0, high: 0 })
  #place = 0
  /** Consecutive non-speech steps. */
  #quiet = 0
  #sinceLook = 0
  /** The model's last probability. */
  probability = 0

  /** Whether the step can be skipped. */
  goesOn(energy: Energy): boolean {
    const noise = this.#energies.reduce(louder)
    const isLouder = energy.all > noise.all * MARGIN || energy.high > noise.high * MARGIN
    if (isLouder && !isNothing(energy)) this.#quiet = 0
    if (this.#quiet < STEPS) return false
    this.#sinceLook++
    if (this.#sinceLook >= LOOK_EVERY && !isNothing(energy)) return false
    // A skipped step never raises the noise level: a voice that rises slowly must not become the noise.
    this.#keep(quieter(energy, noise))
    return true
  }

  /** The model's result for a computed step. */
  computed(energy: Energy, probability: number): void {
    this.probability = probability
    this.#sinceLook = 0
    if (probability >= NO_VOICE) this.#quiet = 0
    else {
      this.#quiet++
      this.#keep(energy)
    }
  }

  #keep(energy: Energy): void {
    this.#energies[this.#place] = energy
    this.#place = (this.#place + 1) % STEPS
  }
}
