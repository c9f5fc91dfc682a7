// Streams one utterance to a live recognizer while it is spoken; yields partial transcripts, then the final one.

import { Channel } from '../base/concurrency/channel.ts'
import type { Audio, AudioFrame, Transcript } from './ports.ts'

type SpeechStreamParts = {
  /** Where its audio starts, in media time. */
  fromMs: number
  isUrgent: boolean
  /** Passes on the audio from `fromMs` until the returned function is called. */
  follow: (onPiece: (piece: AudioFrame) => void) => () => void
  transcribe: (audio: Audio, signal: AbortSignal) => AsyncIterable<Transcript>
  onPartial: (text: string) => void
  /** Recognition failed while the caller was speaking. */
  onFailed: (error: unknown) => void
}

export type SpeechStream = {
  readonly fromMs: number
  readonly isUrgent: boolean
  /** Abort it to end at once, without a transcript. */
  readonly stop: AbortController
  /** Ends the audio and resolves to its final transcript; rejects if recognition failed. */
  finish(): Promise<Transcript>
}

export function speechStream({ fromMs, isUrgent, follow, transcribe, onPartial, onFailed }: SpeechStreamParts) {
  const stop = new AbortController()
  // Unbounded is safe: the pending audio itself is bounded.
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
