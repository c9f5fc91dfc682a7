// Two LLMs as one: when the first fails or is silent for too long, the second replies, once per turn.
import { waitAtMost } from '../base/abort.ts'
import { AppError } from '../base/errors.ts'
import type { Llm, LlmPart } from '../voice/ports.ts'

export type FallbackOptions = {
  /** Timeout of the first model for its first word or call. */
  firstWordMs?: number
  /** Called when the second model takes over, with the failure of the first. */
  onFallback?: (error: unknown) => void
}

const FIRST_WORD_MS = 5_000

/** After the first word there is no fallback: a failure then fails the reply. */
export function withFallback(first: Llm, second: Llm, options: FallbackOptions = {}): Llm {
  const { firstWordMs = FIRST_WORD_MS, onFallback } = options
  return {
    name: first.name,
    isModel: first.isModel,

    async *reply(history, tools, replyOptions, signal) {
      const stop = new AbortController()
      const leave = () => stop.abort()
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      const answer = first.reply(history, tools, replyOptions, stop.signal)[Symbol.asyncIterator]()
      try {
        const begun = await beginning(first.name, answer, firstWordMs, stop)
        if (begun.parts) {
          yield* begun.parts
          for (let next = await answer.next(); !next.done; next = await answer.next()) yield next.value
          return
        }
        if (signal.aborted) return
        onFallback?.(begun.error)
      } finally {
        signal.removeEventListener('abort', leave)
        stop.abort()
        // Not awaited: a model that ignores its signal must not delay the other.
        answer.return?.().catch(() => {})
      }
      yield* second.reply(history, tools, replyOptions, signal)
    },
  }
}

type Beginning = { parts: LlmPart[]; error?: undefined } | { parts?: undefined; error: unknown }

/** The output up to the first word or call, or up to an end without one; otherwise the reason why there was none. */
async function beginning(
  name: string,
  answer: AsyncIterator<LlmPart>,
  withinMs: number,
  stop: AbortController,
): Promise<Beginning> {
  async function read(): Promise<Beginning> {
    const parts: LlmPart[] = []
    try {
      for (;;) {
        const next = await answer.next()
        if (next.done) return { parts }
        parts.push(next.value)
        if ('call' in next.value || next.value.say.trim() !== '') return { parts }
      }
    } catch (error) {
      return { error }
    }
  }
  const start = await waitAtMost(withinMs, read())
  if (start) return start
  stop.abort()
  return { error: new AppError('upstream_timeout', `${name} was silent for too long`) }
}
