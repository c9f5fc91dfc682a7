// Understands what the ear kept: one recognition at a time, tried twice, thrown away when the caller goes on.

import type { Utterance } from './audio-history.ts'
import type { AudioFrame, Stt } from './ports.ts'
import type { UtteranceDetector } from './utterance-detector.ts'

export type RecogniserParts = {
  ear: Pick<UtteranceDetector, 'sound' | 'release' | 'nowMs'>
  stt: Stt
  language: string
  hints?: readonly string[]
  onWords: (recognition: number, text: string, hasFailed: boolean) => void
  onTrouble: (error: unknown) => void
}

const TRIES = 2

export function recogniser({ ear, stt, language, hints, onWords, onTrouble }: RecogniserParts) {
  let current = new AbortController()

  async function textOf(utterance: Utterance, signal: AbortSignal): Promise<string> {
    let text = ''
    for await (const transcript of stt.transcribe(
      soundOf(utterance),
      { language, ...(hints ? { hints } : {}) },
      signal,
    ))
      text = transcript.text
    return text
  }

  async function recognise(recognition: number, isProbe: boolean): Promise<void> {
    current.abort()
    current = new AbortController()
    const { signal } = current
    const utterance = ear.sound()
    let text: string | null = utterance ? null : ''
    for (let tries = 0; utterance && text === null && tries < TRIES; tries++) {
      try {
        text = await textOf(utterance, signal)
      } catch (error) {
        if (!signal.aborted) onTrouble(error)
      }
      if (signal.aborted) return
    }
    if (utterance && !isProbe) ear.release(utterance.toMs)
    onWords(recognition, text ?? '', text === null)
  }

  return {
    recognise: (recognition: number, isProbe: boolean) => void recognise(recognition, isProbe),
    /** Its words are not wanted; its sound is, together with what follows. */
    forget: () => current.abort(),
  }
}

async function* soundOf({ pcm, rateHz }: Utterance): AsyncGenerator<AudioFrame> {
  yield { pcm, rateHz }
}
