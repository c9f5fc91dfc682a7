// A caching Tts: a phrase that was played to its end comes from the cache the next time; one that was cut does not.
import type { AudioFrame, SpeakOptions, Tts } from '../../voice/ports.ts'
import { isWhole } from '../delivery.ts'
import { splitOpener } from '../text/openers.ts'
import { cacheKey, type SpeechCache } from './cache.ts'
import { openerSound } from './opener-sound.ts'

export type CachedTts = Tts & {
  /** Whether the phrase is cached and can be played at once, under any load. */
  knows(text: string, options: SpeakOptions): boolean
}

export function cachedTts(tts: Tts, cache: SpeechCache): CachedTts {
  /** Cut out of a sentence, since voices say a word alone unlike one that goes on, and some mumble it. */
  function keepOpener(text: string, frames: readonly AudioFrame[], options: SpeakOptions): void {
    const opener = splitOpener(text, options.language ?? '')?.opener
    const key = opener && cacheKey(tts.name, opener, options)
    const sound = key && !cache.get(key) && openerSound(frames, opener)
    if (sound) cache.put(key, sound)
  }

  return {
    name: tts.name,
    voices: tts.voices,
    knows: (text, options) => cache.get(cacheKey(tts.name, text, options)) !== undefined,
    async *speak(text, options, signal) {
      const key = cacheKey(tts.name, text, options)
      const known = cache.get(key)
      if (known) {
        for (const frame of known) {
          if (signal.aborted) return
          yield frame
        }
        return
      }
      const frames: AudioFrame[] = []
      for await (const frame of tts.speak(text, options, signal)) {
        frames.push(frame)
        yield frame
      }
      if (signal.aborted || !isWhole(text, frames, options)) return
      cache.put(key, frames)
      keepOpener(text, frames, options)
    },
  }
}
