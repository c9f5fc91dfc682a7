// One utterance on its way to a live recognizer: its audio leaves while it is spoken, partial transcripts come back, and then the final one.

import { Channel } from '../base/concurrency/channel.ts'
import type { Audio, AudioFrame, Transcript } from './ports.ts'

export type SpeechStreamParts = {
  /** Where its audio starts, in media time. */
  fromMs: number
  isUrgent: boolean
  /** Passes on the audio from there until the returned function is called. */
  follow: (onPiece: (piece: AudioFrame) => void) => () => void
  transcribe: (audio: Audio, signal: AbortSignal) => AsyncIterable<Transcript>
  onPartial: (text: string) => void
  /** While the caller speaks. */
  onFailed: (error: unknown) => void
}

export type SpeechStream = {
  readonly fromMs: number
  readonly isUrgent: boolean
  /** Aborted: it ends at once, without a transcript. */
  readonly stop: AbortController
  /** No more audio follows; the final transcript covers all of it. Rejects when the recognizer has failed. */
  finish(): Promise<Transcript>
}

export function speechStream({ fromMs, isUrgent, follow, transcribe, onPartial, onFailed }: SpeechStreamParts) {
  const stop = new AbortController()
  // Never full: it holds no more than the pending audio, which is bounded.
  const pieces = new Channel<AudioFrame>(Number.POSITIVE_INFINITY)
  let rateHz: number | undefined
  let isComplete = false
  const unfollow = follow((piece) => {
    rateHz ??= piece.rateHz
    if (piece.rateHz === rateHz) void pieces.push(piece)
    else pieces.end(new Error('The sample rate of the line has changed'))
  })

  async function run(): Promise<Transcript> {
    for await (const transcript of transcribe(pieces, stop.signal)) {
      if (!transcript.isFinal) onPartial(transcript.text)
      else if (isComplete || stop.signal.aborted) return transcript
      else break
    }
    throw new Error('Live recognition ended before the speech did')
  }

  const result = run()
  result.catch((error: unknown) => {
    if (!isComplete && !stop.signal.aborted) onFailed(error)
  })
  const stream: SpeechStream = {
    fromMs,
    isUrgent,
    stop,
    finish() {
      unfollow()
      isComplete = true
      pieces.end()
      return result
    },
  }
  return stream
}
