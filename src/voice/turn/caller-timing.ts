// When the caller spoke in their current turn: on the session's clock and in the recording.
import type { SpeechTiming } from '../history.ts'
import type { SpeechChange } from '../ports.ts'
import type { UtteranceDetector } from '../utterance-detector.ts'

type Position = { at: number; recordedMs: number | null }

/** VAD reports the end of speech at most this late. */
const MAX_VAD_DELAY_MS = 160

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))

export function callerTiming(
  detector: Pick<UtteranceDetector, 'arrivedAt' | 'recordedAt' | 'soundStartMs' | 'soundEndMs' | 'nowMs'>,
) {
  /** The first sound of the turn, and its last unless the caller is still speaking. */
  let turn: { from: Position; to: Position | null; firstMs: number } | null = null
  let speechFromMs = 0

  const positionAt = (ms: number): Position => ({ at: detector.arrivedAt(ms), recordedMs: detector.recordedAt(ms) })

  /** Locates the start again: with more of the speech known, the result is better. */
  function firstSound({ from, firstMs }: { from: Position; firstMs: number }): Position {
    const startMs = detector.soundStartMs(firstMs)
    return startMs === undefined ? from : positionAt(startMs)
  }

  return {
    /** Returns where speech started or ended, in media time; pauses are counted from where the level fell. */
    speechChanged({ isSpeaking, atMs, nowMs, voicedMs }: SpeechChange): number {
      if (isSpeaking) {
        speechFromMs = nowMs - voicedMs
        return speechFromMs
      }
      const endMs = detector.soundEndMs(speechFromMs, atMs)
      if (turn) turn = { ...turn, from: firstSound(turn), to: positionAt(endMs) }
      return clamp(endMs, atMs - MAX_VAD_DELAY_MS, atMs)
    },

    /** `isContinued`: the speech continues the current turn. */
    turnStarted(startedAtMs: number, isContinued: boolean): void {
      const firstMs = isContinued && turn ? turn.firstMs : startedAtMs
      const from = isContinued && turn ? turn.from : positionAt(detector.soundStartMs(firstMs) ?? firstMs)
      turn = { from, to: null, firstMs }
    },

    current(): SpeechTiming | null {
      if (!turn) return null
      const { from, to } = { from: turn.from, to: turn.to ?? positionAt(detector.nowMs) }
      const recorded =
        from.recordedMs !== null && to.recordedMs !== null ? { fromMs: from.recordedMs, toMs: to.recordedMs } : null
      return { startedAt: from.at, endedAt: to.at, recorded }
    },
  }
}
