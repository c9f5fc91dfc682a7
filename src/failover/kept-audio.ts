// The audio of one utterance, read once and kept, so that each recognizer of a chain can hear it from its start.
import { raceAbort } from '../base/concurrency/abort.ts'
import type { Audio, AudioFrame } from '../voice/ports.ts'

/** The embedded recognizer's own limit; later audio is ignored. */
const MAX_AUDIO_MS = 300_000

export type KeptAudio = {
  /** From the start, also while more arrives; any number of readers. */
  read(): AsyncGenerator<AudioFrame>
  /** Resolves when the source has ended or failed, or the signal has fired. */
  readonly ended: Promise<void>
  readonly hasEnded: boolean
  /** On the clock; undefined before it has ended. */
  readonly endedAt: number | undefined
  readonly durationMs: number
  /** The failure of the source itself. */
  readonly failure: { readonly error: unknown } | undefined
}

/** Frames are kept as they are: their samples must not be reused by the source. */
export function keptAudio(source: Audio, now: () => number, signal: AbortSignal): KeptAudio {
  const frames: AudioFrame[] = []
  let durationMs = 0
  let endedAt: number | undefined
  let failure: { error: unknown } | undefined
  let changed = Promise.withResolvers<void>()

  function change(): void {
    changed.resolve()
    changed = Promise.withResolvers()
  }

  async function pump(): Promise<void> {
    const reader = source[Symbol.asyncIterator]()
    let isRead = false
    try {
      for (;;) {
        const next = await raceAbort(signal, reader.next(), () => ({ done: true, value: undefined }) as const)
        if (next.done) {
          isRead = !signal.aborted
          return
        }
        if (durationMs >= MAX_AUDIO_MS) continue
        frames.push(next.value)
        durationMs += (next.value.pcm.length / next.value.rateHz) * 1000
        change()
      }
    } catch (error) {
      failure = { error }
    } finally {
      endedAt = now()
      change()
      // Not awaited: a source that waits for its next frame would not return before that.
      if (!isRead) void Promise.try(() => reader.return?.()).catch(() => {})
    }
  }
  const ended = pump()

  return {
    async *read() {
      for (let at = 0; ; ) {
        const frame = frames[at]
        if (frame) {
          at++
          yield frame
        } else if (failure) throw failure.error
        else if (endedAt !== undefined) return
        else await changed.promise
      }
    },
    ended,
    get hasEnded() {
      return endedAt !== undefined
    },
    get endedAt() {
      return endedAt
    },
    get durationMs() {
      return durationMs
    },
    get failure() {
      return failure
    },
  }
}
