// A chain of language models as one: a link that fails, is silent or breaks off is replaced within the turn, and an answer that has
// begun is continued by the next link instead of repeated.

import { EMBEDDED_ID } from '../base/domain/provider-kinds.ts'
import { appError } from '../base/errors/errors.ts'
import type { Llm, LlmPart } from '../voice/ports.ts'
import { type Attempt, type LlmRequest, startAttempt } from './answer-attempt.ts'
import { alarm, type ChainClock, chainClock } from './chain-clock.ts'
import { continuing, wholeWords, withoutRepeating } from './continuation.ts'
import { isProviderFault, reasonOf } from './failure-reason.ts'
import { MS_PER_LETTER, modelTrial } from './model-trial.ts'
import type { ChainLink, ChainParts, FailureReason } from './ports.ts'
import { servingReport } from './serving.ts'

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

const interactivePatience: LlmPatience = {
  firstTokenMs: 2_500,
  lastFirstTokenMs: 6_000,
  hedgeMs: 1_200,
  idleMs: 2_000,
  lagMs: 2_500,
}
/** Nobody waits for the answer. */
export const backgroundPatience: LlmPatience = {
  firstTokenMs: 90_000,
  lastFirstTokenMs: 90_000,
  hedgeMs: null,
  idleMs: 60_000,
  lagMs: Number.POSITIVE_INFINITY,
}

/** A model that is always slow gets this many times its median. */
const MEDIANS = 3
const MAX_FIRST_TOKEN_MS = 10_000
/** A link that has failed in this call, or was slower than the next, comes last for this long. */
const DEMOTED_MS = 30_000

export type LlmChainParts = ChainParts<Llm> & { patience?: LlmPatience; clock?: ChainClock }

type Link = ChainLink<Llm>
const isEmbedded = ({ id }: Link) => id === EMBEDDED_ID

