// What the utterance detector keeps: exact, complete, and bounded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AudioFrame, Vad } from './ports.ts'
import { UtteranceDetector, type UtteranceEvents } from './utterance-detector.ts'

/** Loud samples are voice; a sample's value identifies its position in the stream. */
const vad: Vad = {
  open(rateHz) {
    let samples = 0
    let loud = 0
    return {
      async push(pcm) {
        const steps: number[] = []
        for (const sample of pcm) {
          samples++
          if (sample > 0) loud++
          if (samples < rateHz * 0.032) continue
          steps.push(loud * 2 > samples ? 0.9 : 0.1)
          samples = 0
          loud = 0
        }
        return steps
      },
      close() {},
    }
  },
}

type Heard = { on: boolean; atMs: number; nowMs: number }

/** Frames of 20 ms; `loud` lists the spans with voice, in ms. Quiet samples are negative, to tell them apart. */
function stream(ms: number, loud: [from: number, to: number][], rateHz = 8000, fromMs = 0): AudioFrame[] {
  const length = rateHz / 50
  return Array.from({ length: ms / 20 }, (_, frame) => {
    const pcm = new Int16Array(length)
    for (let i = 0; i < length; i++) {
      const at = fromMs + frame * 20 + (i * 1000) / rateHz
      const sign = loud.some(([from, to]) => at >= from && at < to) ? 1 : -1
      pcm[i] = sign * (1 + ((frame * length + i) % 30_000))
    }
    return { pcm, rateHz }
  })
}

async function listen(
  frames: Iterable<AudioFrame>,
  onSpeech: (detector: UtteranceDetector, change: Heard) => void = () => {},
) {
  const heard: Heard[] = []
  const pauses: { on: boolean; voicedMs: number }[] = []
  const candidates: boolean[] = []
  const events: UtteranceEvents = {
    onSpeech({ isSpeaking: on, atMs, nowMs }) {
      heard.push({ on, atMs, nowMs })
      onSpeech(detector, { on, atMs, nowMs })
    },
    onSpeechPause: (on, voicedMs) => void pauses.push({ on, voicedMs }),
    onSpeechCandidate: (on) => void candidates.push(on),
  }
  const detector: UtteranceDetector = new UtteranceDetector(vad, events)
  async function* input() {
    yield* frames
  }
  await detector.listen({ input: input() })
  return { detector, heard, pauses, candidates }
}
const at = (pcm: Int16Array, i: number) => Math.abs(pcm.at(i) ?? 0) - 1

test('an utterance starts 300 ms before its speech and ends shortly after it, exact to the sample', async () => {
  const { detector } = await listen(stream(4000, [[1024, 2048]]))
  const sound = detector.pendingUtterance()
  assert.ok(sound)
  assert.deepEqual([sound.fromMs, sound.toMs], [1024 - 300, 2048 + 64])
  assert.equal(sound.pcm.length, (1024 + 300 + 64) * 8)
  assert.equal(at(sound.pcm, 0), (1024 - 300) * 8)
  assert.equal(at(sound.pcm, -1), (2048 + 64) * 8 - 1)
})

test('whoever follows gets the pending audio and what comes, in pieces without a gap, until they stop', async () => {
  const pieces: AudioFrame[] = []
  let stop = () => {}
  const { detector } = await listen(stream(4000, [[1024, 2048]]), (heard, { on }) => {
    if (on) stop = heard.follow((piece) => pieces.push(piece))
    else stop()
  })
  const samples = pieces.flatMap(({ pcm }) => [...pcm])
  const whole = detector.pendingUtterance()
  assert.ok(whole && pieces.length > 10 && samples.length > whole.pcm.length)
  assert.deepEqual(samples.slice(0, whole.pcm.length), [...whole.pcm])
  assert.ok(samples.length < (1024 + 300 + 320) * 8, 'nothing after the end of speech is known')
  for (const { pcm } of pieces.slice(1, -1)) assert.ok(pcm.length >= 60 * 8 && pcm.length <= 80 * 8)
})

