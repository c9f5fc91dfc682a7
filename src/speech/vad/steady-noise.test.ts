// Which steps are computed: those that are louder than the noise, and one now and then.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Energy, energyOf, SteadyNoise } from './steady-noise.ts'

/** A line whose model says so much of every step; how many of them were computed. */
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

test('after a quarter of a second of noise without a voice only one step in sixteen is computed', () => {
  const noise = new SteadyNoise()
  assert.equal(computed(noise, steps(8, 1000)), 8)
  assert.equal(computed(noise, steps(160, 1000)), 10)
})

test('nothing at all is never looked at again', () => {
  const noise = new SteadyNoise()
  assert.equal(computed(noise, steps(1000, 9)), 8)
})

test('a step that is louder than the noise is computed, and those after it until it is noise again', () => {
  const noise = new SteadyNoise()
  computed(noise, steps(8, 1000))
  assert.equal(noise.goesOn(of(1500)), true)
  assert.equal(noise.goesOn(of(2000)), false)
  noise.computed(of(2000), 0.7)
  assert.equal(computed(noise, steps(7, 1000)), 7)
  assert.equal(noise.goesOn(of(1000)), false)
})

test('what the model takes for a voice is computed however steady it is', () => {
  const noise = new SteadyNoise()
  assert.equal(computed(noise, steps(100, 1000), 0.2), 100)
})

test('noise that becomes quieter is the new noise after a quarter of a second', () => {
  const noise = new SteadyNoise()
  computed(noise, steps(8, 10_000))
  computed(noise, steps(8, 1000))
  assert.equal(noise.goesOn(of(5000)), false)
})

test('a sound that rises slowly does not become the noise', () => {
  const noise = new SteadyNoise()
  computed(noise, steps(8, 1000))
  const rising = Array.from({ length: 12 }, (_, i) => 1000 * 1.2 ** (i + 1))
  assert.deepEqual(
    rising.map((energy) => noise.goesOn(of(energy))),
    rising.map((energy) => energy <= 1600),
  )
})

test('higher tones that come up under a hum are computed', () => {
  const noise = new SteadyNoise()
  computed(noise, steps(8, 10_000))
  assert.equal(noise.goesOn(of(10_000, 1700)), false)
})

test('energy is the mean of squares, and of the squares of what a sample differs from the one before', () => {
  assert.deepEqual(energyOf(Int16Array.of(3, -4)), { all: 12.5, high: 24.5 })
})
