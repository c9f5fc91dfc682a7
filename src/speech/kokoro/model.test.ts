// The plain path (the reference) on every processor; the fast path compared with it, and its chunks with a single run.
// @run rest
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { needsInt8, preparedKokoro, wayHere } from '../../../test/prepared-kokoro.ts'
import { bandLevelsDb, envelopeOf, pitchHz } from '../../../test/sound-measures.ts'
import { toPcm16 } from '../../audio/limiter.ts'
import { levelDb } from '../../audio/pcm.ts'
import { crossfader, planChunks } from './chunks.ts'
import { RATE_HZ } from './graph.ts'
import { type KokoroModel, openKokoro } from './model.ts'

let model: KokoroModel
before(async () => {
  const { folder, packages } = await preparedKokoro()
  model = await openKokoro({ folder, voicesFolder: packages.voices, isFast: wayHere === 'fast', threads: 2 })
})
after(() => model.close())

const sentences = [
  { text: 'Vou transferir a sua ligação, só um momento.', voiceId: 'pf_dora', language: 'pt-BR', speed: 1 },
  { text: 'Your appointment is on Tuesday.', voiceId: 'af_heart', language: 'en-US', speed: 1 },
  { text: 'Su cita es el martes por la tarde.', voiceId: 'ef_dora', language: 'es-ES', speed: 1 },
]
const edgesHz = [100, 400, 800, 1600, 3200, 6000]

function alike(a: Float32Array, b: Float32Array): number {
  const mean = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [ma, mb] = [mean(a), mean(b)]
  let [ab, aa, bb] = [0, 0, 0]
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [(a[i] as number) - ma, (b[i] as number) - mb]
    ab += x * y
    aa += x * x
    bb += y * y
  }
  return ab / Math.sqrt(aa * bb)
}

async function windowed(utterance: (typeof sentences)[number]) {
  const clip = await model.front(utterance)
  const windows = planChunks(0, clip.steps)
  const join = crossfader()
  const out: number[] = []
  for (const [i, window] of windows.entries())
    out.push(...join(await model.window(clip, window), i < windows.length - 1))
  return { clip, samples: Float32Array.from(out) }
}

test('the plain path has the length, level, pitch and spectrum of speech in each language', async () => {
  for (const utterance of sentences) {
    const pcm = toPcm16(await model.plain(utterance))
    const seconds = pcm.length / RATE_HZ
    const letters = utterance.text.length
    const [pitch, level] = [pitchHz(pcm, RATE_HZ), levelDb(pcm)]
    const about = `${utterance.voiceId}: ${seconds.toFixed(2)} s, ${level.toFixed(1)} dB, ${pitch.toFixed(0)} Hz`
    assert.ok(seconds > letters * 0.045 && seconds < letters * 0.13, about)
    assert.ok(level > -32 && level < -15, about)
    assert.ok(pitch > 140 && pitch < 300, about) // female voices
    const bands = bandLevelsDb(pcm, RATE_HZ, edgesHz)
    const [low, high] = [bands[0] as number, bands.at(-1) as number]
    assert.ok(low - high > 6, `${about}, bands of ${bands.map((db) => db.toFixed(1))} dB`) // noise has equal bands
  }
})

test(
  'a sentence in chunks sounds like a single run: same length, difference 15 dB below the signal',
  needsInt8,
  async () => {
    for (const utterance of sentences) {
      const { clip, samples } = await windowed(utterance)
      const whole = await model.window(clip, { from: 0, to: clip.steps })
      assert.equal(samples.length, whole.length)
      let [error, power] = [0, 0]
      for (let i = 0; i < whole.length; i++) {
        error += ((whole[i] as number) - (samples[i] as number)) ** 2
        power += (whole[i] as number) ** 2
      }
      const apartDb = 10 * Math.log10(power / error)
      assert.ok(apartDb > 15, `${utterance.voiceId}: ${apartDb.toFixed(1)} dB`)
    }
  },
)

test('the fast path matches the plain path in length, level, melody, spectrum and pauses', needsInt8, async () => {
  for (const utterance of sentences) {
    const fast = toPcm16((await windowed(utterance)).samples)
    const plain = toPcm16(await model.plain(utterance))
    const about = `${utterance.voiceId}: `
    const apartMs = (Math.abs(fast.length - plain.length) * 1000) / RATE_HZ
    assert.ok(apartMs <= 50, `${about}${apartMs} ms longer or shorter`)
    // Measured: af_heart is 2.2 dB quieter than on the plain path (1.9 with graphs prepared for three voices), for
    // unknown reasons.
    assert.ok(Math.abs(levelDb(fast) - levelDb(plain)) < 2.5, `${about}${levelDb(fast)} and ${levelDb(plain)} dB`)
    assert.ok(Math.abs(pitchHz(fast, RATE_HZ) / pitchHz(plain, RATE_HZ) - 1) < 0.05, `${about}another pitch`)
    const [a, b] = [fast, plain].map((pcm) => bandLevelsDb(pcm, RATE_HZ, edgesHz)) as [number[], number[]]
    const apart = a.map((level, i) => Math.abs(level - (b[i] as number)))
    assert.ok(Math.max(...apart) < 4, `${about}bands are ${apart.map((db) => db.toFixed(1))} dB apart`)
    const flow = alike(envelopeOf(fast, RATE_HZ), envelopeOf(plain, RATE_HZ))
    assert.ok(flow > 0.8, `${about}envelopes agree by ${flow.toFixed(2)}`)
  }
})

test('a clip is silent before its start, at any speed', needsInt8, async () => {
  for (const utterance of sentences) {
    for (const speed of [0.5, 1, 2]) {
      const clip = await model.front({ ...utterance, speed })
      if (clip.start === 0) continue
      const lead = await model.window(clip, { from: 0, to: clip.start })
      assert.ok(
        lead.every((sample) => Math.abs(sample) < 0.01),
        `${utterance.voiceId} at ${speed}`,
      )
    }
  }
})
