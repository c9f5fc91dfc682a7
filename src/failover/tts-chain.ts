// A chain of voices as one: a voice that fails, is silent, breaks off or delivers too little is replaced within the sentence, one that
// is slower than real time after it. The call stays with the voice that works, and changes back between turns only.

import { appError } from '../base/errors/errors.ts'
import { delivery } from '../speech/delivery.ts'
import type { AudioFrame, SentenceVoice, Speaker } from '../voice/ports.ts'
import { chainClock } from './chain-clock.ts'
import { candidates, demotions, isEmbedded, reportFailure } from './chain-links.ts'
import { reasonOf } from './failure-reason.ts'
import type { Breaker, Breakers, ChainLink, ChainParts, FailureReason } from './ports.ts'
import { servingReport } from './serving.ts'
import { type TtsPatience, type VoiceUse, voiceRequests, voiceTrial, watched } from './tts-attempt.ts'

/** `firstMs` at least, where it is known how quick the vendor is. */
const vendorPatience: TtsPatience = { firstMs: 700, gapMs: 1_000 }
/** The embedded engines queue when they are busy, and have a time-out of their own before another engine speaks. */
const embeddedPatience: TtsPatience = { firstMs: 8_000, gapMs: 4_000 }
/** Of a vendor that has not spoken yet in this process. */
const UNKNOWN_FIRST_MS = 1_500
/** A vendor that is always slow gets this many times its median. */
const MEDIANS = 3
const MAX_FIRST_MS = 5_000

type Link = ChainLink<Speaker>

export type TtsChainParts = ChainParts<Speaker> & {
  /** The provider does not have the agent's voice; its default for the language speaks. */
  onDefaultVoice?: (link: Link) => void
}

export type TtsChain = SentenceVoice & {
  /** The agent is silent: the next sentence may be spoken by another voice. */
  betweenTurns(): void
}

function patienceFor(link: Link, breakers: Breakers): TtsPatience {
  if (isEmbedded(link)) return embeddedPatience
  const { firstMs } = breakers.healthOf('tts', link.id)
  const typicalMs = firstMs === null ? UNKNOWN_FIRST_MS : Math.min(MEDIANS * firstMs, MAX_FIRST_MS)
  return { ...vendorPatience, firstMs: Math.max(vendorPatience.firstMs, typicalMs) }
}

/** Of one call. */
export function ttsChain(parts: TtsChainParts): TtsChain {
  const { links, breakers, onDefaultVoice, clock = chainClock } = parts
  const report = servingReport({ kind: 'tts', links, onEvent: parts.onEvent })
  const { demote, isDemoted } = demotions(clock)
  const voices = voiceRequests(clock, onDefaultVoice)
  /** The voice of this turn. */
  let current: Link | null = null
  let lastReason: FailureReason | null = null

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

  function isAdmitted(link: Link): boolean {
    if (breakers.of('tts', link).admits()) return true
    lastReason = breakers.healthOf('tts', link.id).reason ?? lastReason
    demote(link)
    return false
  }

  function failed(link: Link, breaker: Breaker, error: unknown, hasSpoken: boolean): void {
    lastReason = reasonOf(error, hasSpoken)
    demote(link)
    if (current === link) current = null
    reportFailure(breaker, error, lastReason, voiceTrial(link, voices, clock))
  }

  function onFirstFrame(link: Link): void {
    current = link
    report.served(links.indexOf(link), lastReason)
  }

  /** One link's speech, with its time-outs. Throws when it fails, is late, or gives too little sound for the text. */
  async function* attempt(link: Link, text: string, signal: AbortSignal): AsyncGenerator<AudioFrame> {
    const breaker = breakers.of('tts', link)
    const service = link.engine.tts.name
    const use: VoiceUse = { isFromCache: false }
    // The embedded engines decide themselves what they say, and no link comes after them.
    const told = delivery(isEmbedded(link) ? '' : text, link.engine)
    const startedAt = clock.now()
    let firstAt: number | null = null
    let isSettled = false
    const watch = { patience: patienceFor(link, breakers), told, clock, service }
    try {
      for await (const frame of watched((stop) => voices.speak(link, text, use, stop), watch, signal)) {
        if (firstAt === null) {
          firstAt = clock.now()
          onFirstFrame(link)
        }
        yield frame
      }
      if (signal.aborted) return
      if (firstAt === null && /[\p{L}\p{N}]/u.test(text)) throw appError('service_no_audio', { service })
      if (use.isFromCache || firstAt === null) return
      isSettled = true
      if (told.isSlow() && !isEmbedded(link)) failed(link, breaker, appError('service_silent', { service }), true)
      else breaker.succeeded(firstAt - startedAt)
    } catch (error) {
      if (signal.aborted) return
      isSettled = true
      failed(link, breaker, error, firstAt !== null)
      throw error
    } finally {
      if (!isSettled) breaker.abandoned()
    }
  }

  async function* say(text: string, signal: AbortSignal): AsyncGenerator<AudioFrame> {
    const { next } = candidates(inOrder(), isAdmitted)
    let lastError: unknown
    for (let link = next(); link; link = next()) {
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

  return {
    say,
    sentenceTries: links.length + 1,
    betweenTurns() {
      current = null
      voices.startReply()
    },
  }
}
