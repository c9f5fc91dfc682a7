// Recognizers in a chain: the utterance is kept, and what one link does not recognize in time, the next does. Nothing is lost.

import { setTimeout as sleepMs } from 'node:timers/promises'
import { CANCELLED } from '../base/concurrency/abort.ts'
import { EMBEDDED_ID } from '../base/domain/provider-kinds.ts'
import { appError } from '../base/errors/errors.ts'
import { monotonicMs } from '../base/time/clock.ts'
import type { Audio, Clock, Stt, SttOptions, Transcript } from '../voice/ports.ts'
import { alarm } from './chain-clock.ts'
import { isProviderFault, reasonOf } from './failure-reason.ts'
import { keptAudio } from './kept-audio.ts'
import type { Breaker, ChainLink, ChainParts, FailureReason, Trial } from './ports.ts'
import { servingReport } from './serving.ts'
import { attempts, type Hearing, type HearingOutcome } from './stt-attempt.ts'

/** The next link hears the utterance beside a silent one: this long after the end of the audio, or twice the silent one's median. */
const HEDGE_MS = 500
const MEDIANS = 2
const MAX_HEDGE_MS = 1200

type Link = ChainLink<Stt>
type Failure = { reason: FailureReason; error: unknown }
type Running = {
  readonly at: number
  readonly link: Link
  readonly startedAt: number
  readonly stop: AbortController
  /** Undefined while it runs. */
  outcome: HearingOutcome | undefined
}

