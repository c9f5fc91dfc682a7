// Answering-machine detection during the conversation: consumes tones, speech, transcripts and time; reports who answered, whether nobody
// has yet, and beeps.
import type { HeardTone } from '../ports.ts'
import {
  type AmdSignal,
  type AmdState,
  type AnsweredBy,
  classify,
  initialAmdState,
  type LineEnd,
} from './classifier.ts'

type AmdEvents = {
  onAnsweredBy(by: AnsweredBy, isByWords: boolean, atMs: number): void
  /** Possibly a voicemail; `onAnsweredBy` follows. */
  onSuspected(): void
  /** The telephone still rings, or music plays; or no more, and `onAnsweredBy` may follow. */
  onWaiting(isWaiting: boolean): void
  onBeep(): void
  /** Nobody is there to talk to. */
  onEnd(end: LineEnd): void
}

export function answeringMachineDetector(events: AmdEvents) {
  let state: AmdState = initialAmdState
  let nowMs = 0

  function take(signal: AmdSignal): void {
    const before = state
    state = classify(state, signal)
    if (state === before) return
    if (state.end !== null) events.onEnd(state.end)
    if (state.isSuspect && !before.isSuspect) events.onSuspected()
    if (state.by !== null && state.by !== before.by) events.onAnsweredBy(state.by, state.isByWords, nowMs)
    const isWaiting = state.waitUntilMs !== null
    if (isWaiting !== (before.waitUntilMs !== null)) events.onWaiting(isWaiting)
  }

  return {
    tone(tone: HeardTone, atMs: number): void {
      nowMs = atMs
      take({ type: 'tone', tone, atMs })
      if (tone === 'beep' && state.by === 'machine') events.onBeep()
    },
    /** Returns whether detection is still running. */
    time(atMs: number): boolean {
      nowMs = atMs
      if (!state.isOver) take({ type: 'time', atMs })
      return !state.isOver
    },
    speech: (on: boolean, atMs: number) => take({ type: 'speech', on, atMs }),
    transcript: (text: string) => take({ type: 'transcript', text }),
  }
}
