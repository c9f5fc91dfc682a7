// A chain of language models as one: a link that fails, is silent or breaks off is replaced within the turn, and an answer that has
// begun is continued by the next link instead of repeated.

import { appError } from '../base/errors/errors.ts'
import type { Llm, LlmPart } from '../voice/ports.ts'
import type { Attempt, LlmRequest } from './answer-attempt.ts'
import { chainClock, type Waiter, waiter } from './chain-clock.ts'
import { demotions } from './chain-links.ts'
import { continuing, wholeWords, withoutRepeating } from './continuation.ts'
import { type LlmChainState, type LlmPatience, type ModelRace, modelRace, silent } from './llm-race.ts'
import { MS_PER_LETTER } from './model-trial.ts'
import type { ChainLink, ChainParts } from './ports.ts'
import { servingReport } from './serving.ts'

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

export type LlmChainParts = ChainParts<Llm> & { patience?: LlmPatience }

/** Of one call, or of one piece of work. */
export function llmChain(parts: LlmChainParts): Llm {
  const { links, breakers, patience = interactivePatience, clock = chainClock, onEvent } = parts
  const first = links[0] as ChainLink<Llm>
  const report = servingReport({ kind: 'llm', links, onEvent })
  const chain: LlmChainState = {
    links,
    breakers,
    patience,
    clock,
    demotions: demotions(clock),
    lastServed: first,
    lastReason: null,
  }

  async function* reply(request: LlmRequest, signal: AbortSignal): AsyncGenerator<LlmPart> {
    const wait = waiter(clock, signal)
    const answer: Answer = { chain, wait, signal, said: '' }
    const requestFor = ({ engine }: ChainLink<Llm>): LlmRequest =>
      answer.said === '' || !engine.isModel
        ? request
        : { ...request, history: continuing(request.history, answer.said) }
    const race = modelRace(chain, requestFor, wait, signal)
    try {
      for (;;) {
        const lead = await race.firstToSpeak()
        if (signal.aborted) return
        if (!lead) throw race.lastError() ?? appError('service_no_answer', { service: first.engine.name })
        chain.lastServed = lead.link
        report.served(links.indexOf(lead.link), chain.lastReason)
        const error = yield* relay(answer, lead, race)
        if (signal.aborted) return
        if (error === undefined) return race.succeeded(lead)
        race.drop(lead, error)
      }
    } finally {
      wait.close()
      race.stop()
    }
  }

  return {
    /** Of the model that replied last. */
    get name() {
      return chain.lastServed.engine.name
    },
    isModel: first.engine.isModel,
    reply: (history, tools, options, signal) => reply({ history, tools, options }, signal),
  }
}

/** A reply on its way to the caller; `said` includes the words of links that broke off. */
type Answer = { chain: LlmChainState; wait: Waiter; signal: AbortSignal; said: string }

/** Passes a link's words on; ends with what went wrong, if anything did. */
async function* relay(answer: Answer, attempt: Attempt, race: ModelRace): AsyncGenerator<LlmPart, unknown> {
  const { wait, signal } = answer
  const { clock, patience } = answer.chain
  const { engine } = attempt.link
  const words = race.hasMore() ? wholeWords() : unchanged
  const joined =
    answer.said === '' ? unchanged : engine.isModel ? withoutRepeating(answer.said) : afterBreak(answer.said)
  const give = (text: string): LlmPart[] => {
    answer.said += text
    return text === '' ? [] : [{ say: text }]
  }
  const dueAt = (): number => {
    if (!race.hasMore()) return Number.POSITIVE_INFINITY
    const idleAt = attempt.lastAt + patience.idleMs
    if (attempt.firstAt === null || !race.hasUsableModel()) return idleAt
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
      return isIdle ? appError('service_broke_off', { service: engine.name }) : silent(attempt)
    } else await wait.until(dueAt())
  }
  return undefined
}

const unchanged = { push: (text: string) => text, rest: () => '' }

/** The rules start a sentence of their own instead of continuing one, so the unfinished one is left open. */
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