export function sttChain({ links, breakers, onEvent }: ChainParts<Stt>, clock: Clock = realClock): Stt {
  const report = servingReport({ kind: 'stt', links, onEvent })
  const healthOf = ({ id }: Link) => breakers.healthOf('stt', id)
  const isDown = (link: Link) => link.id !== EMBEDDED_ID && healthOf(link).state === 'down'
  /** The link that the next utterance goes to. */
  const current = (): Link => links.find((link) => !isDown(link)) ?? (links.at(-1) as Link)
  const hedgeMs = (link: Link) => Math.min(MAX_HEDGE_MS, Math.max(HEDGE_MS, MEDIANS * (healthOf(link).firstMs ?? 0)))

  function settle({ link, outcome }: Running, breaker: Breaker, options: SttOptions): void {
    if (!outcome) breaker.abandoned()
    else if ('transcript' in outcome) breaker.succeeded(outcome.afterMs)
    else if (isProviderFault(outcome.error))
      breaker.failed(reasonOf(outcome.error, outcome.hasStarted), trialOf(link, options, clock))
    else breaker.abandoned()
  }

  /** Starts links one after another; each reports to its breaker when it ends, also if another was quicker. */
  function starter(hearing: Hearing, onPartial: (from: Running, transcript: Transcript) => void, wake: () => void) {
    let next = 0
    let skipped: FailureReason | null = null

    async function run(one: Running, breaker: Breaker | null): Promise<void> {
      const signal = AbortSignal.any([hearing.signal, one.stop.signal])
      const transcripts = attempts(one.link, { ...hearing, signal }, clock)
      let result = await transcripts.next()
      for (; !result.done; result = await transcripts.next()) onPartial(one, result.value)
      one.outcome = hearing.kept.failure ? null : result.value
      if (breaker) settle(one, breaker, hearing.options)
      wake()
    }

    return {
      /** Why a link was passed over. */
      skipped: () => skipped,
      hasMore: () => next < links.length,
      /** Links whose breaker is open are skipped; the last one is tried in any case, but not beside another. */
      start(isHedge: boolean): Running | undefined {
        for (; next < links.length; next++) {
          const link = links[next] as Link
          // A hedge is to save time: loading a model takes longer than the silent link's time-out.
          if (isHedge && link.engine.isReady === false) return undefined
          const breaker = breakers.of('stt', link)
          const isAdmitted = breaker.admits()
          if (!isAdmitted && (isHedge || next < links.length - 1)) {
            skipped ??= healthOf(link).reason ?? 'unreachable'
            if (next === links.length - 1) return undefined
            continue
          }
          const one = { at: next++, link, startedAt: clock.now(), stop: new AbortController(), outcome: undefined }
          void run(one, isAdmitted ? breaker : null)
          return one
        }
        return undefined
      },
    }
  }

  async function* transcribe(hearing: Hearing): AsyncGenerator<Transcript> {
    const { kept, signal } = hearing
    let changed = Promise.withResolvers<void>()
    const wake = () => changed.resolve()
    const partials: Transcript[] = []
    let running: Running[] = []
    let failure: Failure | null = null
    const starts = starter(
      hearing,
      (from, transcript) => {
        if (from !== running[0]) return
        partials.push(transcript)
        wake()
      },
      wake,
    )
    const timer = alarm(clock, wake)
    const hedgeAt = (): number => {
      const [only] = running
      if (running.length !== 1 || !only || !starts.hasMore() || kept.endedAt === undefined) return Infinity
      return only.link.id === EMBEDDED_ID ? Infinity : Math.max(only.startedAt, kept.endedAt) + hedgeMs(only.link)
    }
    /** What has ended without a transcript makes room for the next. */
    const dropEnded = () => {
      for (const { outcome } of running)
        if (outcome && 'error' in outcome)
          failure = { reason: reasonOf(outcome.error, outcome.hasStarted), error: outcome.error }
      running = running.filter(({ outcome }) => outcome === undefined)
    }
    void kept.ended.then(wake)
    signal.addEventListener('abort', wake, { once: true })
    try {
      for (;;) {
        changed = Promise.withResolvers()
        yield* partials.splice(0)
        if (signal.aborted) return
        if (kept.failure) throw kept.failure.error
        const winner = running.find(({ outcome }) => outcome && 'transcript' in outcome)
        if (winner?.outcome && 'transcript' in winner.outcome) {
          running = running.filter((each) => each !== winner && each.link.id === EMBEDDED_ID)
          report.served(winner.at, (failure as Failure | null)?.reason ?? starts.skipped() ?? 'timeout')
          yield winner.outcome.transcript
          return
        }
        dropEnded()
        const isHedge = clock.now() >= hedgeAt()
        if (running.length === 0 || isHedge) {
          const one = starts.start(isHedge)
          if (one) running.push(one)
          else if (running.length === 0) throw (failure as Failure | null)?.error ?? noText(links[0] as Link)
          if (one || !isHedge) continue
        }
        timer.set(isHedge ? Infinity : hedgeAt())
        await changed.promise
      }
    } finally {
      timer.close()
      signal.removeEventListener('abort', wake)
      // A vendor that was slower is left to end: only then is it known whether it is slow or dead.
      for (const { stop } of running) stop.abort(CANCELLED)
    }
  }

  return {
    get name() {
      return current().engine.name
    },
    get isEmbedded() {
      return current().engine.isEmbedded ?? false
    },
    get isLive() {
      return current().engine.isLive ?? false
    },
    transcribe: (audio, options, signal) =>
      transcribe({ kept: keptAudio(audio, () => clock.now(), signal), options, signal }),
  }
}

const noText = ({ name }: Link) => appError('service_no_text', { service: name })

const TRIAL_RATE_HZ = 16_000
const TRIAL_HZ = 220
const TRIAL_LEVEL = 800

/** A second of a faint tone: nothing that a caller said is sent to find out whether a provider is back. */
const trialOf =
  ({ engine, uncounted = engine }: Link, { language }: SttOptions, clock: Clock): Trial =>
  async (signal) => {
    const startedAt = clock.now()
    for await (const { isFinal } of uncounted.transcribe(trialTone(), { language }, signal))
      if (isFinal) return clock.now() - startedAt
    throw appError('service_no_text', { service: engine.name })
  }

async function* trialTone(): Audio {
  const pcm = Int16Array.from({ length: TRIAL_RATE_HZ }, (_, i) =>
    Math.round(TRIAL_LEVEL * Math.sin((2 * Math.PI * TRIAL_HZ * i) / TRIAL_RATE_HZ)),
  )
  yield { pcm, rateHz: TRIAL_RATE_HZ }
}

const realClock: Clock = {
  now: monotonicMs,
  async sleep(ms, signal) {
    await sleepMs(ms, undefined, { signal, ref: false }).catch(() => {})
  },
}