test('the same holds at 16 kHz', async () => {
  const { detector } = await listen(stream(3000, [[1024, 1600]], 16_000))
  const sound = detector.pendingUtterance()
  assert.equal(sound?.rateHz, 16_000)
  assert.equal(sound?.pcm.length, (1600 - 1024 + 300 + 64) * 16)
  assert.equal(at(sound?.pcm ?? new Int16Array(), 0), (1024 - 300) * 16)
})

test('two unreleased utterances are one, with the pause between them', async () => {
  const { detector } = await listen(
    stream(5000, [
      [1024, 1600],
      [2400, 3008],
    ]),
  )
  const sound = detector.pendingUtterance()
  assert.deepEqual([sound?.fromMs, sound?.toMs], [724, 3008 + 64])
  assert.equal(sound?.pcm.length, (3072 - 724) * 8)
})

test('released audio is not returned again, not even its tail', async () => {
  const sounds: [number, number][] = []
  await listen(
    stream(5000, [
      [1024, 1600],
      [1888, 2400],
    ]),
    (detector, { on }) => {
      if (on) return
      const sound = detector.pendingUtterance()
      assert.ok(sound)
      sounds.push([sound.fromMs, sound.toMs])
      detector.release(sound.toMs)
    },
  )
  assert.deepEqual(
    sounds.map(([from]) => from),
    [724, 1600],
  )
})

test('an utterance can be read before it ends, and released up to that point', async () => {
  const { detector } = await listen(stream(3000, [[1024, 9000]]))
  assert.deepEqual([detector.pendingUtterance()?.fromMs, detector.pendingUtterance()?.toMs], [724, 3000])
  detector.release(3000)
  assert.equal(detector.pendingUtterance()?.pcm.length ?? 0, 0)
})

test('after a change of sample rate the audio has the new rate and its offset is still right', async () => {
  // Each change falls in the middle of a step.
  const changes = Array.from({ length: 10 }, (_, i) => stream(60, [], i % 2 ? 16_000 : 8000, i * 60)).flat()
  const frames = [...changes, ...stream(400, [], 8000, 600), ...stream(3000, [[1600, 2400]], 16_000, 1000)]
  const { detector, heard } = await listen(frames)
  const sound = detector.pendingUtterance()
  assert.equal(sound?.rateHz, 16_000)
  const first = sound?.pcm.findIndex((sample) => sample > 0) ?? 0
  assert.ok(Math.abs(first / 16 - 300) <= 40, `the voice begins ${first / 16} ms into it`)
  assert.ok(Math.abs((heard[1]?.atMs ?? 0) - 2400) <= 40)
})

test('an utterance across a change of sample rate keeps the audio at the new rate', async () => {
  const frames = [...stream(2000, [[1024, 2000]]), ...stream(2000, [[2000, 3000]], 16_000, 2000)]
  const { detector } = await listen(frames)
  const sound = detector.pendingUtterance()
  assert.deepEqual([sound?.rateHz, sound?.fromMs], [16_000, 2000])
})

test('an hour of silence keeps one second of audio', async () => {
  function* hour() {
    const frame = { pcm: new Int16Array(160), rateHz: 8000 }
    for (let i = 0; i < 180_000; i++) yield frame
  }
  const { detector } = await listen(hour())
  assert.equal(detector.nowMs, 3_600_000)
  assert.ok(detector.keptMs <= 1100, `${detector.keptMs} ms`)
})

test('ten minutes of unreleased speech keep one minute of audio', async () => {
  const loud = { pcm: new Int16Array(160).fill(1), rateHz: 8000 }
  const { detector } = await listen(Array.from({ length: 30_000 }, () => loud))
  assert.ok(detector.keptMs <= 60_100, `${detector.keptMs} ms`)
  assert.ok((detector.pendingUtterance()?.pcm.length ?? 0) <= 60_020 * 8)
})

