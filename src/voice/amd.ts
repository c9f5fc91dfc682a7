// Answering-machine detection beside the conversation: audio, speech and transcripts in, "voicemail" and "tone" out.
import { type AmdSignal, type AmdState, type AnsweredBy, classify, initialAmdState } from './amd-classifier.ts'
import { beepDetector } from './beep-detector.ts'
import type { Audio, AudioFrame } from './ports.ts'

/** A tone later than this is not a voicemail's. */
const LAST_TONE_MS = 90_000

export type AmdEvents = {
  onAnsweredBy(by: AnsweredBy, atMs: number): void
  /** It may be a voicemail; the result follows. */
  onSuspected(): void
  onBeep(): void
}

export function answeringMachineDetector(events: AmdEvents) {
  const isBeep = beepDetector()
  let state: AmdState = initialAmdState
  let nowMs = 0

  function take(signal: AmdSignal): void {
    const before = state
    state = classify(state, signal)
    if (state.isSuspect && !before.isSuspect) events.onSuspected()
    if (state.by !== null && state.by !== before.by) events.onAnsweredBy(state.by, nowMs)
  }

  function hear(frame: AudioFrame): void {
    nowMs += (frame.pcm.length / frame.rateHz) * 1000
    if (nowMs < LAST_TONE_MS && isBeep(frame)) {
      take({ type: 'beep', atMs: nowMs })
      if (state.by === 'machine') events.onBeep()
    }
    if (!state.isOver) take({ type: 'time', atMs: nowMs })
  }

  return {
    /** Passes the audio on unchanged. */
    async *through(input: Audio): AsyncGenerator<AudioFrame> {
      for await (const frame of input) {
        hear(frame)
        yield frame
      }
    },
    speech: (on: boolean, atMs: number) => take({ type: 'speech', on, atMs }),
    transcript: (text: string) => take({ type: 'transcript', text }),
  }
}
