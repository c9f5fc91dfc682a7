// Which steps are computed: those louder than the noise, and one at regular intervals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Energy, energyOf, SteadyNoise } from './steady-noise.ts'

/** Returns how many steps were computed on a line for which the model always returns this probability. */
function computed(noise: SteadyNoise, energies: readonly Energy[], probability = 0.01): number {
  let count = 0
  for (const energy of energies) {
    if (noise.goesOn(energy)) continue
    noise.computed(energy, probability)
    count++
  }
  return count
}
const of = (all: number, high = all / 10): Energy => ({ all, high })
const steps = (count: number, energy: number): Energy[] => Array(count).fill(of(energy))

test('after a quarter of a second of noise without speech, only one step in sixteen is computed', () => {
  const noise = new SteadyNoise()
  assert.equal(computed(noise, steps(8, 1000)), 8)
  assert.equal(computed(noise, steps(160, 1000)), 10)
})

test('digital silence is never computed again', () => {
  const noise = new SteadyNoise()
  assert.equal(computed(noise, steps(1000, 9)), 8)
})

test('a step louder than the noise is computed, and so are the following ones until it is noise again', () => {
  const noise = new SteadyNoise()
  computed(noise, steps(8, 1000))
  assert.equal(noise.goesOn(of(1500)), true)
  assert.equal(noise.goesOn(of(2000)), false)
  noise.computed(of(2000), 0.7)
  assert.equal(computed(noise, steps(7, 1000)), 7)
  assert.equal(noise.goesOn(of(1000)), false)
})

test('steps that the model classifies as speech are computed, however steady they are', () => {
  const noise = new SteadyNoise()
  assert.equal(computed(noise, steps(100, 1000), 0.2), 100)
})

test('noise that becomes quieter is the new noise level after a quarter of a second', () => {
  const noise = new SteadyNoise()
  computed(noise, steps(8, 10_000))
  computed(noise, steps(8, 1000))
  assert.equal(noise.goesOn(of(5000)), false)
})

test('a sound that rises slowly does not become the noise level', () => {
  const noise = new SteadyNoise()
  computed(noise, steps(8, 1000))
  const rising = Array.from({ length: 12 }, (_, i) => 1000 * 1.2 ** (i + 1))
  assert.deepEqual(
    rising.map((energy) => noise.goesOn(of(energy))),
    rising.map((energy) => energy <= 1600),
  )
})

test('higher frequencies that appear over a hum are computed', () => {
  const noise = new SteadyNoise()
  computed(noise, steps(8, 10_000))
  assert.equal(noise.goesOn(of(10_000, 1700)), false)
})

test('energy is the mean square of the samples, and of the differences between adjacent samples', () => {
  assert.deepEqual(energyOf(Int16Array.of(3, -4)), { all: 12.5, high: 24.5 })
})