test('a pause is reported when it starts and when speech continues, with the speech so far', async () => {
  const { pauses, heard } = await listen(
    stream(3000, [
      [960, 1216],
      [1312, 1600],
    ]),
  )
  assert.equal(heard.length, 2, 'one voice')
  assert.deepEqual(pauses, [
    { on: true, voicedMs: 256 },
    { on: false, voicedMs: 288 },
    { on: true, voicedMs: 544 },
  ])
})

test('possible speech is reported after two steps, and again if it was not speech', async () => {
  const voices = (...loud: [number, number][]) => listen(stream(3000, loud))
  assert.deepEqual((await voices([960, 960 + 32])).candidates, [], 'one step is nothing')
  const short = await voices([960, 960 + 96])
  assert.deepEqual([short.candidates, short.heard.length], [[true, false], 0])
  const long = await voices([960, 960 + 250])
  assert.deepEqual(long.candidates, [true], 'then it is a voice')
  assert.equal(long.heard[0]?.on, true)
})

test('the bounds of speech are found by its level, with their offset in the recording', async () => {
  // Silence or a constant level, in place of the numbered samples.
  const level = (at: number) => (at >= 1010 && at < 2037 ? 8000 : at >= 2037 && at < 2090 ? 40 : 0)
  const frames = stream(4000, [[1024, 2080]]).map(({ rateHz }, n) => ({
    pcm: Int16Array.from({ length: 160 }, (_, i) => level(n * 20 + i / 8)),
    rateHz,
    recordedMs: 500 + n * 20,
  }))
  const { detector } = await listen(frames)
  const near = (ms: number, wanted: number) => assert.ok(Math.abs(ms - wanted) <= 10, `${ms}, not ${wanted}`)
  near(detector.soundStartMs(1024) ?? 0, 1010)
  near(detector.soundEndMs(1024, 2112), 2037)
  assert.equal(detector.recordedAt(1010), 1510)
  assert.equal(detector.recordedAt(99_000), null)
})

const features = { noiseDb: -65, nearDb: -20, pitchHz: 150, levelDb: -19, isFar: false }
const [quietly, softly] = [
  { ...features, levelDb: -65, pitchHz: null },
  { ...features, levelDb: -40 },
]

/** Candidates, speech and its end, for frames with scripted features. */
async function evidence(sound: (atMs: number) => typeof features | typeof quietly, loud: [number, number]) {
  const log: string[] = []
  const detector = new UtteranceDetector(vad, {
    onSpeech: ({ isSpeaking, relativeDb }) => void log.push(isSpeaking ? `speech ${relativeDb?.toFixed(0)}` : 'end'),
    onSpeechPause: () => {},
    onSpeechCandidate: (on, is) => void log.push(`${on ? 'candidate' : 'off'}: ${is} ${detector.nowMs}`),
  })
  async function* input() {
    for (const [i, frame] of stream(2600, [loud]).entries()) {
      const isLoud = i * 20 >= loud[0] && i * 20 < loud[1]
      yield { ...frame, sound: isLoud ? sound(i * 20) : quietly }
    }
  }
  await detector.listen({ input: input() })
  return log
}

test('voice as loud as the caller is long after 300 ms, and over 160 ms after its end', async () => {
  const log = await evidence(() => features, [960, 1400])
  assert.deepEqual(log, ['candidate: none 1040', 'speech 1', 'candidate: long 1260', 'candidate: over 1560', 'off: none 1680', 'end']) // biome-ignore format: one line
})

test('soft speech is no evidence; when it becomes loud, it is', async () => {
  const soft = await evidence(() => softly, [960, 1600])
  assert.deepEqual(soft, ['candidate: none 1040', 'speech -20', 'end'])
  const louder = await evidence((atMs) => (atMs < 1300 ? softly : features), [960, 1900])
  assert.equal(louder.filter((one) => one.includes('long')).length, 1)
})

test('a candidate that is no speech is taken back', async () => {
  const log = await evidence(() => features, [960, 1050])
  assert.deepEqual(log, ['candidate: none 1040', 'off: none 1100'])
})

test('somebody farther away is not heard by VAD', async () => {
  assert.deepEqual(await evidence(() => ({ ...features, levelDb: -38, isFar: true }), [960, 1600]), [])
})
