// The larger model's second opinion: which turns it heard again, and what its answer took.
import { NICENESS } from '../../src/base/process/thread-priority.ts'
import { monotonicMs } from '../../src/base/time/clock.ts'
import { findLargerWhisper } from '../../src/speech/whisper/folder.ts'
import { prepareWhisper } from '../../src/speech/whisper/prepare.ts'
import { withSecondOpinion } from '../../src/speech/whisper/second-opinion.ts'
import { openWhisper, type WhisperStt } from '../../src/speech/whisper/whisper.ts'

export type Larger = { stt: WhisperStt; memoryMb: number }

/** Undefined if its package is not installed. */
export async function openLarger(folder: string): Promise<Larger | undefined> {
  const source = findLargerWhisper()
  if (!source) return undefined
  await prepareWhisper(folder, () => {}, new AbortController().signal, source)
  const before = process.memoryUsage().rss
  const stt = await openWhisper({ folder, maxWaiting: 1, niceness: NICENESS.secondOpinion })
  return { stt, memoryMb: (process.memoryUsage().rss - before) / 1e6 }
}

/** Two cores: unclear turns only. `addedMs` has the wait for each turn that was heard again. */
export function watchedOpinion(first: WhisperStt, larger: WhisperStt) {
  const addedMs: number[] = []
  const second: WhisperStt = {
    ...larger,
    async *transcribe(audio, options, signal) {
      const startedMs = monotonicMs()
      try {
        yield* larger.transcribe(audio, options, signal)
      } finally {
        addedMs.push(monotonicMs() - startedMs)
      }
    },
  }
  return { stt: withSecondOpinion({ first, second: Promise.resolve(second), cores: 2 }), addedMs }
}
