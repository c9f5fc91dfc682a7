// The embedded voice: the cache, else the natural engine if it is ready and has capacity, else the fallback engine,
// else a vendor with a key. It degrades and never stutters.
import { appError, notFound } from '../base/errors.ts'
import type { AudioFrame, SpeakOptions, Tts, Voice } from '../voice/ports.ts'
import type { CachedTts } from './cached.ts'
import { embeddedVoices, languageOf } from './catalogue.ts'
import type { normalise } from './text/normalise.ts'

export type NaturalVoice = CachedTts & {
  /** When the first audio would come, in ms from now. Infinity: one more stream would make all of them stutter. */
  firstSoundMs(text: string, options: SpeakOptions): number
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
/** A reply whose first audio is expected later than this begins with a filler, if one is cached. */
const BRIDGED_AFTER_MS = 500
/** The latest expected first audio of a turn in the natural voice: in silence, and behind a filler. */
const LATEST_MS = 900
const LATEST_BRIDGED_MS = 2000

export function embeddedVoice(parts: EmbeddedParts): Tts {
  const { natural, small, vendor, onDegraded, patienceMs = PATIENCE_MS } = parts
  const fillers = fillerCache()
  let normalised: typeof normalise | undefined

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
      normalised ??= (await import('./text/normalise.ts')).normalise // when first needed: it is large
      const text = normalised(given, options.language, asked.pronunciation)
      const engine = natural()
      const refusal = engine ? refusalOf(engine, text, options) : 'the natural voice is not ready'
      if (!engine || refusal !== null) return yield* otherwise(refusal ?? '', voice, text, options, signal)
      let hasSpoken = false
      const patience = new AbortController()
      const timer = setTimeout(() => patience.abort(), patienceMs)
      try {
        for await (const frame of engine.speak(text, options, AbortSignal.any([signal, patience.signal]))) {
          clearTimeout(timer)
          hasSpoken = true
          yield frame
        }
        if (hasSpoken && !signal.aborted) fillers.synthesise(engine)
        if (hasSpoken || signal.aborted || !patience.signal.aborted) return
      } catch (error) {
        if (hasSpoken || signal.aborted) throw error // changing the voice in mid-sentence would be worse than ending
      } finally {
        clearTimeout(timer)
      }
      const reason = patience.signal.aborted ? 'the natural voice is too slow just now' : 'the natural voice failed'
      if (asked.turn) asked.turn.voice = 'small'
      yield* otherwise(reason, voice, text, options, signal)
    },

    needsFiller(given, givenFiller, asked) {
      const engine = natural()
      const voice = embeddedVoices.find((v) => v.id === asked.voiceId)
      if (!engine || !voice || !normalised || asked.turn?.voice) return false
      const options = { ...asked, language: asked.language ?? voice.language }
      const [text, filler] = [given, givenFiller].map((one) => normalised?.(one, options.language, asked.pronunciation))
      if (text === undefined || filler === undefined || engine.knows(text, options)) return false
      if (!engine.knows(filler, options)) {
        fillers.want(filler, options)
        return false
      }
      const expectedMs = engine.firstSoundMs(text, options)
      const isNeeded = expectedMs > BRIDGED_AFTER_MS && expectedMs <= LATEST_BRIDGED_MS
      if (isNeeded && asked.turn) asked.turn.isBridged = true
      return isNeeded
    },
  }
}

/** Why the natural voice should not speak this, or null. A turn in a call has a deadline, and keeps the voice it began with. */
function refusalOf(engine: NaturalVoice, text: string, options: SpeakOptions): string | null {
  const { turn } = options
  if (engine.knows(text, options) || turn?.voice === 'natural') return null
  if (turn?.voice === 'small') return 'the turn began in the small voice'
  const expectedMs = engine.firstSoundMs(text, options)
  const latestMs = turn?.isBridged ? LATEST_BRIDGED_MS : LATEST_MS
  const isLate = turn !== undefined && expectedMs > latestMs
  if (turn) turn.voice = isLate ? 'small' : 'natural'
  if (expectedMs === Number.POSITIVE_INFINITY) return 'all natural voices are busy'
  return isLate ? 'the natural voice would start too late' : null
}

/** Fillers that were needed and not cached: they are synthesised when the natural voice has nothing else to do. */
function fillerCache() {
  const wanted = new Map<string, SpeakOptions>()
  return {
    want(filler: string, { turn, ...options }: SpeakOptions): void {
      if (wanted.size < MAX_WANTED) wanted.set(filler, options)
    },
    synthesise(engine: NaturalVoice): void {
      const [next] = wanted
      if (!next || engine.firstSoundMs(...next) > BRIDGED_AFTER_MS) return
      wanted.delete(next[0])
      void drained(engine.speak(...next, AbortSignal.timeout(PATIENCE_MS))).catch(() => {})
    },
  }
}
const MAX_WANTED = 32

async function drained(audio: AsyncIterable<AudioFrame>): Promise<void> {
  for await (const _ of audio);
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
