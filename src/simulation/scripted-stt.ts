// Scripted STT and VAD: a sample's level encodes its utterance's number in the script, and everything but zero is speech.
import type { Clock, Stt, Vad } from '../voice/ports.ts'

export const RATE_HZ = 8000
export const FRAME = RATE_HZ / 50
const STEP = RATE_HZ * 0.032

/** The level of the first utterance; each further one is 1 higher. */
export const FIRST_LEVEL = 1000

export const scriptedVad: Vad = {
  open() {
    let samples = 0
    let loud = 0
    return {
      async push(pcm) {
        const steps: number[] = []
        for (const sample of pcm) {
          samples++
          if (sample !== 0) loud++
          if (samples < STEP) continue
          steps.push(loud * 2 > samples ? 0.9 : 0.05)
          samples = 0
          loud = 0
        }
        return steps
      },
      close() {},
    }
  },
}

export type ScriptedUtterance = { text: string; ms: number }
/** An Error fails, null never returns, a number is the duration. */
export type RecognitionScript = (text: string, times: number) => Error | null | number

/** Transcribes the utterances in the audio; of a truncated one the first words. `log` receives every transcript. */
export function scriptedStt(
  clock: Clock,
  said: readonly ScriptedUtterance[],
  script: RecognitionScript,
  log: string[] = [],
): Stt {
  return {
    name: 'script',
    async *transcribe(audio, _options, signal) {
      const samples = new Map<number, number>()
      for await (const { pcm } of audio)
        for (const level of pcm) if (level !== 0) samples.set(level, (samples.get(level) ?? 0) + 1)
      const text = [...samples]
        .map(([level, count]) => spokenPart(said[level - FIRST_LEVEL], (count / RATE_HZ) * 1000))
        .join(' ')
      const outcome = script(text, log.push(text))
      await clock.sleep(typeof outcome === 'number' ? outcome : outcome === null ? 10_000_000 : 200, signal)
      if (signal.aborted) return
      if (outcome instanceof Error) throw outcome
      yield { text: text.trim(), isFinal: true, hasSpeech: text.trim() !== '' }
    },
  }
}

/** The words of the utterance that are in its first `ms`. */
export function spokenPart(utterance: ScriptedUtterance | undefined, ms: number): string {
  if (!utterance) return ''
  const { text } = utterance
  // Frames are whole: up to two may be missing.
  return ms >= utterance.ms - 40 ? text : text.slice(0, text.lastIndexOf(' ', (ms / utterance.ms) * text.length) + 1)
}
