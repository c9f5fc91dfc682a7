import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAutocorrelation } from './autocorrelation-simd.ts'
import { plainAutocorrelation } from './pitch-tracker.ts'

test('the sums of the SIMD kernel are those of the plain loop, for every lag', () => {
  for (const shape of [
    { samples: 190, size: 120, longest: 67, lags: 64 },
    { samples: 150, size: 80, longest: 40, lags: 32 },
  ]) {
    const fast = createAutocorrelation(shape)
    assert.ok(fast, 'this engine has WebAssembly SIMD')
    const plain = plainAutocorrelation(shape)
    let seed = 7
    for (let i = 0; i < shape.samples; i++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      plain.samples[i] = (seed % 65_536) - 32_768
    }
    fast.samples.set(plain.samples)
    for (let run = 0; run < 2; run++) {
      fast.run()
      plain.run()
      const energy = plain.samples.reduce((sum, sample) => sum + sample ** 2, 0)
      for (let n = 0; n < shape.lags; n++) {
        const off = Math.abs((fast.sums[n] as number) - (plain.sums[n] as number))
        assert.ok(off < energy * 1e-6, `lag ${shape.longest - n}: off by ${off / energy}`)
      }
    }
  }
})
