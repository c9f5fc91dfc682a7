// Scripted TTS: a hum as long as the speech would be; every frame carries its text.
import type { AudioFrame, Clock } from '../voice/ports.ts'
import { FRAME, RATE_HZ } from './scripted-stt.ts'

export const MS_PER_LETTER = 60
const HUM = 2000

/** `times`: how often this text was synthesized before. An Error fails at once, a number fails after that many ms, null stalls. */
export type SynthesisScript = (text: string, times: number) => Error | null | number | undefined
export type ScriptedFrame = AudioFrame & { text: string }

type ScriptedVoiceOptions = {
  script?: SynthesisScript
  /** Frames carry word timings. */
  hasTimings?: boolean
  /** Time to the first frame of a sentence. */
  firstMs?: number
}

export function scriptedVoice(
  clock: Clock,
  { script = () => undefined, hasTimings = false, firstMs = 0 }: ScriptedVoiceOptions = {},
) {
  const times = new Map<string, number>()
  return async function* say(text: string, signal: AbortSignal): AsyncGenerator<ScriptedFrame> {
    const before = times.get(text) ?? 0
    times.set(text, before + 1)
    const outcome = script(text, before)
    if (outcome instanceof Error) throw outcome
    if (outcome === null) await clock.sleep(10_000_000, signal)
    if (firstMs > 0) await clock.sleep(firstMs, signal)
    const wordStarts = new Map(
      [...text.matchAll(/\S+/g)].map((word) => [Math.floor((word.index * MS_PER_LETTER) / 20) * 20, word[0]]),
    )
    for (let ms = 0; ms < text.length * MS_PER_LETTER; ms += 20) {
      if (signal.aborted) return
      if (typeof outcome === 'number' && ms >= outcome) throw new Error('synthesis broke off')
      const words = hasTimings ? wordStarts.get(ms) : undefined
      yield { pcm: new Int16Array(FRAME).fill(HUM), rateHz: RATE_HZ, text, ...(words ? { words } : {}) }
    }
  }
}
