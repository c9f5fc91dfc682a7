// Loss concealment: a tone continues as the same tone, a voice fades out, and neither edge clicks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { largestStep, murmur, tone } from '../../test/rtp-network.ts'
import { peakOf } from '../../test/sound-measures.ts'
import { Concealer } from './loss-concealment.ts'
import { levelDb } from './pcm.ts'

/** `said` with `lost` frames of 20 ms concealed, starting at 400 ms. */
function mended(said: Int16Array, rateHz: number, lost: number): Int16Array {
  const frame = rateHz / 50
  const out = said.slice()
  const concealer = new Concealer(rateHz)
  for (let n = 0; n < said.length / frame; n++) {
    const place = out.subarray(n * frame, (n + 1) * frame)
    if (n >= 20 && n < 20 + lost) concealer.conceal(place)
    else {
      if (concealer.isActive) concealer.rejoin(place)
      concealer.hear(place)
    }
  }
  return out
}

for (const rateHz of [8000, 16000]) {
  test(`at ${rateHz} Hz one lost frame of a tone is not to be told from the tone`, () => {
    for (const hz of [200, 440, 1000]) {
      const said = tone(1, hz, rateHz)
      const heard = mended(said, rateHz, 1)
      const gap = heard.subarray(0.4 * rateHz, 0.42 * rateHz)
      let error = 0
      for (let i = 0; i < gap.length; i++)
        error += ((gap[i] as number) - (said[0.4 * rateHz + i] as number)) ** 2 / gap.length
      const errorDb = 10 * Math.log10(error / (8000 ** 2 / 2))
      assert.ok(errorDb < -15, `${hz} Hz: error ${errorDb} dB`)
      assert.ok(largestStep(heard) < 1.15 * largestStep(said), `${hz} Hz clicks`)
    }
  })

  test(`at ${rateHz} Hz a long loss fades to silence within 80 ms and does not click at either end`, () => {
    const said = tone(1, 300, rateHz)
    const heard = mended(said, rateHz, 10)
    const at = (ms: number, size = 10) => levelDb(heard.subarray((ms * rateHz) / 1000, ((ms + size) * rateHz) / 1000))
    assert.ok(at(400) > -16, `${at(400)}`)
    assert.ok(at(430) < at(400) - 1 && at(430) > -25, `${at(430)}`)
    assert.equal(peakOf(heard.subarray(0.485 * rateHz, 0.6 * rateHz)), 0)
    assert.ok(at(620) > -16)
    assert.ok(largestStep(heard) < 1.15 * largestStep(said))
  })

  test(`at ${rateHz} Hz noise goes on as noise of the same strength`, () => {
    const said = murmur(1, rateHz)
    const heard = mended(said, rateHz, 1)
    const change = levelDb(heard.subarray(0.4 * rateHz, 0.41 * rateHz)) - levelDb(said)
    assert.ok(Math.abs(change) < 4, `${change} dB`)
    assert.ok(largestStep(heard) < 1.3 * largestStep(said))
  })
}

test('a swing too slow to have a period goes on without a step', () => {
  const said = tone(1, 35)
  for (let shift = 0; shift < 230; shift += 19) {
    const heard = mended(said.subarray(shift, shift + 7040), 8000, 2)
    assert.ok(largestStep(heard) < 12 * largestStep(said), `${shift}: ${largestStep(heard)}`)
  }
})

test('a sound that has ended is gone in 5 ms', () => {
  const concealer = new Concealer(8000)
  concealer.hear(tone(0.2))
  const out = new Int16Array(160)
  concealer.conceal(out, true)
  assert.ok(peakOf(out.subarray(0, 10)) > 0.1)
  assert.equal(peakOf(out.subarray(41)), 0)
  assert.ok(!concealer.isAudible)
})

test('with nothing heard yet there is nothing to go on with', () => {
  const concealer = new Concealer(8000)
  const out = new Int16Array(160).fill(5)
  concealer.conceal(out)
  assert.equal(peakOf(out), 0)
})

test('silence, full scale and a lone click are gone on with as they come', () => {
  const click = new Int16Array(480)
  click[479] = 32767
  for (const said of [new Int16Array(480), new Int16Array(480).fill(32767), new Int16Array(480).fill(-32768), click]) {
    const concealer = new Concealer(8000)
    concealer.hear(said)
    const out = new Int16Array(1600)
    concealer.conceal(out)
    assert.ok(out.every((sample) => Number.isInteger(sample)))
    assert.equal(out[1599], 0)
  }
})
