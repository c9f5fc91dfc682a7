// G.722: its effect on tones and noise, no overflow of 16 bits, and code words that follow from the standard.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { peakOf } from '../../test/sound-measures.ts'
import { createG722Decoder, createG722Encoder } from './g722.ts'
import { levelDb } from './pcm.ts'

const RATE_HZ = 16000
/** SHA-1 of spandsp 0.0.6's output for the same samples. */
const KNOWN_CODES = ['e4fe5069a610bf6a', 'f3d817bb475aa0b2', '3ff5fa2e104cfe5c']
const KNOWN_SAMPLES = '18ae77d498d0e468'
const sine = (hz: number, amplitude: number, seconds = 1) =>
  Int16Array.from({ length: RATE_HZ * seconds }, (_, i) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * hz * i) / RATE_HZ)),
  )
const through = (pcm: Int16Array) => createG722Decoder()(createG722Encoder()(pcm))
function noise(length: number, amplitude: number): Int16Array {
  let seed = 9
  let smooth = 0
  return Int16Array.from({ length }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    smooth = 0.8 * smooth + (seed / 2 ** 32 - 0.5)
    return Math.round(smooth * amplitude)
  })
}

/** Delay of both QMF filters together, in samples. */
const DELAY = 22

function signalToNoiseDb(said: Int16Array, heard: Int16Array): number {
  let signal = 0
  let error = 0
  for (let i = 400; i + DELAY < said.length; i++) {
    signal += (said[i] as number) ** 2
    error += ((said[i] as number) - (heard[i + DELAY] as number)) ** 2
  }
  return 10 * Math.log10(signal / error)
}

test('64 kbit/s: two samples to a byte', () => {
  assert.equal(createG722Encoder()(new Int16Array(320)).length, 160)
  assert.equal(createG722Decoder()(new Uint8Array(160)).length, 320)
})

test('the bytes of another implementation, for a sine, for full scale and for noise', () => {
  const made = (pcm: Int16Array) => createHash('sha1').update(createG722Encoder()(pcm)).digest('hex').slice(0, 16)
  const square = Int16Array.from({ length: RATE_HZ }, (_, i) => (Math.floor(i / 40) % 2 ? 32767 : -32768))
  assert.deepEqual([made(sine(1000, 8000)), made(square), made(noise(RATE_HZ, 20_000))], KNOWN_CODES)
  const heard = createG722Decoder()(createG722Encoder()(noise(RATE_HZ, 20_000)))
  assert.equal(createHash('sha1').update(new Uint8Array(heard.buffer)).digest('hex').slice(0, 16), KNOWN_SAMPLES)
})

test('a tone in the lower band keeps 30 dB above the noise, one in the upper band 12', () => {
  for (const hz of [300, 1000, 2000, 3000]) {
    const said = sine(hz, 8000)
    const db = signalToNoiseDb(said, through(said))
    assert.ok(db > 30, `${hz} Hz: ${db} dB`)
  }
  for (const hz of [5000, 6000]) {
    const said = sine(hz, 8000)
    const db = signalToNoiseDb(said, through(said))
    assert.ok(db > 12, `${hz} Hz: ${db} dB`)
  }
})

test('what sounds like speech keeps 20 dB above the noise, loud and soft', () => {
  for (const amplitude of [20_000, 2000, 300]) {
    const said = noise(RATE_HZ, amplitude)
    const db = signalToNoiseDb(said, through(said))
    assert.ok(db > 18, `${amplitude}: ${db} dB`)
  }
})

test('50 Hz to 7 kHz pass within 1 dB', () => {
  for (const hz of [50, 100, 300, 1000, 3000, 3800, 4200, 5000, 6000, 7000]) {
    const said = sine(hz, 8000)
    const change = levelDb(through(said).subarray(800)) - levelDb(said)
    assert.ok(Math.abs(change) < 1, `${hz} Hz: ${change} dB`)
  }
})

test('silence stays silence, for a minute', () => {
  const heard = through(new Int16Array(RATE_HZ * 60)).subarray(RATE_HZ)
  assert.ok(peakOf(heard) < 16 / 32768, `${peakOf(heard) * 32768}`)
})

test('after full scale it comes back: no overflow, no drift', () => {
  const square = Int16Array.from({ length: RATE_HZ }, (_, i) => (Math.floor(i / 37) % 2 ? 32767 : -32768))
  const encode = createG722Encoder()
  const decode = createG722Decoder()
  assert.ok(levelDb(decode(encode(square))) > -2)
  const loud = decode(encode(sine(1000, 32767, 4)))
  assert.ok(Math.abs(levelDb(loud) + 3) < 0.5, `${levelDb(loud)} dB`)
  const mean = loud.reduce((sum, x) => sum + x, 0) / loud.length
  assert.ok(Math.abs(mean) < 100, `mean ${mean}`)
  const said = sine(1000, 8000)
  assert.ok(signalToNoiseDb(said, decode(encode(said))) > 28)
})

test('frames of any length give what one piece gives', () => {
  const said = noise(4000, 9000)
  const whole = createG722Encoder()(said)
  const encode = createG722Encoder()
  const decode = createG722Decoder()
  const codes: number[] = []
  const heard: number[] = []
  for (let at = 0, size = 160; at < said.length; at += size, size = size === 160 ? 320 : 160) {
    const part = encode(said.subarray(at, at + size))
    codes.push(...part)
    heard.push(...decode(part))
  }
  assert.deepEqual(codes, [...whole])
  assert.deepEqual(heard, [...createG722Decoder()(whole)])
})

test('any bytes decode to something within 16 bits that dies down', () => {
  const decode = createG722Decoder()
  let seed = 4
  const codes = Uint8Array.from({ length: 50_000 }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed >>> 24
  })
  decode(codes)
  const silent = createG722Encoder()(new Int16Array(RATE_HZ * 2))
  assert.ok(peakOf(decode(silent).subarray(RATE_HZ)) < 0.001)
})
