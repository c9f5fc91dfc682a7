// Synthesizes a sentence. If synthesis fails or stalls, it continues from the word where it stopped: with the next link of a chain of
// voices, otherwise with the same voice.
import { CANCELLED } from '../../base/concurrency/abort.ts'
import type { Audio, AudioFrame, Clock, SentenceVoice } from '../ports.ts'
import { addWordTimings, newSegment, type PlayoutSegment, rewindToWord } from './heard-text.ts'

const TRIES = 2
/** Synthesis without a frame for this long has stalled. */
const STALL_MS = 4000

export type SynthesisParts = SentenceVoice & { clock: Clock; onError: (error: unknown) => void }

export async function* synthesize(
  segment: PlayoutSegment,
  { say, sentenceTries, clock, onError }: SynthesisParts,
  signal: AbortSignal,
): AsyncGenerator<AudioFrame> {
  let rest = segment.text
  for (let tries = 1; ; tries++) {
    const attempt = new AbortController()
    try {
      const stop = AbortSignal.any([signal, attempt.signal])
      const audio = say(rest, stop)
      for await (const frame of sentenceTries === undefined ? untilStalled(audio, clock, stop) : audio) {
        if (frame.words) addWordTimings(segment, frame.words)
        segment.synthesizedMs += (frame.pcm.length / frame.rateHz) * 1000
        yield frame
      }
      segment.isSynthesized = !signal.aborted
      return
    } catch (error) {
      if (signal.aborted) return
      if (tries >= (sentenceTries ?? TRIES)) throw error
      onError(error)
      rest = rewindToWord(segment)
      if (rest === '') return
    } finally {
      attempt.abort(CANCELLED)
    }
  }
}

/** A text outside a turn, such as an announcement. */
export const synthesizedText = (text: string, parts: SynthesisParts, signal: AbortSignal): Audio =>
  synthesize(newSegment(text), parts, signal)

/** Throws when synthesis stalls; one timer for all frames. */
async function* untilStalled(audio: Audio, clock: Clock, signal: AbortSignal): AsyncGenerator<AudioFrame> {
  const frames = audio[Symbol.asyncIterator]()
  const done = new AbortController()
  let waitingSince: number | null = null
  const watch = async (): Promise<'stalled' | 'done'> => {
    const stop = AbortSignal.any([done.signal, signal])
    for (let waitMs = STALL_MS; ; ) {
      await clock.sleep(waitMs, stop)
      if (stop.aborted) return 'done'
      const waitedMs = waitingSince === null ? 0 : clock.now() - waitingSince
      if (waitedMs >= STALL_MS) return 'stalled'
      waitMs = STALL_MS - waitedMs
    }
  }
  const watching = watch()
  try {
    for (;;) {
      waitingSince = clock.now()
      const next = await Promise.race([frames.next(), watching])
      waitingSince = null
      if (next === 'stalled') throw new Error('Speech synthesis stalled')
      if (next === 'done' || next.done) return
      yield next.value
    }
  } finally {
    done.abort(CANCELLED)
    void Promise.try(() => frames.return?.()).catch(() => {})
  }
}
