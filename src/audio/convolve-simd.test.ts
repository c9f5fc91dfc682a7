// The SIMD filter against the same sum in plain TypeScript: every phase, partly filled registers, full scale.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConvolver, type PolyphaseFilter } from './convolve-simd.ts'

/** Seeded pseudo-random numbers from -1 to 1, the same in every run. */
function noise(): () => number {
  let seed = 12345
  return () => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return seed / 2 ** 31 - 1
  }
}

function expected(
  { up, down, width, rows }: PolyphaseFilter,
  input: Int16Array,
  phase: number,
  count: number,
): number[] {
  return Array.from({ length: count }, (_, n) => {
    const at = phase + n * down
    const [start, row] = [Math.floor(at / up), (at % up) * width]
    let sum = 0
    for (let k = 0; k < width; k++) sum += (input[start + k] as number) * (rows[row + k] as number)
    return Math.max(-32768, Math.min(32767, sum))
  })
}

for (const [up, down, width] of [
  [1, 3, 192],
  [2, 1, 64],
  [160, 441, 180],
  [3, 7, 20],
] as const) {
  test(`${up} outputs for ${down} inputs from ${width} factors are those of the plain sum`, () => {
    const next = noise()
    const filter = { up, down, width, rows: Float64Array.from({ length: up * width }, () => next() / 8) }
    const convolver = createConvolver(filter)
    assert.ok(convolver)
    const history = Int16Array.from({ length: width - 1 }, () => next() * 32768)
    const pcm = Int16Array.from({ length: 500 }, () => next() * 32768)
    const input = Int16Array.of(...history, ...pcm)
    const phase = up - 1
    const count = Math.floor(((input.length - width) * up - phase) / down)
    const out = convolver.run(history, pcm, phase, count)
    const wanted = expected(filter, input, phase, count)
    assert.equal(out.length, count)
    assert.ok(wanted.some((sample) => sample === 32767 || sample === -32768) || width < 64, 'full scale is reached')
    for (const [n, sample] of wanted.entries())
      assert.ok(Math.abs(sample - (out[n] as number)) < 0.6, `output ${n}: ${out[n]} instead of ${sample}`)
    assert.deepEqual(convolver.inputs(width), input.subarray(width))
  })
}

test('calls leave nothing behind: silence after a loud call is silence', () => {
  const convolver = createConvolver({ up: 1, down: 1, width: 24, rows: new Float64Array(24).fill(1) })
  convolver?.run(new Int16Array(24).fill(30_000), new Int16Array(300).fill(30_000), 0, 300)
  const quiet = convolver?.run(new Int16Array(24), new Int16Array(100), 0, 100)
  assert.deepEqual(quiet, new Int16Array(100))
})