/** Of one call, or of one piece of work. */
export function llmChain(parts: LlmChainParts): Llm {
  const { links, breakers, patience = interactivePatience, clock = chainClock } = parts
  const first = links[0] as Link
  const report = servingReport({ kind: 'llm', links, onEvent: parts.onEvent })
  let lastServed = first
  /** Why a link was left last. */
  let lastReason: FailureReason | null = null
  const demotedUntil = new Map<Link, number>()
  const isDemoted = (link: Link) => !isEmbedded(link) && clock.now() < (demotedUntil.get(link) ?? 0)
  const demote = (link: Link) => void demotedUntil.set(link, clock.now() + DEMOTED_MS)

  /** A failure of the request itself, such as a model that was removed, says nothing about the provider. */
  function failed({ link, breaker, firstAt }: Attempt, error: unknown): void {
    const why = reasonOf(error, firstAt !== null)
    lastReason = why
    demote(link)
    if (isProviderFault(error))
      breaker.failed(
        why,
        isEmbedded(link) ? undefined : modelTrial(link.uncounted ?? link.engine, patience.lagMs, clock),
      )
    else breaker.abandoned()
  }

  /** In order; those that have failed in this call come after the others, the embedded one last. */
  const inOrder = () => [
    ...links.filter((link) => !isEmbedded(link) && !isDemoted(link)),
    ...links.filter(isDemoted),
    ...links.filter(isEmbedded),
  ]

  function firstTokenMs({ id }: Link, isLastModel: boolean): number {
    const { firstMs } = breakers.healthOf('llm', id)
    const { firstTokenMs: usualMs, lastFirstTokenMs } = patience
    const basicMs = isLastModel && firstMs === null ? lastFirstTokenMs : usualMs
    return Math.max(basicMs, Math.min(MEDIANS * (firstMs ?? 0), MAX_FIRST_TOKEN_MS))
  }

  /** Starts links one after another. Those whose breaker is open are skipped, unless nothing else is left. */
  function starter(notify: () => void) {
    const left = inOrder()
    const skipped: Link[] = []
    function next(isHedge: boolean): Link | undefined {
      for (let link = left[0]; link; link = left[0]) {
        if (isHedge && isEmbedded(link)) return undefined
        left.shift()
        if (isEmbedded(link) || breakers.of('llm', link).admits()) return link
        skipped.push(link)
        lastReason = breakers.healthOf('llm', link.id).reason ?? lastReason
      }
      return isHedge ? undefined : skipped.shift()
    }
    return {
      hasMore: () => left.length > 0,
      hasMoreModels: () => left.some((link) => !isEmbedded(link)),
      hasUsableModel: () =>
        left.some((link) => !isEmbedded(link) && breakers.healthOf('llm', link.id).state !== 'down'),
      start(request: (link: Link) => LlmRequest, isHedge: boolean): Attempt | undefined {
        const link = next(isHedge)
        return link && startAttempt({ link, breaker: breakers.of('llm', link), clock, notify }, request(link))
      },
    }
  }

  /** A loser is left to run until its time-out: only then is it known whether it is slow or dead. */
  function loseTo(winner: Attempt, loser: Attempt, limitMs: number): void {
    lastReason = 'timeout'
    if (links.indexOf(loser.link) < links.indexOf(winner.link)) demote(loser.link)
    const leftMs = Math.max(0, loser.startedAt + limitMs - clock.now())
    void clock.sleep(leftMs, loser.stop.signal).then(() => {
      const { firstAt, state } = loser
      const isQuick = firstAt !== null && clock.now() - firstAt <= loser.letters * MS_PER_LETTER
      if (firstAt !== null && (state === 'done' || isQuick)) loser.breaker.succeeded(firstAt - loser.startedAt)
      else if (firstAt !== null || state === 'done') loser.breaker.abandoned()
      else failed(loser, loser.state === 'failed' ? loser.error : silent(loser))
      loser.stop.abort()
    })
  }

  async function* reply(request: LlmRequest, signal: AbortSignal): AsyncGenerator<LlmPart> {
    let wake = () => {}
    const changed = () =>
      new Promise<void>((resolve) => {
        wake = resolve
      })
    const notify = () => wake()
    const timer = alarm(clock, notify)
    const starts = starter(notify)
    let running: Attempt[] = []
    let said = ''
    let lastError: unknown

    const drop = (attempt: Attempt, error: unknown) => {
      running = running.filter((each) => each !== attempt)
      attempt.stop.abort()
      lastError = error
      failed(attempt, error)
    }
    const deadlineOf = (attempt: Attempt): number => {
      if (!starts.hasMore() && running.length === 1) return Number.POSITIVE_INFINITY // its client has time-outs of its own
      return attempt.startedAt + firstTokenMs(attempt.link, !starts.hasMoreModels())
    }
    const hedgeAt = (): number => {
      const [only] = running
      const { hedgeMs } = patience
      if (hedgeMs === null || running.length !== 1 || !only || !starts.hasMoreModels()) return Number.POSITIVE_INFINITY
      const { state, reason } = breakers.healthOf('llm', only.link.id)
      // Another call has just waited for it in vain: both are asked at once.
      return only.startedAt + (state === 'failing' && reason === 'timeout' ? 0 : hedgeMs)
    }
    const requestFor = ({ engine }: Link): LlmRequest =>
      said === '' || !engine.isModel ? request : { ...request, history: continuing(request.history, said) }

    /** Whoever speaks first; undefined when nobody is left. */
    async function firstToSpeak(): Promise<Attempt | undefined> {
      while (!signal.aborted) {
        const speaking = running.find(({ firstAt, state }) => firstAt !== null || state === 'done')
        if (speaking) return speaking
        for (const attempt of running)
          if (attempt.state === 'failed') drop(attempt, attempt.error)
          else if (clock.now() >= deadlineOf(attempt)) drop(attempt, silent(attempt))
        const isHedge = clock.now() >= hedgeAt()
        if (running.length === 0 || isHedge) {
          const attempt = starts.start(requestFor, isHedge)
          if (attempt) running.push(attempt)
          else if (running.length === 0) return undefined
          continue
        }
        timer.set(Math.min(hedgeAt(), ...running.map(deadlineOf)))
        await changed()
      }
      return undefined
    }

    /** Passes an answer on; ends with what went wrong, if anything did. */
    async function* relay(attempt: Attempt): AsyncGenerator<LlmPart, unknown> {
      const words = starts.hasMore() ? wholeWords() : unchanged
      const joined = said === '' ? unchanged : attempt.link.engine.isModel ? withoutRepeating(said) : afterBreak(said)
      const give = (text: string): LlmPart[] => {
        said += text
        return text === '' ? [] : [{ say: text }]
      }
      const dueAt = (): number => {
        if (!starts.hasMore()) return Number.POSITIVE_INFINITY
        const idleAt = attempt.lastAt + patience.idleMs
        if (attempt.firstAt === null || !starts.hasUsableModel()) return idleAt
        return Math.min(idleAt, attempt.firstAt + attempt.letters * MS_PER_LETTER + patience.lagMs)
      }
      while (!signal.aborted) {
        const text = attempt.take()
        if (text !== undefined) yield* give(words.push(joined.push(text)))
        else if (attempt.state === 'failed') return attempt.error
        else if (attempt.state === 'done') {
          yield* give(words.push(joined.rest()) + words.rest())
          if (attempt.endsCall) yield { say: '', endsCall: attempt.endsCall }
          for (const call of attempt.calls) yield { call }
          return undefined
        } else if (clock.now() >= dueAt()) {
          const isIdle = clock.now() - attempt.lastAt >= patience.idleMs
          return isIdle ? appError('service_broke_off', { service: attempt.link.engine.name }) : silent(attempt)
        } else {
          timer.set(dueAt())
          await changed()
        }
      }
      return undefined
    }

    signal.addEventListener('abort', notify, { once: true })
    try {
      for (;;) {
        const lead = await firstToSpeak()
        if (signal.aborted) return
        if (!lead) throw lastError ?? appError('service_no_answer', { service: first.engine.name })
        for (const loser of running) if (loser !== lead) loseTo(lead, loser, firstTokenMs(loser.link, false))
        running = [lead]
        lastServed = lead.link
        report.served(links.indexOf(lead.link), lastReason)
        const error = yield* relay(lead)
        if (signal.aborted) return
        if (error === undefined) {
          running = []
          return lead.breaker.succeeded((lead.firstAt ?? lead.lastAt) - lead.startedAt)
        }
        drop(lead, error)
      }
    } finally {
      signal.removeEventListener('abort', notify)
      timer.close()
      for (const { stop, breaker } of running) {
        stop.abort()
        breaker.abandoned()
      }
    }
  }

  return {
    /** Of the model that replied last. */
    get name() {
      return lastServed.engine.name
    },
    isModel: first.engine.isModel,
    reply: (history, tools, options, signal) => reply({ history, tools, options }, signal),
  }
}

const silent = ({ link }: Attempt) => appError('service_silent', { service: link.engine.name })

const unchanged = { push: (text: string) => text, rest: () => '' }

/** The rules do not continue a sentence: they begin one, and what broke off is left open. */
function afterBreak(said: string) {
  let start = /[\p{L}\p{N},]\s*$/u.test(said) ? '…\n' : '\n'
  return {
    push(text: string): string {
      const joint = start
      start = ''
      return joint + text
    },
    rest: () => '',
  }
}
