// Who answers a request: models are asked one after another, or the next one beside a silent one, and the first to speak wins.

import { type AppError, appError } from '../base/errors/errors.ts'
import type { Clock, Llm } from '../voice/ports.ts'
import { type Attempt, type LlmRequest, startAttempt } from './answer-attempt.ts'
import type { Waiter } from './chain-clock.ts'
import { candidates, type demotions, isEmbedded, reportFailure } from './chain-links.ts'
import { reasonOf } from './failure-reason.ts'
import { MS_PER_LETTER, modelTrial } from './model-trial.ts'
import type { Breakers, ChainLink, FailureReason } from './ports.ts'

export type LlmPatience = {
  /** To the first word, where another model is left. */
  firstTokenMs: number
  /** Where only the rules are left: a slow model is better than none. */
  lastFirstTokenMs: number
  /** The next link starts beside a silent one after this long; null: only when it has failed. */
  hedgeMs: number | null
  /** Silence within an answer. */
  idleMs: number
  /** How far an answer may fall behind its own playout, where another model can continue it. */
  lagMs: number
}

/** What the chain of a call keeps from one reply to the next. */
export type LlmChainState = {
  readonly links: readonly ChainLink<Llm>[]
  readonly breakers: Breakers
  readonly patience: LlmPatience
  readonly clock: Clock
  readonly demotions: ReturnType<typeof demotions>
  lastServed: ChainLink<Llm>
  /** Why a link was left last. */
  lastReason: FailureReason | null
}

/** A model that is always slow gets this many times its median. */
const MEDIANS = 3
const MAX_FIRST_TOKEN_MS = 10_000

export const silent = ({ link }: Attempt): AppError => appError('service_silent', { service: link.engine.name })

/** Those that have failed in this call come after the others, the embedded one last. */
const inOrder = ({ links, demotions: { isDemoted } }: LlmChainState) => [
  ...links.filter((link) => !isEmbedded(link) && !isDemoted(link)),
  ...links.filter(isDemoted),
  ...links.filter(isEmbedded),
]

function firstTokenMs({ breakers, patience }: LlmChainState, { id }: ChainLink<Llm>, isLastModel: boolean): number {
  const { firstMs } = breakers.healthOf('llm', id)
  const basicMs = isLastModel && firstMs === null ? patience.lastFirstTokenMs : patience.firstTokenMs
  return Math.max(basicMs, Math.min(MEDIANS * (firstMs ?? 0), MAX_FIRST_TOKEN_MS))
}

function failed(chain: LlmChainState, { link, breaker, firstAt }: Attempt, error: unknown): void {
  const reason = reasonOf(error, firstAt !== null)
  chain.lastReason = reason
  chain.demotions.demote(link)
  const trial = modelTrial(link.uncounted ?? link.engine, chain.patience.lagMs, chain.clock)
  reportFailure(breaker, error, reason, trial)
}

/** A loser runs on until its time-out: only then is it known whether it is slow or dead. */
function loseTo(chain: LlmChainState, winner: Attempt, loser: Attempt): void {
  const { links, clock } = chain
  chain.lastReason = 'timeout'
  if (links.indexOf(loser.link) < links.indexOf(winner.link)) chain.demotions.demote(loser.link)
  const leftMs = Math.max(0, loser.startedAt + firstTokenMs(chain, loser.link, false) - clock.now())
  void clock.sleep(leftMs, loser.stop.signal).then(() => {
    const { firstAt, state } = loser
    const isQuick = firstAt !== null && clock.now() - firstAt <= loser.letters * MS_PER_LETTER
    if (firstAt !== null && (state === 'done' || isQuick)) loser.breaker.succeeded(firstAt - loser.startedAt)
    else if (firstAt !== null || state === 'done') loser.breaker.abandoned()
    else failed(chain, loser, loser.state === 'failed' ? loser.error : silent(loser))
    loser.stop.abort()
  })
}

export type ModelRace = ReturnType<typeof modelRace>

export function modelRace(
  chain: LlmChainState,
  requestFor: (link: ChainLink<Llm>) => LlmRequest,
  wait: Waiter,
  signal: AbortSignal,
) {
  const { breakers, patience, clock } = chain
  let running: Attempt[] = []
  let lastError: unknown
  const { left, next } = candidates(inOrder(chain), (link) => {
    const isAdmitted = breakers.of('llm', link).admits()
    if (!isAdmitted) chain.lastReason = breakers.healthOf('llm', link.id).reason ?? chain.lastReason
    return isAdmitted
  })
  const hasMoreModels = () => left.some((link) => !isEmbedded(link))

  function start(isHedge: boolean): Attempt | undefined {
    const link = next(isHedge)
    return link && startAttempt({ link, breaker: breakers.of('llm', link), clock, notify: wait.wake }, requestFor(link))
  }
  function drop(attempt: Attempt, error: unknown): void {
    running = running.filter((each) => each !== attempt)
    attempt.stop.abort()
    lastError = error
    failed(chain, attempt, error)
  }
  function deadlineOf(attempt: Attempt): number {
    if (left.length === 0 && running.length === 1) return Number.POSITIVE_INFINITY // its client has time-outs of its own
    return attempt.startedAt + firstTokenMs(chain, attempt.link, !hasMoreModels())
  }
  function hedgeAt(): number {
    const [only] = running
    const { hedgeMs } = patience
    if (hedgeMs === null || running.length !== 1 || !only || !hasMoreModels()) return Number.POSITIVE_INFINITY
    const { state, reason } = breakers.healthOf('llm', only.link.id)
    // Another call has just waited for it in vain: both are asked at once.
    return only.startedAt + (state === 'failing' && reason === 'timeout' ? 0 : hedgeMs)
  }
  function dropSilentAndFailed(): void {
    for (const attempt of running)
      if (attempt.state === 'failed') drop(attempt, attempt.error)
      else if (clock.now() >= deadlineOf(attempt)) drop(attempt, silent(attempt))
  }

  return {
    /** Undefined when no link is left, and on the signal. */
    async firstToSpeak(): Promise<Attempt | undefined> {
      while (!signal.aborted) {
        const lead = running.find(({ firstAt, state }) => firstAt !== null || state === 'done')
        if (lead) {
          for (const loser of running) if (loser !== lead) loseTo(chain, lead, loser)
          running = [lead]
          return lead
        }
        dropSilentAndFailed()
        const isHedge = clock.now() >= hedgeAt()
        if (running.length === 0 || isHedge) {
          const attempt = start(isHedge)
          if (attempt) running.push(attempt)
          else if (running.length === 0) return undefined
          continue
        }
        await wait.until(Math.min(hedgeAt(), ...running.map(deadlineOf)))
      }
      return undefined
    },
    drop,
    lastError: () => lastError,
    hasMore: () => left.length > 0,
    hasUsableModel: () => left.some((link) => !isEmbedded(link) && breakers.healthOf('llm', link.id).state !== 'down'),
    succeeded({ breaker, firstAt, lastAt, startedAt }: Attempt): void {
      running = []
      breaker.succeeded((firstAt ?? lastAt) - startedAt)
    },
    stop(): void {
      for (const { stop, breaker } of running) {
        stop.abort()
        breaker.abandoned()
      }
    },
  }
}
