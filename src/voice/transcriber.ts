// Transcribes the pending audio: one recognition at a time, canceled when a newer one replaces it. A live recognizer gets the
// audio while it is spoken; after a failure the whole utterance is sent once more.

import { CANCELLED } from '../base/concurrency/abort.ts'
import type { Utterance } from './listening/audio-history.ts'
import type { Audio, AudioFrame, Stt, SttOptions, Transcript } from './ports.ts'
import { type SpeechStream, speechStream } from './speech-stream.ts'
import type { UtteranceDetector } from './utterance-detector.ts'

type TranscriberParts = {
  detector: Pick<UtteranceDetector, 'pendingUtterance' | 'release' | 'follow' | 'isSpeaking' | 'pendingFromMs'>
  stt: Stt
  options: Pick<SttOptions, 'language' | 'hints'>
  /** What the caller may say now. */
  expected: () => Pick<SttOptions, 'names' | 'words'>
  /** What the agent said last: context for the recognizer. */
  lastAgentText: () => string
  /** Partial transcript of the pending audio, while the caller speaks. */
  onPartial: (text: string) => void
  onTranscript: (recognition: number, transcript: Transcript | null) => void
  onError: (error: unknown) => void
}

const nothing: Transcript = { text: '', isFinal: true, hasSpeech: false }

export type Transcriber = ReturnType<typeof transcriber>

export function transcriber(parts: TranscriberParts) {
  const { detector, stt, onTranscript, onPartial, onError } = parts
  let current = new AbortController()
  /** Open while the caller speaks. */
  let live: SpeechStream | undefined
  /** End of the audio that was recognized last. */
  let recognizedToMs = 0

  const begin = (isUrgent: boolean) => (audio: Audio, signal: AbortSignal) =>
    stt.transcribe(audio, sttOptions(parts, isUrgent), signal)

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
    const inOnePiece = () => lastOf(begin(isUrgent)(audioOf(utterance), signal))
    const transcript = await firstOf([spoken ? () => spoken : inOnePiece, inOnePiece], signal, onError)
    if (transcript !== undefined) recognizedToMs = utterance.toMs
    return transcript
  }

  function stopStream(): void {
    live?.stop.abort(CANCELLED)
    live?.finish().catch(() => {})
    live = undefined
  }

  /** Streams from the start of the pending audio: a turn with pauses is recognized as a whole. */
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
        // The whole utterance is recognized once it has ended.
        stopStream()
        onError(error)
      },
    })
    live = opened
  }

  return {
    async recognize(recognition: number, isUrgent: boolean): Promise<void> {
      const recognized = pending(isUrgent)
      // The caller is still speaking: open a new stream.
      if (detector.isSpeaking) stream(isUrgent)
      const transcript = await recognized
      if (transcript !== undefined) onTranscript(recognition, transcript)
    },
    stream,
    /** The transcript of the speech is not needed. */
    stopStream,
    /** The pending audio's text when the call ends. */
    lastWords: async (): Promise<string> => (await pending(false))?.text.trim() ?? '',
    /** The audio stays pending. */
    cancel: () => current.abort(CANCELLED),
    /** The audio of the latest transcript is not recognized again. */
    release(): void {
      detector.release(recognizedToMs)
      if (!live || live.fromMs === detector.pendingFromMs) return
      if (detector.isSpeaking) stream(live.isUrgent)
      else stopStream()
    },
  }
}

function sttOptions({ options, expected, lastAgentText }: TranscriberParts, isUrgent: boolean): SttOptions {
  const { language, hints } = options
  const prompt = lastAgentText()
  return {
    language,
    ...expected(),
    ...(hints && { hints }),
    ...(prompt && { prompt }),
    ...(isUrgent && { isUrgent }),
  }
}

/** Undefined when it was canceled, null when each try has failed. */
async function firstOf(
  tries: readonly (() => Promise<Transcript>)[],
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<Transcript | null | undefined> {
  for (const attempt of tries) {
    try {
      const transcript = await attempt()
      return signal.aborted ? undefined : transcript
    } catch (error) {
      if (signal.aborted) return undefined
      onError(error)
    }
  }
  return null
}

async function lastOf(transcripts: AsyncIterable<Transcript>): Promise<Transcript> {
  let last: Transcript = { text: '', isFinal: true }
  for await (const transcript of transcripts) last = transcript
  return last
}

async function* audioOf({ pcm, rateHz }: Utterance): AsyncGenerator<AudioFrame> {
  yield { pcm, rateHz }
}
