// Transcribes the pending audio: one recognition at a time, canceled when a newer one replaces it. Where the recognizer can, it hears
// the audio while it is spoken; what fails is tried once more with the whole of it.

import { CANCELLED } from '../base/concurrency/abort.ts'
import type { Utterance } from './listening/audio-history.ts'
import type { Audio, AudioFrame, Stt, SttOptions, Transcript } from './ports.ts'
import { type SpeechStream, speechStream } from './speech-stream.ts'
import type { UtteranceDetector } from './utterance-detector.ts'

export type TranscriberParts = {
  detector: Pick<UtteranceDetector, 'pendingUtterance' | 'release' | 'follow' | 'isSpeaking' | 'pendingFromMs'>
  stt: Stt
  options: Pick<SttOptions, 'language' | 'hints'>
  /** What the agent said last: context for the recognizer. */
  lastAgentText: () => string
  /** While the caller speaks; covers the pending audio so far. */
  onPartial: (text: string) => void
  onTranscript: (recognition: number, transcript: Transcript | null) => void
  onError: (error: unknown) => void
}

const TRIES = 2

const nothing: Transcript = { text: '', isFinal: true, hasSpeech: false }

export type Transcriber = ReturnType<typeof transcriber>

export function transcriber(parts: TranscriberParts) {
  const { detector, stt, onTranscript, onPartial, onError } = parts
  let current = new AbortController()
  /** Open while the caller speaks. */
  let live: SpeechStream | undefined
  /** End of the audio that was recognized last. */
  let recognizedToMs = 0

  const begin = (isUrgent: boolean) => (audio: Audio, signal: AbortSignal) => {
    const { language, hints } = parts.options
    const prompt = parts.lastAgentText()
    const options: SttOptions = {
      language,
      ...(hints && { hints }),
      ...(prompt && { prompt }),
      ...(isUrgent && { isUrgent }),
    }
    return stt.transcribe(audio, options, signal)
  }

  async function transcribe(utterance: Utterance, isUrgent: boolean, signal: AbortSignal): Promise<Transcript> {
    let last: Transcript = { text: '', isFinal: true }
    for await (const transcript of begin(isUrgent)(audioOf(utterance), signal)) last = transcript
    return last
  }

  /** Undefined when it was canceled, null when it failed. */
  async function pending(isUrgent: boolean): Promise<Transcript | null | undefined> {
    current.abort(CANCELLED)
    const stream = live
    live = undefined
    const spoken = stream?.finish()
    current = stream?.stop ?? new AbortController()
    const { signal } = current
    const utterance = detector.pendingUtterance()
    if (!utterance) {
      current.abort(CANCELLED)
      return nothing
    }
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        const isStreamed = spoken !== undefined && tries === 0
        const transcript = await (isStreamed ? spoken : transcribe(utterance, isUrgent, signal))
        if (signal.aborted) return undefined
        recognizedToMs = utterance.toMs
        return transcript
      } catch (error) {
        if (signal.aborted) return undefined
        onError(error)
      }
    }
    recognizedToMs = utterance.toMs
    return null
  }

  function stopStream(): void {
    live?.stop.abort(CANCELLED)
    live?.finish().catch(() => {})
    live = undefined
  }

  /** From the start of the pending audio: a turn with pauses is heard as a whole. */
  function stream(isUrgent: boolean): void {
    stopStream()
    if (!stt.isLive || detector.pendingFromMs === null) return
    const opened: SpeechStream = speechStream({
      fromMs: detector.pendingFromMs,
      isUrgent,
      follow: (onPiece) => detector.follow(onPiece),
      transcribe: begin(isUrgent),
      onPartial: (text) => live === opened && onPartial(text),
      onFailed(error) {
        if (live !== opened) return
        // The whole utterance is recognized when it has ended.
        stopStream()
        onError(error)
      },
    })
    live = opened
  }

  return {
    async recognize(recognition: number, isUrgent: boolean): Promise<void> {
      const recognized = pending(isUrgent)
      // The caller goes on: so does the stream, with a new one.
      if (detector.isSpeaking) stream(isUrgent)
      const transcript = await recognized
      if (transcript !== undefined) onTranscript(recognition, transcript)
    },
    stream,
    /** Speech has ended, and nobody asks what it was. */
    stopStream,
    /** What is pending when the call ends. */
    lastWords: async (): Promise<string> => (await pending(false))?.text.trim() ?? '',
    /** Its audio stays pending, together with what follows. */
    cancel: () => current.abort(CANCELLED),
    /** What was recognized last is not heard again. */
    release(): void {
      detector.release(recognizedToMs)
      if (!live || live.fromMs === detector.pendingFromMs) return
      if (detector.isSpeaking) stream(live.isUrgent)
      else stopStream()
    },
  }
}

async function* audioOf({ pcm, rateHz }: Utterance): AsyncGenerator<AudioFrame> {
  yield { pcm, rateHz }
}
