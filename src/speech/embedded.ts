// The embedded voice: the cache, else the natural engine if it is ready and has capacity, else the fallback engine,
// else a vendor with a key. It degrades and never stutters.
import { CANCELLED, raceAbort } from '../base/concurrency/abort.ts'
import { appError, notFound } from '../base/errors/errors.ts'
import { monotonicMs } from '../base/time/clock.ts'
import type { AudioFrame, SpeakOptions, Tts, Voice } from '../voice/ports.ts'
import { embeddedVoices, languageOf } from './catalog.ts'
import { FirstSound } from './first-sound.ts'
import { splitOpener } from './text/openers.ts'
import type { CachedTts } from './tts/cached.ts'

export type NaturalVoice = CachedTts & {
  /** False when one more stream would make all of them stutter. */
  hasRoom(): boolean
}

type EmbeddedParts = {
  /** Undefined while it is being prepared. */
  natural: () => NaturalVoice | undefined
  small: () => Promise<Tts | undefined>
  /** Used when there is no fallback voice. */
  vendor?: Tts
  onDegraded: (reason: string) => void
  /** First-audio timeout of the natural voice, where nobody waits for a reply. */
  patienceMs?: number
  /** Decides when the first sound of a reply is due. */
  firstSound?: Pick<FirstSound, 'deadlineMs' | 'isInTime' | 'came' | 'missed' | 'takeTrial'>
}

/**
 * Six streams that start at the same instant have all started after three seconds; a longer wait is worse than another
 * voice.
 */
const PATIENCE_MS = 4000
/** A later sentence of a reply may wait longer than the first: another voice in the same reply is worse than a pause. */
const LATER_MS = 1500
const SLOW = 'the natural voice is too slow just now'

/** One voice per reply. Cached phrases decide nothing: they are played in the natural voice while the reply is not begun. */
type Reply = {
  voice: 'natural' | 'small' | null
  /** Resolves when the first sentence has begun or was stopped; the next one is asked for at the same time. */
  choosing: Promise<void> | null
  /** When the audio so far will have been played. */
  playsUntil: number
}
/** A sentence that is asked for; one outside of a reply has a `reply` of its own. */
type Sentence = {
  text: string
  options: SpeakOptions & { language: string }
  reply: Reply
  signal: AbortSignal
  /** Its opener is playing, in the natural voice. */
  hasOpener?: boolean
}
type Timing = Required<Pick<EmbeddedParts, 'patienceMs' | 'firstSound'>>

export function embeddedVoice(parts: EmbeddedParts): Tts {
  const { natural, small, vendor, onDegraded, patienceMs = PATIENCE_MS, firstSound = new FirstSound() } = parts
  const timing: Timing = { patienceMs, firstSound }
  const replies = new WeakMap<object, Reply>()

  function replyOf(key: object | undefined): Reply {
    const reply = (key && replies.get(key)) ?? { voice: null, choosing: null, playsUntil: 0 }
    if (key) replies.set(key, reply)
    return reply
  }

  /** The sentence in one voice. */
  async function* spoken(sentence: Sentence, voice: Voice): AsyncGenerator<AudioFrame> {
    const { text, options, reply, signal } = sentence
    const engine = natural()
    let reason: string | null = 'the natural voice is not ready'
    if (engine) {
      reason = hindrance(engine, sentence, timing)
      if (reason === null) reason = yield* spokenNaturally(engine, sentence, timing)
    }
    if (reason === null) return
    reply.voice = 'small'
    onDegraded(reason)
    const fallback = await small()
    if (fallback) yield* fallback.speak(text, options, signal)
    else if (vendor) yield* inVendorsVoice(vendor, voice, sentence)
    else throw unavailable()
  }

  /** A reply's first sentence: a cached opener sounds at once, and the rest is synthesized meanwhile. */
  async function* begun(sentence: Sentence, voice: Voice): AsyncGenerator<AudioFrame> {
    const { text, options, reply, signal } = sentence
    const engine = natural()
    const opened = engine && reply.voice === null && !engine.knows(text, options) && splitOpener(text, options.language)
    const isKept = opened && engine.knows(opened.opener, options)
    if (!isKept || hindrance(engine, sentence, timing) !== null) {
      yield* spoken(sentence, voice)
      return
    }
    reply.voice = 'natural'
    const rest = spoken({ ...sentence, text: opened.rest, hasOpener: true }, voice)
    const first = rest.next()
    first.catch(() => {}) // awaited after the opener
    try {
      yield* engine.speak(opened.opener, options, signal)
      for (let next = await first; !next.done; next = await rest.next()) yield next.value
    } finally {
      rest.return(undefined).catch(() => {})
    }
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
      const { normalize } = await import('./text/normalize.ts') // the cache is for streams that play: it is large
      const text = normalize(given, options.language, asked.pronunciation)
      const sentence = { text, options, reply: replyOf(asked.reply), signal }
      const isCached = natural()?.knows(text, options) ?? false
      if (asked.reply) yield* inOneVoice(sentence, isCached, () => begun(sentence, voice))
      else yield* spoken(sentence, voice)
    },
  }
}

