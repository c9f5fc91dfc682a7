// A chain of voices as one: a voice that fails, is silent, breaks off or delivers too little is replaced within the sentence, one that
// is slower than real time after it. The call stays with the voice that works, and changes back between turns only.

import { EMBEDDED_ID } from '../base/domain/provider-kinds.ts'
import { AppError, appError } from '../base/errors/errors.ts'
import { languageOf, previewText } from '../speech/catalog.ts'
import { type Delivery, delivery } from '../speech/delivery.ts'
import { knownVoices, voiceForLanguage, voicesOf } from '../speech/voice-lists.ts'
import type { Audio, AudioFrame, Say, Speaker, SpeakOptions } from '../voice/ports.ts'
import { alarm, type ChainClock, chainClock, NOT_NEEDED } from './chain-clock.ts'
import { isProviderFault, reasonOf } from './failure-reason.ts'
import type { ChainLink, ChainParts, FailureReason, Trial } from './ports.ts'
import { servingReport } from './serving.ts'

type Patience = {
  /** To the first sound. */
  firstMs: number
  /** Between two pieces of a sentence; what was sent before is still being played. */
  gapMs: number
}

/** `firstMs` at least, where it is known how quick the vendor is. */
const vendorPatience: Patience = { firstMs: 700, gapMs: 1_000 }
/** The embedded engines queue when they are busy, and have a time-out of their own before another engine speaks. */
const embeddedPatience: Patience = { firstMs: 8_000, gapMs: 4_000 }
/** Of a vendor that has not spoken yet in this process. */
const UNKNOWN_FIRST_MS = 1_500
/** A vendor that is always slow gets this many times its median. */
const MEDIANS = 3
const MAX_FIRST_MS = 5_000
/** In a trial only the whole of it has a time limit, which is the breaker's. */
const trialPatience: Patience = { firstMs: Number.POSITIVE_INFINITY, gapMs: vendorPatience.gapMs }
/** A voice that has failed in this call comes last for this long, even if its breaker is closed. */
const DEMOTED_MS = 30_000

export type TtsChainParts = ChainParts<Speaker> & {
  clock?: ChainClock
  /** The provider does not have the agent's voice; its default for the language speaks. */
  onDefaultVoice?: (link: ChainLink<Speaker>) => void
}

export type TtsChain = {
  readonly say: Say
  /** The agent is silent: the next sentence may be spoken by another voice. */
  betweenTurns(): void
}

type Link = ChainLink<Speaker>
const isEmbedded = ({ id }: Link) => id === EMBEDDED_ID
const isUnknownVoice = (error: unknown) =>
  error instanceof AppError && (error.code === 'voice_not_found' || error.code === 'not_found')

