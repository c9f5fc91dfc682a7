// A larger Whisper beside the usual one: it hears unclear turns again, or with many cores every turn. One at a time, only
// while nobody waits for the usual one, and never for long.
import { availableParallelism } from 'node:os'
import { CANCELLED, sleep, waitAtMost } from '../../base/concurrency/abort.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import type { AudioFrame, Clock, SttOptions, Transcript } from '../../voice/ports.ts'
import { gather, type WhisperStt } from './whisper.ts'

/** The longest wait that it may add to a turn: less than asking again takes. */
export const MAX_WAIT_MS = 1000
/** Of shorter turns, mostly answers of one word, it understands no more. */
const MIN_SECONDS = 1.3
/** After a run that was late or failed. */
const REST_MS = 60_000
/** Turns below this confidence are heard again. */
const CERTAIN = 0.75
/** From this number of cores, both hear every turn at the same time. */
const CORES_FOR_ALL = 8
/** The encoder also runs over padding, about this long. */
const PADDING_SECONDS = 3
/** Of the latest run in the mean pace. */
const WEIGHT = 0.3

type Timer = Pick<Clock, 'now' | 'sleep'>
type Parts = {
  first: WhisperStt
  /** Undefined if it cannot be used here. Turns that begin before it is loaded are heard once. */
  second: Promise<WhisperStt | undefined>
  clock?: Timer
  cores?: number
}

const processClock: Timer = { now: monotonicMs, sleep: (ms, signal) => sleep(ms, signal, false) }

export function withSecondOpinion(parts: Parts): WhisperStt {
  const { first, second, clock = processClock, cores = availableParallelism() } = parts
  const hearsAll = cores >= CORES_FOR_ALL
  const speed = measuredSpeed(clock)
  let larger: WhisperStt | undefined
  /** Utterances with the first engine. */
  let hearing = 0
  let running: AbortController | undefined
  void second.then((opened) => {
    larger = opened
  })

  async function hear(frame: AudioFrame, options: SttOptions, signal: AbortSignal) {
    if (!hearsAll) running?.abort(CANCELLED) // the cores are needed for this one
    hearing++
    try {
      return await finalOf(first, frame, options, signal)
    } finally {
      hearing--
    }
  }

  /** Undefined where it may not, was not in time, or failed. */
  async function hearAgain(frame: AudioFrame, options: SttOptions, signal: AbortSignal) {
    if (!larger || options.isUrgent || hearing > 0 || running) return undefined
    const seconds = frame.pcm.length / Math.max(1, frame.rateHz) // no audio has no rate
    if (seconds < MIN_SECONDS || !speed.isInTime(seconds)) return undefined
    const stop = new AbortController()
    running = stop
    const startedAt = clock.now()
    const heard = finalOf(larger, frame, options, AbortSignal.any([signal, stop.signal])).catch(() => undefined)
    const transcript = await waitAtMost(MAX_WAIT_MS, heard, clock)
    if (transcript) speed.took(clock.now() - startedAt, seconds)
    else if (!signal.aborted && !stop.signal.aborted) speed.failed(seconds)
    stop.abort(CANCELLED)
    running = undefined
    return transcript
  }

  return {
    name: first.name,
    isEmbedded: true,
    get lastMs() {
      return first.lastMs
    },
    async *transcribe(audio, options, signal) {
      const frame = await gather(audio, signal)
      if (signal.aborted) return
      const beside = hearsAll ? hearAgain(frame, options, signal) : undefined
      const heard = await hear(frame, options, signal)
      if (!heard) return
      const mayAsk = !beside && !isClear(heard)
      const again = await (mayAsk ? hearAgain(frame, options, signal) : beside)
      if (!signal.aborted) yield better(heard, again)
    },
    async close() {
      await Promise.all([first.close(), second.then((opened) => opened?.close())])
    },
  }
}

/** Its pace in recent runs: longer utterances would be late. After a late one the machine is busy, and it rests. */
function measuredSpeed(clock: Timer) {
  let msPerSecond: number | undefined
  let restsUntil = Number.NEGATIVE_INFINITY

  function took(ms: number, seconds: number): void {
    const latest = ms / (seconds + PADDING_SECONDS)
    msPerSecond = msPerSecond === undefined ? latest : msPerSecond + WEIGHT * (latest - msPerSecond)
  }
  return {
    took,
    failed(seconds: number): void {
      took(MAX_WAIT_MS, seconds)
      restsUntil = clock.now() + REST_MS
    },
    isInTime: (seconds: number): boolean =>
      clock.now() >= restsUntil && (msPerSecond ?? 0) * (seconds + PADDING_SECONDS) <= MAX_WAIT_MS,
  }
}

/** Undefined if aborted. */
async function finalOf(engine: WhisperStt, frame: AudioFrame, options: SttOptions, signal: AbortSignal) {
  async function* audio() {
    yield frame
  }
  let last: Transcript | undefined
  for await (const heard of engine.transcribe(audio(), options, signal)) last = heard
  return last
}

/** No words are clear too, unless it sounded like speech. */
const isClear = ({ text, confidence = 0, isUnclear = false, hasSpeech = true }: Transcript): boolean =>
  text === '' ? !hasSpeech : !isUnclear && confidence >= CERTAIN

/** The words of the larger model if it is no less certain of them: where it is less certain, it often guesses. */
const better = (first: Transcript, again: Transcript | undefined): Transcript =>
  again && again.text !== '' && (again.confidence ?? 0) >= (first.confidence ?? 0) ? again : first
