// Plays a turn sentence by sentence, tracks how much of it was heard, stops at once and resumes at the word it stopped at.

import { CANCELLED, raceAbort, waitAtMost } from '../../base/concurrency/abort.ts'
import type { SpeechTiming } from '../history.ts'
import type { Audio, AudioFrame, Clock, PlayoutResult, Transport } from '../ports.ts'
import {
  heardText,
  msPerLetterOf,
  newSegment,
  type PlayoutSegment,
  remainingSegments,
  type SpeakingRate,
} from './heard-text.ts'
import { LevelMeter } from './speech-bounds.ts'
import { type SynthesisParts, synthesize } from './synthesize.ts'

/** Sentences synthesized ahead of the one being played. */
const AHEAD = 2
/** How long to wait for a transport to report how much it played. */
const PLAYOUT_RESULT_MS = 500

export type PlayoutEnd = { end: 'played' | 'stopped' } | { end: 'failed'; stage: 'model' | 'synthesis'; error: unknown }

export type PlayedTiming = SpeechTiming & { sentAt: number }

export type SpeechPlayout = {
  /** Plays from the current position. */
  speak(): Promise<PlayoutEnd>
  /** Silent at once, until it is resumed. */
  pause(): void
  /** Continues where it was paused. False if the transport cannot hold: then call `speak`, which resumes at the word it stopped at. */
  resume(): boolean
  /** Plays a filler before the rest of the turn, unless one is playing already. */
  playFiller(text: () => string): void
  /** Resolves when everything so far was played and playout waits for more text. */
  drained(): Promise<void>
  volume(gain: number): void
  /** What the caller has heard of the turn, in whole words. */
  heardText(): string
  /** From the first to the last sound that was heard, and when the first was sent; null where that is not known. */
  timing(): PlayedTiming | null
  /** Stops for good; resolves once it is known what was heard. */
  end(): Promise<void>
}

export type PlayoutParts = SynthesisParts & {
  play: Transport['play']
  hold?: Transport['hold']
  clock: Clock
  /** The sample rate of the line it is heard over. */
  lineRateHz?: () => number | undefined
  /** Of the voice, measured over all turns. */
  speakingRate?: SpeakingRate
  /** Playout starts, after silence. */
  onStarted: () => void
  /** Everything so far was played, and playout waits for more text. */
  onUnderrun: () => void
  onFillerPlayed?: () => void
  /** A sentence becomes audible. */
  onSentence?: (sentence: SentenceStart) => void
}

/** The turn as heard up to the end of this sentence, where the sentence starts in it, and about how long it takes. */
export type SentenceStart = { text: string; startsAt: number; durationMs: number }

type QueuedSentence = { segment: PlayoutSegment; hasAudio: boolean; isReported: boolean }
type Volume = { at: number; gain: number }

export function speechPlayout(sentences: AsyncIterable<string>, parts: PlayoutParts): SpeechPlayout {
  const { speakingRate = { letters: 0, ms: 0 } } = parts
  const text = sentenceReader(sentences)
  let segments: PlayoutSegment[] = []
  let stopping = new AbortController()
  let isAudible = false
  let isHeld = false
  const playing = new Set<Promise<unknown>>()
  let filler: Promise<void> | undefined
  const drainWaiters: (() => void)[] = []
  let queue: QueuedSentence[] = []
  const volumes: Volume[] = []
  const timings: PlayedTiming[] = []

  /** Sentences are synthesized side by side: only the first in the queue is audible. */
  function reportStart(): void {
    const [first] = queue
    if (stopping.signal.aborted || !first?.hasAudio) return
    if (!first.isReported) parts.onSentence?.(sentenceStart(heardText(segments), first.segment))
    first.isReported = true
    if (isAudible) return
    isAudible = true
    parts.onStarted()
  }

  function play(segment: PlayoutSegment, signal: AbortSignal): Promise<void> {
    const entry: QueuedSentence = { segment, hasAudio: false, isReported: false }
    if (!segment.isFiller) queue.push(entry)
    const meter = new LevelMeter(parts.lineRateHz?.())
    const audio = metered(synthesize(segment, parts, signal), meter, () => {
      entry.hasAudio = true
      reportStart()
    })
    const played = parts.play(audio, signal).then((result) => {
      const timing = timingOf(result, meter, volumes)
      if (timing) timings.push(timing)
      segment.playedMs = result.playedMs
      if (segment.isSynthesized) {
        speakingRate.letters += segment.text.length
        speakingRate.ms += segment.synthesizedMs
      }
      if (!signal.aborted) segment.isPlayed = true
    })
    playing.add(played)
    const finished = () => {
      playing.delete(played)
      queue = queue.filter((one) => one !== entry)
      reportStart()
      reportUnderrun()
    }
    played.then(finished, finished)
    return played
  }

  function reportUnderrun(): void {
    if (playing.size > 0 || !text.isAwaited || stopping.signal.aborted) return
    for (const wake of drainWaiters.splice(0)) wake()
    if (!isAudible) return
    isAudible = false
    parts.onUnderrun()
  }

  async function playAll(signal: AbortSignal): Promise<PlayoutEnd> {
    const played: Promise<void>[] = []
    const unplayed = segments.filter((segment) => !segment.isPlayed)
    let end: PlayoutEnd = { end: 'played' }
    while (!signal.aborted) {
      if (played.length >= AHEAD) await played.at(-AHEAD)
      let segment = unplayed.shift()
      if (!segment) {
        let sentence: string | undefined
        try {
          sentence = await text.next(signal, reportUnderrun)
        } catch (error) {
          // The complete sentences are played before the failure is reported.
          end = { end: 'failed', stage: 'model', error }
        }
        if (sentence === undefined) break
        segment = newSegment(sentence, false, msPerLetterOf(speakingRate))
        segments.push(segment)
      }
      if (signal.aborted) break
      const sound = play(segment, signal)
      sound.catch(() => {}) // reported by Promise.all below
      played.push(sound)
    }
    await Promise.all(played)
    return signal.aborted ? { end: 'stopped' } : end
  }

  return {
    async speak() {
      stopping = new AbortController()
      const { signal } = stopping
      // The position is known once the transport has reported how much it played.
      await Promise.allSettled(playing)
      if (signal.aborted) return { end: 'stopped' }
      segments = remainingSegments(segments)
      isAudible = false
      try {
        return await playAll(signal)
      } catch (error) {
        return signal.aborted ? { end: 'stopped' } : { end: 'failed', stage: 'synthesis', error }
      }
    },
    pause() {
      if (parts.hold) parts.hold(true)
      else stopping.abort(CANCELLED)
      isHeld = parts.hold !== undefined
    },
    resume() {
      if (!isHeld) return false
      isHeld = false
      parts.hold?.(false)
      // The first audio may have arrived during the pause.
      if (isAudible) queueMicrotask(() => isAudible && !isHeld && parts.onStarted())
      return true
    },
    playFiller(fillerText) {
      if (filler) return
      const { signal } = stopping
      const segment = newSegment(fillerText(), true, msPerLetterOf(speakingRate))
      segments.push(segment)
      const played = play(segment, signal)
        .catch(parts.onError)
        .then(() => {
          if (filler === played) filler = undefined
          if (!signal.aborted) parts.onFillerPlayed?.()
        })
      filler = played
    },
    drained() {
      const { promise, resolve } = Promise.withResolvers<void>()
      drainWaiters.push(resolve)
      reportUnderrun()
      return promise
    },
    volume: (gain) => void volumes.push({ at: parts.clock.now(), gain }),
    heardText: () => heardText(segments),
    timing: () => wholeTiming(timings),
    async end() {
      stopping.abort(CANCELLED)
      if (isHeld) parts.hold?.(false)
      isHeld = false
      text.close()
      await waitAtMost(PLAYOUT_RESULT_MS, Promise.allSettled(playing), parts.clock)
    },
  }
}