/** Of one call. */
export function ttsChain(parts: TtsChainParts): TtsChain {
  const { links, breakers, onDefaultVoice, clock = chainClock } = parts
  const report = servingReport({ kind: 'tts', links, onEvent: parts.onEvent })
  const demotedUntil = new Map<Link, number>()
  const voiceIds = new Map<Link, string>()
  let current: Link | null = null
  /** Of the sentences until the agent is silent. */
  let reply = {}
  let lastReason: FailureReason | null = null

  const isDemoted = (link: Link) => !isEmbedded(link) && clock.now() < (demotedUntil.get(link) ?? 0)

  const demote = (link: Link) => void demotedUntil.set(link, clock.now() + DEMOTED_MS)

  /** The voice of this turn first, the embedded one after the others, and those that have failed in this call last. */
  function inOrder(): Link[] {
    const others = links.filter((link) => link !== current)
    return [
      ...(current ? [current] : []),
      ...others.filter((link) => !isEmbedded(link) && !isDemoted(link)),
      ...others.filter(isEmbedded),
      ...others.filter(isDemoted),
    ]
  }

  function patienceFor(link: Link): Patience {
    if (isEmbedded(link)) return embeddedPatience
    const { firstMs } = breakers.healthOf('tts', link.id)
    const typicalMs = firstMs === null ? UNKNOWN_FIRST_MS : Math.min(MEDIANS * firstMs, MAX_FIRST_MS)
    return { ...vendorPatience, firstMs: Math.max(vendorPatience.firstMs, typicalMs) }
  }

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

  const optionsOf = ({ engine }: Link, voiceId: string): SpeakOptions => {
    const { tts, voiceId: _, ...options } = engine
    return { ...options, voiceId, reply }
  }

  async function* spoken(link: Link, text: string, use: Use, signal: AbortSignal): AsyncGenerator<AudioFrame> {
    const { tts } = link.engine
    let refusedId: string | undefined
    for (;;) {
      const voiceId = await voiceIdOf(link, signal, refusedId)
      const options = optionsOf(link, voiceId)
      use.isFromCache = tts.knows?.(text, options) ?? false
      try {
        yield* tts.speak(text, options, signal)
        return
      } catch (error) {
        if (refusedId !== undefined || !isUnknownVoice(error)) throw error
        refusedId = voiceId
      }
    }
  }

  function failed(link: Link, error: unknown, hasSpoken: boolean): void {
    lastReason = reasonOf(error, hasSpoken)
    demote(link)
    if (current === link) current = null
    const breaker = breakers.of('tts', link)
    const tried = { ...link, engine: link.uncounted ?? link.engine }
    const speak: Speak = (text, signal) => spoken(tried, text, newUse(), signal)
    const trial = isEmbedded(link) ? undefined : trialOf(tried.engine, speak, clock)
    if (isProviderFault(error)) breaker.failed(lastReason, trial)
    else breaker.abandoned()
  }

  /** One link's speech, with its time-outs. Throws when it fails, is late, or gives too little sound for the text. */
  async function* attempt(link: Link, text: string, signal: AbortSignal): AsyncGenerator<AudioFrame> {
    const breaker = breakers.of('tts', link)
    const use = newUse()
    // The embedded engines decide themselves what they say, and nobody comes after them.
    const told = delivery(isEmbedded(link) ? '' : text, link.engine)
    const startedAt = clock.now()
    let firstAt: number | null = null
    let isSettled = false
    const watch = { patience: patienceFor(link), told, clock, service: link.engine.tts.name }
    try {
      for await (const frame of watched((stop) => spoken(link, text, use, stop), watch, signal)) {
        if (firstAt === null) {
          firstAt = clock.now()
          current = link
          report.served(links.indexOf(link), lastReason)
        }
        yield frame
      }
      if (signal.aborted) return
      if (firstAt === null && /[\p{L}\p{N}]/u.test(text))
        throw appError('service_no_audio', { service: link.engine.tts.name })
      isSettled = !use.isFromCache && firstAt !== null
      if (isSettled && told.isSlow() && !isEmbedded(link)) failed(link, late(link), true)
      else if (isSettled) breaker.succeeded((firstAt ?? startedAt) - startedAt)
    } catch (error) {
      if (signal.aborted) return
      isSettled = true
      failed(link, error, firstAt !== null)
      throw error
    } finally {
      if (!isSettled) breaker.abandoned()
    }
  }

  /** Links whose breaker is open are asked only when nothing else is left. */
  function* candidates(): Generator<Link> {
    const skipped: Link[] = []
    for (const link of inOrder())
      if (isEmbedded(link) || isAdmitted(link)) yield link
      else skipped.push(link)
    yield* skipped
  }

  async function* say(text: string, signal: AbortSignal): AsyncGenerator<AudioFrame> {
    let lastError: unknown
    for (const link of candidates()) {
      if (signal.aborted) return
      let hasSpoken = false
      try {
        for await (const frame of attempt(link, text, signal)) {
          hasSpoken = true
          yield frame
        }
        return
      } catch (error) {
        // What was heard is not said again: the rest of the sentence is asked for anew.
        if (hasSpoken) throw error
        lastError = error
      }
    }
    throw lastError ?? appError('speech_engine_missing')
  }

  function isAdmitted(link: Link): boolean {
    const isAdmittedNow = breakers.of('tts', link).admits()
    if (isAdmittedNow) return true
    lastReason = breakers.healthOf('tts', link.id).reason ?? lastReason
    demote(link)
    return false
  }

  return {
    say: Object.assign(say, { tries: links.length + 1 }),
    betweenTurns() {
      current = null
      reply = {}
    },
  }
}

type Use = { isFromCache: boolean }
const newUse = (): Use => ({ isFromCache: false })

const late = ({ engine }: Link) => appError('service_silent', { service: engine.tts.name })

type Speak = (text: string, signal: AbortSignal) => Audio
type Watch = { patience: Patience; told: Delivery; clock: ChainClock; service: string }

/**
 * Throws when the first frame, or the next, takes too long, and when they end too soon for the text. Nothing is given before the first
 * sound: until then another voice can say all of it. One timer for all frames.
 */
async function* watched(
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

let trials = 0

/** A sentence that no cache has, to its end: a voice that cuts or crawls can say a number. */
function trialOf({ tts, language, ...spoken }: Speaker, speak: Speak, clock: ChainClock): Trial {
  return async (signal) => {
    const text = `${previewText[languageOf(language)] ?? previewText.en} ${++trials}.`
    const told = delivery(text, spoken)
    const watch = { patience: trialPatience, told, clock, service: tts.name }
    const startedAt = clock.now()
    let firstMs: number | null = null
    for await (const _ of watched((stop) => speak(text, stop), watch, signal)) firstMs ??= clock.now() - startedAt
    signal.throwIfAborted()
    if (firstMs === null) throw appError('service_no_audio', { service: tts.name })
    if (told.isSlow()) throw appError('service_silent', { service: tts.name })
    return firstMs
  }
}
