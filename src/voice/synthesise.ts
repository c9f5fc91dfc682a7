// The sound of a sentence as its voice makes it; a voice that breaks off or stalls is tried once more, from the word at which it was.
import { noteWords, type PlayoutSegment, sayAgain } from './heard-text.ts'
import type { Audio, AudioFrame, Clock } from './ports.ts'

export type Say = (text: string, signal: AbortSignal) => Audio

const TRIES = 2
/** A voice that is silent so long while it is waited for has stalled. */
const STALL_MS = 4000

export type Maker = { say: Say; clock: Clock; onTrouble: (error: unknown) => void }

export async function* synthesise(
  piece: PlayoutSegment,
  maker: Maker,
  signal: AbortSignal,
): AsyncGenerator<AudioFrame> {
  let rest = piece.text
  for (let tries = 1; ; tries++) {
    const attempt = new AbortController()
    try {
      const stop = AbortSignal.any([signal, attempt.signal])
      for await (const frame of untilStalled(maker.say(rest, stop), maker.clock, stop)) {
        if (frame.words) noteWords(piece, frame.words)
        piece.madeMs += (frame.pcm.length / frame.rateHz) * 1000
        yield frame
      }
      piece.isMade = !signal.aborted
      return
    } catch (error) {
      if (signal.aborted) return
      if (tries === TRIES) throw error
      maker.onTrouble(error)
      rest = sayAgain(piece)
      if (rest === '') return
    } finally {
      attempt.abort()
    }
  }
}

/** As it comes, or an error when nothing has come for long; one timer for all frames. */
async function* untilStalled(audio: Audio, clock: Clock, signal: AbortSignal): AsyncGenerator<AudioFrame> {
  const frames = audio[Symbol.asyncIterator]()
  const done = new AbortController()
  let askedAt: number | null = null
  const watch = async (): Promise<'stalled' | 'done'> => {
    const stop = AbortSignal.any([done.signal, signal])
    for (let waitMs = STALL_MS; ; ) {
      await clock.sleep(waitMs, stop)
      if (stop.aborted) return 'done'
      const waitedMs = askedAt === null ? 0 : clock.now() - askedAt
      if (waitedMs >= STALL_MS) return 'stalled'
      waitMs = STALL_MS - waitedMs
    }
  }
  const watching = watch()
  try {
    for (;;) {
      askedAt = clock.now()
      const next = await Promise.race([frames.next(), watching])
      askedAt = null
      if (next === 'stalled') throw new Error('The voice has stalled')
      if (next === 'done' || next.done) return
      yield next.value
    }
  } finally {
    done.abort()
    void Promise.try(() => frames.return?.()).catch(() => {})
  }
}
