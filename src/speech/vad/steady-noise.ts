// Skips VAD inference while a stream only continues noise that was classified as non-speech. Pure.

/** Below this the model is sure that there is no voice. */
const NO_VOICE = 0.1
/** So many steps (a quarter of a second) must have been without a voice, and so many of them make the noise. */
const STEPS = 8
/** A step that has less than this times the energy of the noise (2 dB) is noise. */
const MARGIN = 1.6
/** The quietest that A-law can write, as energy: a line on which nothing is sent, not even noise. */
const NOTHING = 8 ** 2
/** One step of so many (half a second) is computed all the same, unless it is nothing. */
const LOOK_EVERY = 16

/** Of all, and of the higher tones: those of a voice are not hidden by the hum of the mains, nor its lower ones by hissing. */
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
  /** Of the last steps without a voice, in a ring. */
  readonly #energies: Energy[] = Array(STEPS).fill({ all: 0, high: 0 })
  #place = 0
  /** Steps without a voice in a row. */
  #quiet = 0
  #sinceLook = 0
  /** What the model said last. */
  probability = 0

  /** Whether the step need not be computed. */
  goesOn(energy: Energy): boolean {
    const noise = this.#energies.reduce(louder)
    const isLouder = energy.all > noise.all * MARGIN || energy.high > noise.high * MARGIN
    if (isLouder && !isNothing(energy)) this.#quiet = 0
    if (this.#quiet < STEPS) return false
    this.#sinceLook++
    if (this.#sinceLook >= LOOK_EVERY && !isNothing(energy)) return false
    // No louder than it was: a voice that rises slowly must not become the noise.
    this.#keep(quieter(energy, noise))
    return true
  }

  /** What the model said of a step that had to be computed. */
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
