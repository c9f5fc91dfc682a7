// DTMF digits in audio: every key detected once, near misses and voices never.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { peakOf } from '../../test/sound-measures.ts'
import { robotSpeech, sounds } from '../../test/sounds.ts'
import { DtmfToneDetector, toneOf } from './dtmf-tones.ts'
import { decodeUlaw, encodeUlaw } from './g711.ts'
import { joinPcm } from './pcm.ts'

const KEYS = '123A456B789C*0#D'
const LOW_HZ = [697, 770, 852, 941]
const HIGH_HZ = [1209, 1336, 1477, 1633]

type Tone = { amplitude?: number; twistDb?: number; offBy?: number }
/** A synthetic tone with the faults that lines and phones add. */
function faulty(
  key: string,
  ms: number,
  rateHz: number,
  { amplitude = 0.2, twistDb = 0, offBy = 0 }: Tone,
): Int16Array {
  const at = KEYS.indexOf(key)
  const low = 2 * Math.PI * (LOW_HZ[at >> 2] as number) * (1 + offBy)
  const high = 2 * Math.PI * (HIGH_HZ[at & 3] as number) * (1 + offBy)
  return Int16Array.from({ length: (ms * rateHz) / 1000 }, (_, i) => {
    const t = i / rateHz
    return Math.round(32767 * amplitude * (Math.sin(low * t) + 10 ** (twistDb / 20) * Math.sin(high * t)))
  })
}

type Found = { digit: string; ms: number }
function found(pcm: Int16Array, rateHz: number): Found[] {
  const digits: Found[] = []
  const detector = new DtmfToneDetector(rateHz, (digit, ms) => digits.push({ digit, ms }))
  const heard = decodeUlaw(encodeUlaw(pcm))
  for (let at = 0; at < heard.length; at += rateHz / 50) detector.push(heard.subarray(at, at + rateHz / 50))
  return digits
}
const text = (digits: Found[]) => digits.map(({ digit }) => digit).join('')
const silence = (ms: number, rateHz: number) => new Int16Array((ms * rateHz) / 1000)

/** All keys, at three offsets relative to the detector's blocks. */
function all(rateHz: number, toneMs: number, gapMs: number, fault: Tone): string[] {
  return [0, 4, 9].map((shiftMs) =>
    text(
      found(
        joinPcm([
          silence(shiftMs, rateHz),
          ...[...KEYS].flatMap((key) => [faulty(key, toneMs, rateHz, fault), silence(gapMs, rateHz)]),
          silence(100, rateHz),
        ]),
        rateHz,
      ),
    ),
  )
}

for (const rateHz of [8000, 16000]) {
  test(`at ${rateHz} Hz every key is found once, from 40 ms on, soft, with twist and a little off`, () => {
    const ok = [KEYS, KEYS, KEYS]
    assert.deepEqual(all(rateHz, 40, 40, {}), ok, '40 ms')
    assert.deepEqual(all(rateHz, 100, 60, {}), ok, '100 ms')
    assert.deepEqual(all(rateHz, 500, 500, {}), ok, '500 ms')
    assert.deepEqual(all(rateHz, 60, 60, { amplitude: 0.45 }), ok, 'loud')
    assert.deepEqual(all(rateHz, 60, 60, { amplitude: 0.013 }), ok, 'soft')
    assert.deepEqual(all(rateHz, 60, 60, { twistDb: 4 }), ok, 'high stronger')
    assert.deepEqual(all(rateHz, 60, 60, { twistDb: -8 }), ok, 'low stronger')
    assert.deepEqual(all(rateHz, 60, 60, { offBy: 0.015 }), ok, '1.5 % high')
    assert.deepEqual(all(rateHz, 60, 60, { offBy: -0.015 }), ok, '1.5 % low')
  })

  test(`at ${rateHz} Hz what is no digit is none`, () => {
    const none = ['', '', '']
    assert.deepEqual(all(rateHz, 12, 60, {}), none, '12 ms')
    assert.deepEqual(all(rateHz, 60, 60, { twistDb: 10 }), none, 'high much stronger')
    assert.deepEqual(all(rateHz, 60, 60, { twistDb: -14 }), none, 'low much stronger')
    assert.deepEqual(all(rateHz, 60, 60, { offBy: 0.035 }), none, '3.5 % high')
    assert.deepEqual(all(rateHz, 60, 60, { offBy: -0.035 }), none, '3.5 % low')
    assert.deepEqual(all(rateHz, 60, 60, { amplitude: 0.002 }), none, 'too soft')
  })

  test(`at ${rateHz} Hz our own tones are found with their duration`, () => {
    for (const ms of [60, 100, 240]) {
      const [digit, ...more] = found(joinPcm([toneOf('7', ms, rateHz), silence(100, rateHz)]), rateHz)
      assert.deepEqual(more, [])
      assert.equal(digit?.digit, '7')
      assert.ok(Math.abs((digit?.ms ?? 0) - ms) <= 20, `${digit?.ms} ms of ${ms}`)
    }
  })
}

test('the same key twice is two digits, and a hole of 8 ms in one is not', () => {
  const twice = joinPcm([toneOf('5', 60, 8000), silence(45, 8000), toneOf('5', 60, 8000), silence(60, 8000)])
  assert.equal(text(found(twice, 8000)), '55')
  const tone = toneOf('5', 200, 8000)
  tone.fill(0, 800, 864)
  assert.equal(text(found(joinPcm([tone, silence(60, 8000)]), 8000)), '5')
})

test('voices, music and noises are no digits', async () => {
  const words =
    'One two three four, please leave a message after the tone. Aaah, oooh, eeee, mmmm, lalala, hallo hallo.'
  for (const voice of ['en', 'pt', 'de'])
    assert.equal(text(found(await robotSpeech(words, voice, 8000), 8000)), '', voice)
  for (const [name, make] of Object.entries(sounds)) assert.equal(text(found(make(8000, 5), 8000)), '', name)
})

test('a digit is found within noise 15 dB below it', () => {
  let seed = 5
  const noisy = Int16Array.from(joinPcm([silence(100, 8000), toneOf('9', 80, 8000), silence(100, 8000)]), (sample) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return sample + Math.round((seed / 2 ** 32 - 0.5) * 4000)
  })
  assert.equal(text(found(noisy, 8000)), '9')
})

test('tones have their length, do not clip, and are silence for what is no key', () => {
  assert.equal(toneOf('1', 100, 8000).length, 800)
  assert.equal(toneOf('d', 100, 16000).length, 1600)
  for (const key of KEYS) assert.ok(peakOf(toneOf(key, 100, 8000)) < 0.45)
  assert.equal(peakOf(toneOf('x', 100, 8000)), 0)
  assert.equal(peakOf(toneOf('', 100, 8000)), 0)
})
