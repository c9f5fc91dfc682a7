// Recognizers in a chain: the utterance is kept, and what one link does not recognize in time, the next does. Nothing is lost.

import { CANCELLED } from '../base/concurrency/abort.ts'
import { appError } from '../base/errors/errors.ts'
import type { Audio, Clock, Stt, SttOptions, Transcript } from '../voice/ports.ts'
import { chainClock, waiter } from './chain-clock.ts'
import { isEmbedded, reportFailure } from './chain-links.ts'
import { reasonOf } from './failure-reason.ts'
import { keptAudio } from './kept-audio.ts'
import type { Breaker, Breakers, ChainLink, ChainParts, FailureReason, Trial } from './ports.ts'
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
type Chain = { links: readonly Link[]; breakers: Breakers; clock: Clock }

export function sttChain({ links, breakers, onEvent, clock = chainClock }: ChainParts<Stt>): Stt {
  const chain: Chain = { links, breakers, clock }
  const report = servingReport({ kind: 'stt', links, onEvent })
  const isDown = (link: Link) => !isEmbedded(link) && breakers.healthOf('stt', link.id).state === 'down'
  /** The link that the next utterance goes to. */
  const current = (): Stt => (links.find((link) => !isDown(link)) ?? (links.at(-1) as Link)).engine

  return {
    get name() {
      return current().name
    },
    get isEmbedded() {
      return current().isEmbedded ?? false
    },
    get isLive() {
      return current().isLive ?? false
    },
    transcribe: (audio, options, signal) =>
      recognize(chain, { kept: keptAudio(audio, () => clock.now(), signal), options, signal }, report.served),
  }
}

/** Yields partial transcripts of the link that was asked first, and the first final transcript of any link. */
async function* recognize(
  chain: Chain,
  hearing: Hearing,
  onServed: (at: number, reason: FailureReason) => void,
): AsyncGenerator<Transcript> {
  const { clock } = chain
  const { kept, signal } = hearing
  const wait = waiter(clock, signal)
  const partials: Transcript[] = []
  let running: Running[] = []
  let failure: Failure | null = null
  const onPartial = (from: Running, transcript: Transcript) => {
    if (from !== running[0]) return
    partials.push(transcript)
    wait.wake()
  }
  const starts = starter(chain, hearing, { onPartial, onEnded: wait.wake })
  const hedgeAt = (): number => {
    const [only] = running
    if (running.length !== 1 || !only || !starts.hasMore() || kept.endedAt === undefined) return Infinity
    return isEmbedded(only.link) ? Infinity : Math.max(only.startedAt, kept.endedAt) + hedgeMs(chain, only.link)
  }
  /** A link that has ended without a transcript makes room for the next. */
  const dropEnded = () => {
    for (const { outcome } of running) failure = failureOf(outcome) ?? failure
    running = running.filter(({ outcome }) => outcome === undefined)
  }
  void kept.ended.then(wait.wake)
  try {
    for (;;) {
      yield* partials.splice(0)
      if (signal.aborted) return
      if (kept.failure) throw kept.failure.error
      const winner = running.find(({ outcome }) => outcome && 'transcript' in outcome)
      if (winner?.outcome && 'transcript' in winner.outcome) {
        // A slower vendor runs to its end: only then is it known whether it is slow or dead.
        running = running.filter((each) => each !== winner && isEmbedded(each.link))
        onServed(winner.at, (failure as Failure | null)?.reason ?? starts.skipped() ?? 'timeout')
        yield winner.outcome.transcript
        return
      }
      dropEnded()
      const isHedge = clock.now() >= hedgeAt()
      if (running.length === 0 || isHedge) {
        const one = starts.start(isHedge)
        if (one) running.push(one)
        else if (running.length === 0) throw (failure as Failure | null)?.error ?? noText(chain.links[0] as Link)
        if (one || !isHedge) continue
      }
      await wait.until(isHedge ? Infinity : hedgeAt())
    }
  } finally {
    wait.close()
    for (const { stop } of running) stop.abort(CANCELLED)
  }
}

function hedgeMs({ breakers }: Chain, { id }: Link): number {
  const { firstMs } = breakers.healthOf('stt', id)
  return Math.min(MAX_HEDGE_MS, Math.max(HEDGE_MS, MEDIANS * (firstMs ?? 0)))
}

const failureOf = (outcome: HearingOutcome | undefined): Failure | null =>
  outcome && 'error' in outcome ? { reason: reasonOf(outcome.error, outcome.hasStarted), error: outcome.error } : null

type StarterEvents = { onPartial: (from: Running, transcript: Transcript) => void; onEnded: () => void }

/** Starts links one after another; each reports to its breaker when it ends, also if another was quicker. */
function starter({ links, breakers, clock }: Chain, hearing: Hearing, { onPartial, onEnded }: StarterEvents) {
  let next = 0
  let skipped: FailureReason | null = null

  async function run(one: Running, breaker: Breaker | null): Promise<void> {
    const signal = AbortSignal.any([hearing.signal, one.stop.signal])
    const transcripts = attempts(one.link, { ...hearing, signal }, clock)
    let result = await transcripts.next()
    for (; !result.done; result = await transcripts.next()) onPartial(one, result.value)
    one.outcome = hearing.kept.failure ? null : result.value
    if (breaker) settle(one, breaker)
    onEnded()
  }

  function settle({ link, outcome }: Running, breaker: Breaker): void {
    const failure = failureOf(outcome)
    if (outcome && 'transcript' in outcome) breaker.succeeded(outcome.afterMs)
    else if (failure) reportFailure(breaker, failure.error, failure.reason, trialOf(link, hearing.options, clock))
    else breaker.abandoned()
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
          skipped ??= breakers.healthOf('stt', link.id).reason ?? 'unreachable'
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

const noText = ({ name }: Link) => appError('service_no_text', { service: name })

const TRIAL_RATE_HZ = 16_000
const TRIAL_HZ = 220
const TRIAL_LEVEL = 800

/** A second of a faint tone: no caller's audio is sent to find out whether a provider is back. */
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
