// Time stretching without audible artifacts: lengths add up, tones stay tones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { largestStep, murmur, tone } from '../../test/rtp-network.ts'
import { joinPcm, levelDb } from '../audio/pcm.ts'
import { Playout } from './playout.ts'

for (const rateHz of [8000, 16000])
  for (const change of ['shorten', 'lengthen'] as const)
    test(`at ${rateHz} Hz a tone can be ${change}ed again and again without a click`, () => {
      for (const hz of [200, 425, 1000, 2500]) {
        const said = tone(2, hz, rateHz)
        const playout = new Playout(rateHz)
        const heard: Int16Array[] = []
        let at = 0
        let changed = 0
        while (at + rateHz / 10 < said.length) {
          while (playout.length < playout.shortenNeeds(rateHz / 50)) {
            playout.append(said.subarray(at, at + rateHz / 50))
            at += rateHz / 50
          }
          const before = playout.length
          const by = playout[change](false)
          assert.equal(playout.length, change === 'shorten' ? before - by : before + by)
          changed += by
          heard.push(playout.take(rateHz / 50))
        }
        const pcm = joinPcm(heard)
        assert.ok(changed > at / 8, `${hz} Hz: only ${changed} of ${at}`)
        const total = pcm.length + playout.length
        assert.equal(total, change === 'shorten' ? at - changed : at + changed)
        assert.ok(largestStep(pcm) < 1.1 * largestStep(said), `${hz} Hz: step ${largestStep(pcm)}`)
        assert.ok(Math.abs(levelDb(pcm) - levelDb(said)) < 0.7, `${hz} Hz: ${levelDb(pcm)} dB`)
      }
    })

test('noise is left alone unless it must be changed, silence may always be', () => {
  const noisy = new Playout(8000)
  noisy.append(murmur(1).subarray(0, 800))
  assert.equal(noisy.shorten(false), 0)
  assert.equal(noisy.lengthen(false), 0)
  assert.ok(noisy.shorten(true) > 0)
  const silent = new Playout(8000)
  silent.append(new Int16Array(800))
  assert.ok(silent.shorten(false) > 0)
  assert.ok(silent.lengthen(false) > 0)
})

test('too short audio is not stretched, and samples that do not fit are dropped', () => {
  const playout = new Playout(8000)
  playout.append(tone(0.005))
  assert.equal(playout.shorten(true), 0)
  assert.equal(playout.lengthen(true), 0)
  playout.append(tone(2))
  assert.equal(playout.length, 4000)
  assert.equal(playout.lengthen(true), 0)
  assert.equal(playout.extend(10).length, 0)
  assert.equal(playout.take(160).length, 160)
  assert.equal(playout.length, 3840)
})
