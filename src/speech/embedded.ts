// The embedded voice: the cache, else the natural engine if it is ready and has capacity, else the fallback engine,
// else a vendor with a key. It degrades and never stutters.
import { appError, notFound } from '../base/errors.ts'
import type { AudioFrame, SpeakOptions, Tts, Voice } from '../voice/ports.ts'
import type { CachedTts } from './cached.ts'
import { embeddedVoices, languageOf } from './catalogue.ts'

export type NaturalVoice = CachedTts & {
  /** False when one more stream would make all of them stutter. */
  hasRoom(): boolean
}

export type EmbeddedParts = {
  /** Undefined while it is being prepared. */
  natural: () => NaturalVoice | undefined
  small: () => Promise<Tts | undefined>
  /** Used when there is no fallback voice. */
  vendor?: Tts
  onDegraded: (reason: string) => void
  /** First-audio timeout of the natural voice. */
  patienceMs?: number
}

/**
 * Six streams that start at the same instant have all started after three seconds; a longer wait is worse than another
 * voice.
 */
const PATIENCE_MS = 4000

export function embeddedVoice(parts: EmbeddedParts): Tts {
  const { natural, small, vendor, onDegraded, patienceMs = PATIENCE_MS } = parts

  async function* otherwise(reason: string, voice: Voice, text: string, options: SpeakOptions, signal: AbortSignal) {
    onDegraded(reason)
    const engine = await small()
    if (engine) yield* engine.speak(text, options, signal)
    else if (vendor) yield* inVendorsVoice(vendor, voice, text, options, signal)
    else throw unavailable()
  }

  async function mustSpeak(): Promise<void> {
    if (!natural() && !vendor && !(await small())) throw unavailable()
  }

  return {
    name: 'embedded',

    async voices() {
      await mustSpeak()
      return [...embeddedVoices]
    },

    async *speak(given, asked, signal): AsyncGenerator<AudioFrame> {
      await mustSpeak()
      const voice = embeddedVoices.find((v) => v.id === asked.voiceId)
      if (!voice) throw notFound('Voice')
      const options = { ...asked, language: asked.language ?? voice.language }
      const { normalise } = await import('./text/normalise.ts') // the cache is for streams that play: it is large
      const text = normalise(given, options.language, asked.pronunciation)
      const engine = natural()
      if (!engine) return yield* otherwise('the natural voice is not ready', voice, text, options, signal)
      if (!engine.knows(text, options) && !engine.hasRoom())
        return yield* otherwise('all natural voices are busy', voice, text, options, signal)
      let hasSpoken = false
      const patience = new AbortController()
      const timer = setTimeout(() => patience.abort(), patienceMs)
      try {
        for await (const frame of engine.speak(text, options, AbortSignal.any([signal, patience.signal]))) {
          clearTimeout(timer)
          hasSpoken = true
          yield frame
        }
        if (hasSpoken || signal.aborted || !patience.signal.aborted) return
      } catch (error) {
        if (hasSpoken || signal.aborted) throw error // changing the voice in mid-sentence would be worse than ending
      } finally {
        clearTimeout(timer)
      }
      const reason = patience.signal.aborted ? 'the natural voice is too slow just now' : 'the natural voice failed'
      yield* otherwise(reason, voice, text, options, signal)
    },
  }
}

const unavailable = () => appError('speech_engine_missing')

/** The vendor's first voice of the same language and, if possible, the same gender. */
async function* inVendorsVoice(vendor: Tts, like: Voice, text: string, options: SpeakOptions, signal: AbortSignal) {
  const voices = await vendor.voices(signal)
  const same = voices.filter((voice) => languageOf(voice.language) === languageOf(like.language))
  const voice = same.find((v) => v.gender === like.gender) ?? same[0] ?? voices[0]
  if (!voice) throw unavailable()
  yield* vendor.speak(text, { ...options, voiceId: voice.id }, signal)
}