/** Why the natural voice cannot speak now. */
function hindrance(engine: NaturalVoice, sentence: Sentence, timing: Timing): string | null {
  const { text, options, reply } = sentence
  if (reply.voice === 'small') return SLOW
  if (reply.voice === 'natural' || engine.knows(text, options)) return null
  if (!engine.hasRoom()) return 'all natural voices are busy'
  if (!options.reply || timing.firstSound.isInTime) return null
  void tryAgain(engine, sentence, timing)
  return SLOW
}

/** The natural voice beside the small one, for its first sound only: is it in time again? */
async function tryAgain(engine: NaturalVoice, { text, options }: Sentence, timing: Timing): Promise<void> {
  const { firstSound, patienceMs } = timing
  if (!firstSound.takeTrial()) return
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(CANCELLED), patienceMs)
  const startedAt = monotonicMs()
  try {
    for await (const _ of engine.speak(text, options, over.signal)) {
      firstSound.came(monotonicMs() - startedAt)
      return
    }
  } catch {
    // It stays with the small voice.
  } finally {
    clearTimeout(timer)
    over.abort(CANCELLED)
  }
}

/** The natural voice's frames. Returns why another voice has to speak instead, or null when it has spoken. */
async function* spokenNaturally(
  engine: NaturalVoice,
  { text, options, reply, signal, hasOpener = false }: Sentence,
  { firstSound, patienceMs }: Timing,
): AsyncGenerator<AudioFrame, string | null> {
  const isKnown = engine.knows(text, options)
  const isFirst = options.reply !== undefined && !isKnown && (reply.voice === null || hasOpener)
  const startedAt = monotonicMs()
  const isPlaying = reply.playsUntil > startedAt
  const laterMs = options.reply ? Math.min(LATER_MS, patienceMs) : patienceMs
  const allowedMs = isFirst && !hasOpener ? firstSound.deadlineMs : laterMs
  const late = new AbortController()
  let timer: NodeJS.Timeout | undefined
  // The sentence before may still be growing.
  const watch = () => {
    const leftMs = Math.max(startedAt, reply.playsUntil) + allowedMs - monotonicMs()
    if (leftMs > 0) timer = setTimeout(watch, Math.ceil(leftMs))
    else late.abort(CANCELLED)
  }
  watch()
  let hasSpoken = false
  try {
    for await (const frame of engine.speak(text, options, AbortSignal.any([signal, late.signal]))) {
      if (!hasSpoken) {
        clearTimeout(timer)
        if (!isKnown) reply.voice = 'natural'
        if (isFirst && !isPlaying) firstSound.came(monotonicMs() - startedAt)
      }
      hasSpoken = true
      yield frame
    }
    if (hasSpoken || signal.aborted || !late.signal.aborted) return null
  } catch (error) {
    if (hasSpoken || signal.aborted) throw error // changing the voice in mid-sentence would be worse than ending
  } finally {
    clearTimeout(timer)
  }
  if (!late.signal.aborted) return 'the natural voice failed'
  if (isFirst) firstSound.missed()
  return SLOW
}

/** Sentences of a reply are asked for ahead: those after the first wait until its voice is chosen. */
async function* inOneVoice(
  { reply, signal }: Sentence,
  isCached: boolean,
  frames: () => AsyncGenerator<AudioFrame>,
): AsyncGenerator<AudioFrame> {
  while (!isCached && reply.voice === null && reply.choosing && !signal.aborted)
    await raceAbort(signal, reply.choosing, () => undefined)
  if (signal.aborted) return
  const chosen = Promise.withResolvers<void>()
  if (!isCached && reply.voice === null) reply.choosing = chosen.promise
  try {
    for await (const frame of frames()) {
      chosen.resolve()
      reply.playsUntil = Math.max(reply.playsUntil, monotonicMs()) + (frame.pcm.length * 1000) / frame.rateHz
      yield frame
    }
  } finally {
    chosen.resolve()
    if (reply.choosing === chosen.promise) reply.choosing = null
  }
}

const unavailable = () => appError('speech_engine_missing')

/** The vendor's first voice of the same language and, if possible, the same gender. */
async function* inVendorsVoice(vendor: Tts, like: Voice, { text, options, signal }: Sentence) {
  const voices = await vendor.voices(signal)
  const same = voices.filter((voice) => languageOf(voice.language) === languageOf(like.language))
  const voice = same.find((v) => v.gender === like.gender) ?? same[0] ?? voices[0]
  if (!voice) throw unavailable()
  yield* vendor.speak(text, { ...options, voiceId: voice.id }, signal)
}
