// One text for one stream: clauses in, frames out in order, silences trimmed, invalid audio detected.
import { toPcm16 } from '../../audio/limiter.ts'
import type { AudioFrame } from '../../voice/ports.ts'
import { clausesOf } from '../tts/clauses.ts'
import { crossfader, planChunks } from './chunks.ts'
import { RATE_HZ, SAMPLES_PER_STEP } from './graph.ts'
import type { Clip, Utterance } from './model.ts'
import type { Piece, Stream } from './schedule.ts'

export type SpeechSegment = Piece & {
  readonly utterance: Utterance
  readonly pauseMs: number
  clip: Clip | undefined
  /** Synthesized chunks that wait for their turn. */
  readonly made: Map<number, Float32Array>
  join: ReturnType<typeof crossfader>
  samples: number
  /** Samples of the clip consumed so far, counted from its start. */
  takenSamples: number
  /** Samples sent as frames, with silences trimmed. */
  leftSamples: number
  hasSpoken: boolean
  words: { text: string; at: number }[]
}
export type Speech = Stream<SpeechSegment> & {
  pieces: SpeechSegment[]
  startedAt: number | undefined
  finishedMs: number
  producedMs: number
  unreadMs: number
}

/** Approximate duration of a letter in all three languages, in ms. */
const MS_PER_LETTER = 70
const PAUSE_MS = { clause: 120, sentence: 320, end: 120 }
/** Samples below this are silence; loud parts of the voice are about 0.3 to 0.8. */
const AUDIBLE = 0.008
/** Silence kept before the first audio, which starts softly. */
const LEAD_MS = 50
/** All voices are about equally loud (-23 dB); this one is 3 dB louder, and its peaks would be distorted. */
const GAINS: Readonly<Record<string, number>> = { am_fenrir: 0.7 }
const FRAME_MS = 100
const samplesOf = (ms: number) => Math.round((ms * RATE_HZ) / 1000)
const FRAME_SAMPLES = samplesOf(FRAME_MS)

export function newSpeech(text: string, voice: Omit<Utterance, 'text'>, isFast: boolean, now: number): Speech {
  const clauses = clausesOf(text)
  const pieces = clauses.map((clause, i): SpeechSegment => {
    const kind = i === clauses.length - 1 ? 'end' : clause.endsSentence ? 'sentence' : 'clause'
    return {
      utterance: { ...voice, text: clause.text },
      pauseMs: PAUSE_MS[kind] / voice.speed,
      guessMs: (clause.text.length * MS_PER_LETTER) / voice.speed,
      isPlain: !isFast,
      state: 'new',
      windows: [],
      given: 0,
      clip: undefined,
      made: new Map(),
      taken: 0,
      begunAt: new Map(),
      join: crossfader(),
      samples: 0,
      takenSamples: 0,
      leftSamples: 0,
      hasSpoken: false,
      words: wordsOf(clause.text),
    }
  })
  return { arrivedAt: now, startedAt: undefined, finishedMs: 0, producedMs: 0, pieces, unreadMs: 0 }
}

/** Each word with the share of the text before it; its share of the time is known once the model has timed it. */
const wordsOf = (text: string) =>
  [...text.matchAll(/\S+/gu)].map((match) => ({ text: match[0], at: match.index / text.length }))

/** Invalid audio is synthesized again on the plain path. */
export function acceptClip(piece: SpeechSegment, clip: Clip, isFirst: boolean): void {
  if (piece.isPlain) return
  if (!isSound(clip.features)) {
    retryPlain(piece)
    return
  }
  piece.clip = clip
  piece.state = 'windows'
  piece.samples = clip.steps * SAMPLES_PER_STEP
  piece.takenSamples = clip.start * SAMPLES_PER_STEP
  piece.windows = planChunks(clip.start, clip.steps, !isFirst)
  const starts = clip.words ?? []
  // The model's words cannot be matched where it reads several as one, or one as several.
  if (starts.length !== piece.words.length) return
  piece.words = piece.words.map((word, i) => ({ ...word, at: (starts[i] ?? 0) / clip.steps }))
}

export function acceptChunk(piece: SpeechSegment, window: number, samples: Float32Array): void {
  if (piece.isPlain) return
  if (isSound(samples)) piece.made.set(window, samples)
  else retryPlain(piece)
}

/** Audio that was already sent is not repeated. */
export function acceptFp32(piece: SpeechSegment, samples: Float32Array): void {
  if (!isSound(samples)) throw new Error('kokoro: the plain way gave no sound either')
  piece.made.set(0, samples.slice(Math.min(piece.takenSamples, samples.length)))
  piece.samples = samples.length
  piece.windows = [{ from: 0, to: Math.ceil(samples.length / SAMPLES_PER_STEP) }]
  piece.given = 1
  piece.state = 'windows'
}

function retryPlain(piece: SpeechSegment): void {
  piece.isPlain = true
  piece.state = 'new'
  piece.windows = []
  piece.given = 0
  piece.taken = 0
  piece.made.clear()
  piece.join = crossfader()
}

function isSound(samples: Float32Array): boolean {
  for (const sample of samples) if (!Number.isFinite(sample)) return false
  return true
}

/** The frames that are now complete, in order; finished clauses leave the list. */
export function takeFrames(speech: Speech): AudioFrame[] {
  const frames: AudioFrame[] = []
  for (let piece = speech.pieces[0]; piece; piece = speech.pieces[0]) {
    const samples = piece.made.get(piece.taken)
    if (!samples) break
    piece.made.delete(piece.taken)
    piece.taken++
    const hasNext = piece.taken < piece.windows.length
    frames.push(...framesOf(piece, piece.join(samples, hasNext), hasNext))
    if (hasNext) continue
    speech.finishedMs += (piece.leftSamples * 1000) / RATE_HZ
    speech.pieces.shift()
  }
  return frames
}

function framesOf(piece: SpeechSegment, joined: Float32Array, hasNext: boolean): AudioFrame[] {
  let samples = joined
  if (!piece.hasSpoken) {
    const onset = samples.findIndex((sample) => Math.abs(sample) > AUDIBLE)
    piece.hasSpoken = onset >= 0
    samples = samples.subarray(Math.max(0, (onset < 0 ? samples.length : onset) - samplesOf(LEAD_MS)))
  }
  if (!hasNext) {
    const last = samples.findLastIndex((sample) => Math.abs(sample) > AUDIBLE)
    const end = last + 1 + samplesOf(piece.pauseMs)
    const padded = new Float32Array(end)
    padded.set(samples.subarray(0, Math.min(end, samples.length)))
    samples = padded
  }
  const pcm = toPcm16(samples, GAINS[piece.utterance.voiceId])
  piece.takenSamples += joined.length
  piece.leftSamples += pcm.length
  const frames: AudioFrame[] = []
  for (let at = 0; at < pcm.length; at += FRAME_SAMPLES) {
    const end = Math.min(pcm.length, at + FRAME_SAMPLES)
    const isEnd = !hasNext && end === pcm.length
    const share = isEnd ? Number.POSITIVE_INFINITY : (piece.takenSamples - joined.length + end) / piece.samples
    frames.push({ pcm: pcm.slice(at, end), rateHz: RATE_HZ, ...wordsBefore(piece, share) })
  }
  return frames
}

/** The words that start before this share of the clause and were not reported yet. */
function wordsBefore(piece: SpeechSegment, share: number): { words?: string } {
  const count = piece.words.findIndex((word) => word.at >= share)
  const begun = piece.words.splice(0, count < 0 ? piece.words.length : count)
  return begun.length > 0 ? { words: begun.map((word) => word.text).join(' ') } : {}
}
