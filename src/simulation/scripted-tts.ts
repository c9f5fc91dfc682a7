// A voice of a hum: as long as speech would be, and every frame says of which text it is.
import type { AudioFrame, Clock } from '../voice/ports.ts'
import { FRAME, RATE_HZ } from './scripted-stt.ts'

export const MS_PER_LETTER = 60
const HUM = 2000

/** How often this was asked for before: an Error fails at once, a number makes so many ms of sound and then fails, null stalls. */
export type Saying = (text: string, times: number) => Error | null | number | undefined
export type ScriptedFrame = AudioFrame & { text: string }

/** `firstMs` is what the first sound of a sentence takes. */
export function scriptedVoice(clock: Clock, saying: Saying, hasTimings: boolean, firstMs = 0) {
  const times = new Map<string, number>()
  return async function* say(text: string, signal: AbortSignal): AsyncGenerator<ScriptedFrame> {
    const before = times.get(text) ?? 0
    times.set(text, before + 1)
    const outcome = saying(text, before)
    if (outcome instanceof Error) throw outcome
    if (outcome === null) await clock.sleep(10_000_000, signal)
    if (firstMs > 0) await clock.sleep(firstMs, signal)
    const begins = new Map(
      [...text.matchAll(/\S+/g)].map((word) => [Math.floor((word.index * MS_PER_LETTER) / 20) * 20, word[0]]),
    )
    for (let ms = 0; ms < text.length * MS_PER_LETTER; ms += 20) {
      if (signal.aborted) return
      if (typeof outcome === 'number' && ms >= outcome) throw new Error('the voice broke off')
      const words = hasTimings ? begins.get(ms) : undefined
      yield { pcm: new Int16Array(FRAME).fill(HUM), rateHz: RATE_HZ, text, ...(words ? { words } : {}) }
    }
  }
}
