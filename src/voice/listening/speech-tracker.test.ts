// The tracker sends the session the same utterances, whether it sends every frame or only pieces around speech.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Listening, ListenOptions, ListenSink, Transport } from '../ports.ts'
import { UtteranceDetector } from '../utterance-detector.ts'
import { SpeechTracker, type TrackedFrame } from './speech-tracker.ts'

const FRAME = 160
const features = { noiseDb: -65, nearDb: -20, pitchHz: 150, levelDb: -19, isFar: false }
type Kind = 'voice' | 'quiet' | 'far'

/** A frame of 20 ms whose samples encode its position; the recording starts with frame 50. */
function frame(i: number, kind: Kind): TrackedFrame {
  const pcm = Int16Array.from({ length: FRAME }, (_, k) => 1 + ((i * FRAME + k) % 30_000))
  const sound =
    kind === 'voice' ? features : { ...features, levelDb: kind === 'far' ? -38 : -65, isFar: kind === 'far' }
  return { pcm, rateHz: 8000, sound, recordedMs: i < 50 ? null : (i - 50) * 20 }
}

/** `every`: 2 releases every second utterance when it ends, 1 releases all of them. */
type Way = { pieceMs: number; lagFrames?: number; every?: number }

/** Uses this piece length; VAD lags by `lagFrames`. Returns what the session saw and the audio it could read. */
function heard(kinds: readonly Kind[], { pieceMs, lagFrames = 0, every = 2 }: Way) {
  const log: unknown[] = []
  let ends = 0
  let tracker: SpeechTracker | undefined
  const crossed = { frames: 0, events: 0 }
  const look = () => {
    const pending = detector.pendingUtterance()
    const samples = pending ? [...pending.pcm] : []
    const sum = samples.reduce((total, sample, i) => (total * 31 + sample * (i + 1)) % 1_000_003, 7)
    return [detector.nowMs, pending?.fromMs, pending?.toMs, samples.length, sum, detector.recordedAt(detector.nowMs)]
  }
  const detector: UtteranceDetector = new UtteranceDetector(
    { open: () => assert.fail('VAD runs where the tracker is') },
    {
      onSpeech(change) {
        log.push([change, look(), detector.soundStartMs(change.atMs), detector.arrivedAt(change.atMs)])
        if (!change.isSpeaking && ++ends % every === 0) detector.release(detector.nowMs)
      },
      onSpeechPause: (on, voicedMs) => void log.push([on, voicedMs, look()]),
      onSpeechCandidate: (on, evidence) => void log.push([on, evidence]),
    },
    { now: () => 0 },
  )
  const listening = (given: ListenOptions, sink: ListenSink): Listening => {
    const counted: ListenSink = {
      onAudio(run, position) {
        crossed.frames += run.pcm.length / FRAME
        sink.onAudio(run, position)
      },
      onEvent(event, position) {
        crossed.events++
        sink.onEvent(event, position)
      },
    }
    tracker = new SpeechTracker(counted, { ...given, pieceMs })
    const of = tracker
    return {
      ended: Promise.resolve(),
      release: (starts) => of.release(starts),
      stopTime: () => of.stopTime(),
      stop: () => {},
    }
  }
  const transport: Pick<Transport, 'input' | 'listen'> = { input: (async function* () {})(), listen: listening }
  void detector.listen(transport)
  assert.ok(tracker)
  // Five steps of 32 ms are eight frames.
  const probabilities: number[] = []
  for (const [i, kind] of kinds.entries()) {
    tracker.push(frame(i, kind), 1000 + (i + 1) * 20)
    const isVoice = (at: number) => kinds[Math.floor(at / 20)] === 'voice'
    while ((probabilities.length + 1) * 32 <= (i + 1) * 20)
      probabilities.push(isVoice(probabilities.length * 32 + 16) ? 0.9 : 0.05)
    const known = Math.floor(((i + 1 - lagFrames) * 20) / 32)
    while (steps(tracker) < known) advance(tracker, probabilities)
  }
  tracker.flush()
  return { log, last: look(), crossed, keptMs: detector.keptMs }
}

const done = new WeakMap<SpeechTracker, number>()
const steps = (tracker: SpeechTracker) => done.get(tracker) ?? 0
function advance(tracker: SpeechTracker, probabilities: readonly number[]): void {
  const at = steps(tracker)
  done.set(tracker, at + 1)
  tracker.advance(probabilities[at] as number)
}

const parts = fc.array(fc.tuple(fc.constantFrom<Kind>('voice', 'quiet', 'far'), fc.integer({ min: 1, max: 60 })), {
  minLength: 1,
  maxLength: 12,
})
const kindsOf = (runs: readonly [Kind, number][]) => runs.flatMap(([kind, length]) => Array<Kind>(length).fill(kind))

test('in pieces, the session sees the same events with the same audio as if it got every frame', () => {
  fc.assert(
    fc.property(parts, fc.integer({ min: 0, max: 4 }), (runs, lagFrames) => {
      const kinds = kindsOf(runs)
      const [pieces, frames] = [heard(kinds, { pieceMs: 60, lagFrames }), heard(kinds, { pieceMs: 0, lagFrames })]
      assert.deepEqual(pieces.log, frames.log)
      assert.deepEqual(pieces.last, frames.last)
    }),
    { seed: 7, numRuns: 150 },
  )
})

test('in silence nothing crosses, and speech crosses once', () => {
  const silence = heard(Array(3000).fill('quiet'), { pieceMs: 60 })
  assert.equal(silence.crossed.frames, 0)
  assert.ok(silence.crossed.events <= 2, `${silence.crossed.events} events in a minute`)
  const kinds = kindsOf([
    ['quiet', 200],
    ['voice', 100],
    ['quiet', 500],
  ])
  const { crossed } = heard(kinds, { pieceMs: 60, every: 1 })
  // The second before speech is sent with it, and the silence after it until the release.
  assert.ok(crossed.frames >= 150 && crossed.frames <= 200, `${crossed.frames} frames`)
})

test('a release that crosses the next start of speech does not stop its audio', () => {
  const runs: number[] = []
  const sink: ListenSink = { onAudio: ({ fromMs }) => void runs.push(fromMs), onEvent: () => {} }
  const tracker = new SpeechTracker(sink, { keepMs: 0, needsSilence: false, hasAmd: false, pieceMs: 60 })
  const kinds = kindsOf([
    ['voice', 20],
    ['quiet', 30],
    ['voice', 20],
  ])
  let at = 0
  for (const [i, kind] of kinds.entries()) {
    tracker.push(frame(i, kind), i * 20)
    for (; (at + 1) * 32 <= (i + 1) * 20; at++)
      tracker.advance(kinds[Math.floor((at * 32 + 16) / 20)] === 'voice' ? 0.9 : 0.05)
  }
  // The first utterance is released late: the second has already started.
  tracker.release(1)
  const before = runs.length
  for (let i = kinds.length; i < kinds.length + 5; i++) tracker.push(frame(i, 'voice'), i * 20)
  assert.ok(runs.length > before)
})

test('a position that the clock does not tell is reported: the media clock has skipped', () => {
  const positions: number[] = []
  const sink: ListenSink = { onAudio: () => {}, onEvent: (_, { nowMs }) => void positions.push(nowMs) }
  const tracker = new SpeechTracker(sink, { keepMs: 0, needsSilence: false, hasAmd: false, pieceMs: 60 })
  for (let i = 0; i < 100; i++) tracker.push(frame(i, 'quiet'), 5000 + i * 20 + (i >= 50 ? 400 : 0))
  assert.deepEqual(positions, [20, 51 * 20])
})
