// Frames are sent in order whatever the order of synthesis, silences are trimmed, and a bad chunk is replaced.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longestSilenceMs, peakOf } from '../../../test/sound-measures.ts'
import type { AudioFrame } from '../../voice/ports.ts'
import { chunkSamples } from './chunks.ts'
import { RATE_HZ, SAMPLES_PER_STEP } from './graph.ts'
import { wordStarts } from './input.ts'
import type { Clip } from './model.ts'
import {
  acceptChunk,
  acceptClip,
  acceptFp32,
  newSpeech,
  type Speech,
  type SpeechSegment,
  takeFrames,
} from './speech.ts'

const STEPS = 200
const voice = { voiceId: 'pf_dora', language: 'pt-BR', speed: 1 }
const clip: Clip = {
  steps: STEPS,
  start: 10,
  voiceId: 'pf_dora',
  features: new Float32Array(1),
  source: new Float32Array(1),
  style: new Float32Array(1),
}
/** 250 ms of silence, audio, 400 ms of silence: like the model's output. */
const wave = Float32Array.from({ length: STEPS * SAMPLES_PER_STEP }, (_, i) =>
  i < 6000 || i > STEPS * SAMPLES_PER_STEP - 9600 ? 0 : 0.5 * Math.sin(i / 20),
)
const windowOf = (piece: SpeechSegment, i: number) => {
  const window = piece.windows[i]
  if (!window) throw new Error('no such window')
  return chunkSamples(wave, window, 0, STEPS)
}
const joined = (frames: readonly AudioFrame[]) => Int16Array.from(frames.flatMap((frame) => [...frame.pcm]))

/** Completes one clause; `order` sets the order of its chunks. */
function make(speech: Speech, order: (windows: number[]) => number[] = (windows) => windows): AudioFrame[] {
  const [piece] = speech.pieces
  if (!piece) return []
  acceptClip(piece, clip, true)
  return order([...piece.windows.keys()]).flatMap((i) => {
    acceptChunk(piece, i, windowOf(piece, i))
    return takeFrames(speech)
  })
}

test('chunks that arrive out of order are sent in order', () => {
  const ordered = joined(make(newSpeech('Olá, aqui é a Ana.', voice, true, 0)))
  const reversed = joined(make(newSpeech('Olá, aqui é a Ana.', voice, true, 0), (windows) => windows.reverse()))
  assert.deepEqual(reversed, ordered)
})

test('leading silence is trimmed to 50 ms, and trailing silence to the pause for its position', () => {
  const pcm = joined(make(newSpeech('Olá, aqui é a Ana.', voice, true, 0)))
  const first = pcm.findIndex((sample) => Math.abs(sample) > 300)
  const behind = pcm.length - pcm.findLastIndex((sample) => Math.abs(sample) > 300)
  assert.ok(Math.abs(first - 0.05 * RATE_HZ) < 100, `${first} samples in front`)
  assert.ok(Math.abs(behind - 0.12 * RATE_HZ) < 100, `${behind} samples behind`)
})

test('between two sentences there is one pause, longer than between clauses and shorter than a hesitation', () => {
  const speech = newSpeech('Bom dia. Tudo bem?', voice, true, 0)
  const pcm = joined([...make(speech), ...make(speech)])
  const pause = longestSilenceMs(pcm, RATE_HZ)
  assert.ok(pause >= 320 && pause <= 400, `${pause} ms`)
  assert.equal(speech.pieces.length, 0)
})

test('every word is reported once, in order, and the first one with the first audio', () => {
  const speech = newSpeech('Bom dia, Ana. Tudo bem com você?', voice, true, 0)
  const frames = [...make(speech), ...make(speech)]
  const words = frames.flatMap((frame) => frame.words ?? [])
  assert.equal(words.join(' '), 'Bom dia, Ana. Tudo bem com você?')
  assert.ok(frames[0]?.words?.startsWith('Bom'))
})

test('after an invalid chunk the plain path synthesises the rest, and nothing is repeated', () => {
  const speech = newSpeech('Olá, aqui é a Ana.', voice, true, 0)
  const piece = speech.pieces[0] as SpeechSegment
  const whole = joined(make(newSpeech('Olá, aqui é a Ana.', voice, true, 0)))
  acceptClip(piece, clip, true)
  acceptChunk(piece, 0, windowOf(piece, 0))
  const begun = takeFrames(speech)
  piece.given = 2
  acceptChunk(piece, 1, windowOf(piece, 1).fill(Number.NaN, 100, 101))
  assert.deepEqual([piece.isPlain, piece.state], [true, 'new'])
  acceptChunk(piece, 2, new Float32Array(100)) // was in progress; arrives too late
  assert.deepEqual(takeFrames(speech), [])
  acceptFp32(piece, wave)
  const pcm = joined([...begun, ...takeFrames(speech)])
  assert.ok(begun.length > 0 && Math.abs(pcm.length - whole.length) <= 240)
  assert.equal(speech.pieces.length, 0)
  assert.ok(peakOf(pcm) < 0.6)
})

test('an invalid plain run is an error, not noise', () => {
  const [piece] = newSpeech('Olá.', voice, false, 0).pieces
  assert.throws(() => acceptFp32(piece as SpeechSegment, Float32Array.of(0, Number.NaN)), /no sound/)
})

test('text with nothing to speak has no clauses', () => {
  assert.deepEqual(newSpeech(' ... ', voice, true, 0).pieces, [])
})

test("words are reported at the model's times, and by their letters if the model counts other words", () => {
  const begins = (words: readonly number[]) => {
    const speech = newSpeech('Um dois três.', voice, true, 0)
    const [piece] = speech.pieces
    if (!piece) throw new Error('no piece')
    acceptClip(piece, { ...clip, words }, true)
    return piece.words.map(({ at }) => Math.round(at * STEPS))
  }
  assert.deepEqual(begins([20, 120, 150]), [20, 120, 150])
  assert.deepEqual(begins([20, 120]), [0, 46, 123])
})

test('a word starts after a space, and surrounding silence is not a word', () => {
  const [space, a, b, comma] = [16, 43, 44, 3]
  assert.deepEqual(wordStarts([0, a, b, space, b, comma, space, a, 0], [10, 2, 3, 1, 4, 5, 6, 7, 20]), [10, 16, 31])
  assert.deepEqual(wordStarts([0, 0], [4, 4]), [])
})
