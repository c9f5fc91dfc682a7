// One voice's attempt at a sentence: the voice ID it is spoken with, its time-outs, and a check that enough sound came. And the trial
// of a voice that has failed.

import { AppError, appError } from '../base/errors/errors.ts'
import { languageOf, previewText } from '../speech/catalog.ts'
import { type Delivery, delivery } from '../speech/delivery.ts'
import { knownVoices, voiceForLanguage, voicesOf } from '../speech/voice-lists.ts'
import type { Audio, AudioFrame, Clock, Speaker, SpeakOptions } from '../voice/ports.ts'
import { alarm, NOT_NEEDED } from './chain-clock.ts'
import type { ChainLink, Trial } from './ports.ts'

type Link = ChainLink<Speaker>

export type TtsPatience = {
  /** To the first sound. */
  firstMs: number
  /** Between two pieces of a sentence; what was sent before is still being played. */
  gapMs: number
}

/** How the sentences of a call are asked for. */
export type VoiceRequests = {
  /** Sets `use.isFromCache` before the first frame. */
  speak(link: Link, text: string, use: VoiceUse, signal: AbortSignal): AsyncGenerator<AudioFrame>
  /** The next sentence belongs to another reply. */
  startReply(): void
}
export type VoiceUse = { isFromCache: boolean }

const isUnknownVoice = (error: unknown) =>
  error instanceof AppError && (error.code === 'voice_not_found' || error.code === 'not_found')

/** Of one call. `onDefaultVoice`: the provider does not have the agent's voice; its default for the language speaks. */
export function voiceRequests(clock: Clock, onDefaultVoice?: (link: Link) => void): VoiceRequests {
  const voiceIds = new Map<Link, string>()
  let reply = {}

  /** A given voice needs no list: it is tried, and replaced by the default if the provider does not know it. */
  async function voiceIdOf(link: Link, signal: AbortSignal, refusedId?: string): Promise<string> {
    const chosen = voiceIds.get(link)
    if (chosen !== undefined && chosen !== refusedId) return chosen
    const { tts, voiceId, language } = link.engine
    const known = knownVoices(tts)
    const isKnown = !known || known.some(({ id }) => id === voiceId)
    if (voiceId !== null && voiceId !== refusedId && isKnown) return voiceId
    const voice = voiceForLanguage(await voicesOf(tts, clock.now(), signal), language)
    if (!voice || voice.id === refusedId) throw appError('service_no_voices', { service: tts.name })
    if (voiceId !== null && voice.id !== voiceId) onDefaultVoice?.(link)
    voiceIds.set(link, voice.id)
    return voice.id
  }

  return {
    async *speak(link, text, use, signal) {
      const { tts, voiceId: _, ...settings } = link.engine
      let refusedId: string | undefined
      for (;;) {
        const voiceId = await voiceIdOf(link, signal, refusedId)
        const options: SpeakOptions = { ...settings, voiceId, reply }
        use.isFromCache = tts.knows?.(text, options) ?? false
        try {
          yield* tts.speak(text, options, signal)
          return
        } catch (error) {
          if (refusedId !== undefined || !isUnknownVoice(error)) throw error
          refusedId = voiceId
        }
      }
    },
    startReply() {
      reply = {}
    },
  }
}

type Watch = { patience: TtsPatience; told: Delivery; clock: Clock; service: string }

/**
 * Throws when the first frame, or the next, takes too long, and when they end too soon for the text. Yields nothing before the first
 * sound: until then another voice can say all of it. One timer for all frames.
 */
export async function* watched(
  speak: (stop: AbortSignal) => Audio,
  { patience, told, clock, service }: Watch,
  signal: AbortSignal,
): AsyncGenerator<AudioFrame> {
  const stop = new AbortController()
  const late = Promise.withResolvers<'late'>()
  const timer = alarm(clock, () => late.resolve('late'))
  const frames = speak(AbortSignal.any([signal, stop.signal]))[Symbol.asyncIterator]()
  const held: AudioFrame[] = []
  try {
    for (let patienceMs = patience.firstMs; ; patienceMs = patience.gapMs) {
      const askedAt = clock.now()
      timer.set(askedAt + patienceMs)
      const next = await Promise.race([frames.next(), late.promise])
      timer.set(Number.POSITIVE_INFINITY) // the listener's own time does not count
      if (next === 'late') throw appError('service_silent', { service })
      if (signal.aborted) return
      if (next.done) break
      told.add(next.value, clock.now() - askedAt)
      held.push(next.value)
      if (told.hasSound()) yield* held.splice(0)
      else if (told.isSilent()) throw appError('service_no_audio', { service })
    }
    if (told.isCut()) throw appError(told.hasSound() ? 'service_speech_cut' : 'service_no_audio', { service })
  } finally {
    timer.close()
    stop.abort(NOT_NEEDED)
    // Not awaited: an engine that ignores its signal must not delay the next.
    void Promise.try(() => frames.return?.()).catch(() => {})
  }
}

/** Between two frames; the whole trial is limited by the breaker. */
const TRIAL_GAP_MS = 1_000
let trials = 0

/** Synthesizes a whole sentence that is in no cache: a voice that cuts or crawls can still say a short one. */
export function voiceTrial(link: Link, voices: VoiceRequests, clock: Clock): Trial {
  const tried = { ...link, engine: link.uncounted ?? link.engine }
  const { tts, language, ...spoken } = tried.engine
  return async (signal) => {
    const text = `${previewText[languageOf(language)] ?? previewText.en} ${++trials}.`
    const told = delivery(text, spoken)
    const patience = { firstMs: Number.POSITIVE_INFINITY, gapMs: TRIAL_GAP_MS }
    const watch = { patience, told, clock, service: tts.name }
    const startedAt = clock.now()
    let firstMs: number | null = null
    const speak = (stop: AbortSignal) => voices.speak(tried, text, { isFromCache: false }, stop)
    for await (const _ of watched(speak, watch, signal)) firstMs ??= clock.now() - startedAt
    signal.throwIfAborted()
    if (firstMs === null) throw appError('service_no_audio', { service: tts.name })
    if (told.isSlow()) throw appError('service_silent', { service: tts.name })
    return firstMs
  }
}
