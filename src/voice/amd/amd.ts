// Answering-machine detection during the conversation: consumes tones, speech, transcripts and time; reports who answered and beeps.
import { type AmdSignal, type AmdState, type AnsweredBy, classify, initialAmdState } from './classifier.ts'

type AmdEvents = {
  onAnsweredBy(by: AnsweredBy, atMs: number): void
  /** Possibly a voicemail; `onAnsweredBy` follows. */
  onSuspected(): void
  onBeep(): void
}

export function answeringMachineDetector(events: AmdEvents) {
  let state: AmdState = initialAmdState
  let nowMs = 0

  function take(signal: AmdSignal): void {
    const before = state
    state = classify(state, signal)
    if (state.isSuspect && !before.isSuspect) events.onSuspected()
    if (state.by !== null && state.by !== before.by) events.onAnsweredBy(state.by, nowMs)
  }

  return {
    beep(atMs: number): void {
      nowMs = atMs
      take({ type: 'beep', atMs })
      if (state.by === 'machine') events.onBeep()
    },
    progressTone(atMs: number): void {
      nowMs = atMs
      take({ type: 'progress-tone', atMs })
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
