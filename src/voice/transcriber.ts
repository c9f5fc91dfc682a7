// Transcribes the pending utterance: one recognition at a time, tried twice, cancelled when the caller goes on.

import type { Utterance } from './audio-history.ts'
import type { AudioFrame, Stt } from './ports.ts'
import type { UtteranceDetector } from './utterance-detector.ts'

export type TranscriberParts = {
  detector: Pick<UtteranceDetector, 'pendingUtterance' | 'release'>
  stt: Stt
  language: string
  hints?: readonly string[]
  onTranscript: (recognition: number, text: string, hasFailed: boolean) => void
  onError: (error: unknown) => void
}

const TRIES = 2

export function transcriber({ detector, stt, language, hints, onTranscript, onError }: TranscriberParts) {
  let current = new AbortController()

  async function textOf(utterance: Utterance, signal: AbortSignal): Promise<string> {
    const options = { language, ...(hints ? { hints } : {}) }
    let text = ''
    for await (const transcript of stt.transcribe(audioOf(utterance), options, signal)) text = transcript.text
    return text
  }

  async function recognise(recognition: number, isProbe: boolean): Promise<void> {
    current.abort()
    current = new AbortController()
    const { signal } = current
    const utterance = detector.pendingUtterance()
    let text: string | null = utterance ? null : ''
    for (let tries = 0; utterance && text === null && tries < TRIES; tries++) {
      try {
        text = await textOf(utterance, signal)
      } catch (error) {
        if (!signal.aborted) onError(error)
      }
      if (signal.aborted) return
    }
    if (utterance && !isProbe) detector.release(utterance.toMs)
    onTranscript(recognition, text ?? '', text === null)
  }

  return {
    recognise: (recognition: number, isProbe: boolean) => void recognise(recognition, isProbe),
    /** Its audio stays pending, together with what follows. */
    cancel: () => current.abort(),
  }
}

async function* audioOf({ pcm, rateHz }: Utterance): AsyncGenerator<AudioFrame> {
  yield { pcm, rateHz }
}