function sentenceStart(heard: string, segment: PlayoutSegment): SentenceStart {
  const sentence = segment.text.trim()
  const text = heard === '' ? sentence : `${heard} ${sentence}`
  const expectedMs = segment.isSynthesized ? 0 : sentence.length * segment.msPerLetter
  const durationMs = Math.round(Math.max(segment.synthesizedMs, expectedMs))
  return { text, startsAt: text.length - sentence.length, durationMs }
}

/** Reads sentences that are not blank. One that was requested before playout stopped is kept for the next read. */
function sentenceReader(sentences: AsyncIterable<string>) {
  const source = sentences[Symbol.asyncIterator]()
  let pending: Promise<IteratorResult<string>> | undefined
  let isAtEnd = false
  let isAwaited = false
  return {
    /** Playout waits for text. */
    get isAwaited(): boolean {
      return isAwaited
    },
    async next(signal: AbortSignal, onAwaited: () => void): Promise<string | undefined> {
      while (!isAtEnd && !signal.aborted) {
        pending ??= source.next()
        isAwaited = true
        onAwaited()
        const result = await raceAbort(signal, pending, () => null)
        isAwaited = false
        if (result === null) return undefined
        pending = undefined
        if (result.done) isAtEnd = true
        else if (result.value.trim() !== '') return result.value
      }
      return undefined
    },
    close: () => void Promise.try(() => source.return?.()).catch(() => {}),
  }
}

async function* metered(audio: Audio, meter: LevelMeter, onFrame: () => void): AsyncGenerator<AudioFrame> {
  for await (const frame of audio) {
    onFrame()
    meter.push(frame.pcm, frame.rateHz)
    yield frame
  }
}

/** Synthesized speech starts and ends with a little silence, which does not count. */
function timingOf(
  { playedMs, startedAt: sentAt, endedAt: sentUntil, recorded }: PlayoutResult,
  meter: LevelMeter,
  volumes: readonly Volume[],
): PlayedTiming | null {
  if (sentAt === undefined) return null
  const sound = meter.boundsUntil(playedMs, (ms) => volumes.findLast(({ at }) => at <= sentAt + ms)?.gain ?? 1)
  if (!sound) return null
  const span = recorded && { fromMs: recorded.fromMs + sound.fromMs, toMs: recorded.toMs - (playedMs - sound.toMs) }
  // Held playout ends later than its length says.
  const endedAt = Math.max(sentAt + sound.toMs, (sentUntil ?? 0) - (playedMs - sound.toMs))
  return { startedAt: sentAt + sound.fromMs, endedAt, sentAt, recorded: span ?? null }
}

function wholeTiming(timings: readonly PlayedTiming[]): PlayedTiming | null {
  const [first, last] = [timings[0], timings.at(-1)]
  if (!first || !last) return null
  const recorded = first.recorded && last.recorded ? { fromMs: first.recorded.fromMs, toMs: last.recorded.toMs } : null
  return { startedAt: first.startedAt, endedAt: last.endedAt, sentAt: first.sentAt, recorded }
}
