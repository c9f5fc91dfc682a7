// One recognizer's attempt at an utterance: with its time-out, and one repeat where a transient failure leaves the time for it.
import { CANCELLED } from '../base/concurrency/abort.ts'
import { EMBEDDED_ID } from '../base/domain/provider-kinds.ts'
import { appError } from '../base/errors/errors.ts'
import { UpstreamError } from '../base/outside/upstream-http.ts'
import type { Clock, Stt, SttOptions, Transcript } from '../voice/ports.ts'
import type { KeptAudio } from './kept-audio.ts'
import type { ChainLink } from './ports.ts'

/** From the end of the audio to the final transcript. Recognizers that get the whole audio at its end need more time for longer audio. */
const FINAL_MS = 1500
const SHORT_AUDIO_MS = 5000
const PER_AUDIO_MS = 0.1
const finalWithinMs = (audioMs: number) => FINAL_MS + PER_AUDIO_MS * Math.max(0, audioMs - SHORT_AUDIO_MS)

/** One utterance on its way through the chain. */
export type Hearing = { kept: KeptAudio; options: SttOptions; signal: AbortSignal }
/** Null when it was abandoned. */
export type HearingOutcome =
  | { transcript: Transcript; afterMs: number }
  | { error: unknown; hasStarted: boolean }
  | null

type Link = ChainLink<Stt>

/** Yields partial transcripts. A transient failure is repeated once, as long as half of the time is left. */
export async function* attempts(
  link: Link,
  hearing: Hearing,
  clock: Clock,
): AsyncGenerator<Transcript, HearingOutcome> {
  const { kept, signal } = hearing
  const startedAt = clock.now()
  const waitedMs = () => (kept.endedAt === undefined ? 0 : clock.now() - Math.max(startedAt, kept.endedAt))
  for (let isRepeat = false; ; isRepeat = true) {
    const progress = { hasStarted: false }
    try {
      const transcript = yield* once(link, hearing, { waitedMs, progress, clock })
      return transcript && { transcript, afterMs: Math.max(0, Math.round(waitedMs())) }
    } catch (error) {
      if (signal.aborted) return null
      const hasTime = waitedMs() < finalWithinMs(kept.durationMs) / 2
      if (isRepeat || kept.failure || !hasTime || !isTransient(error)) return { error, hasStarted: progress.hasStarted }
    }
  }
}

async function* once(
  link: Link,
  { kept, options, signal }: Hearing,
  { waitedMs, progress, clock }: { waitedMs: () => number; progress: { hasStarted: boolean }; clock: Clock },
): AsyncGenerator<Transcript, Transcript | null> {
  const stop = new AbortController()
  const ownSignal = AbortSignal.any([signal, stop.signal])
  // The embedded engine has a queue of its own, and nobody comes after it.
  const late = link.id === EMBEDDED_ID ? new Promise<never>(() => {}) : whenLate()
  async function whenLate(): Promise<'late'> {
    await kept.ended
    await clock.sleep(Math.max(0, finalWithinMs(kept.durationMs) - waitedMs()), ownSignal)
    return 'late'
  }
  const transcripts = link.engine.transcribe(kept.read(), options, ownSignal)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await Promise.race([transcripts.next(), late])
      if (signal.aborted) return null
      if (next === 'late') throw appError('service_timeout', { service: link.name })
      if (next.done) throw appError('service_no_text', { service: link.name })
      if (next.value.isFinal && !kept.hasEnded) throw appError('service_broke_off', { service: link.name })
      if (next.value.isFinal) return next.value
      progress.hasStarted = true
      yield next.value
    }
  } finally {
    stop.abort(CANCELLED)
    // Not awaited: a recognizer that ignores its signal must not delay the next one.
    void Promise.try(() => transcripts.return?.()).catch(() => {})
  }
}

const isTransient = (error: unknown) => error instanceof UpstreamError && error.isTransient
