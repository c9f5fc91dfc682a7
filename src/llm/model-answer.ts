// What every model's answer is held to, whatever protocol it came by: it comes to an end, it says something, and it is begun
// once more only while nothing of it was passed on.
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../base/clock.ts'
import type { LlmPart, ToolCall } from '../voice/ports.ts'
import { ModelError } from './model-http.ts'

const RETRY_WITHIN_MS = 1_000 // a second try is worth it while nobody has noticed the first
const MAX_WORDS = 32_000 // characters of one answer: as much as a message holds

/** Ends quietly when the signal fires. */
export async function* twice(once: () => AsyncIterable<LlmPart>, signal: AbortSignal): AsyncGenerator<LlmPart> {
  const began = monotonicMs()
  for (let attempt = 1; !signal.aborted; attempt++) {
    let isPassedOn = false
    try {
      for await (const part of once()) {
        if (signal.aborted) return
        isPassedOn = true
        yield part
      }
      return
    } catch (error) {
      if (signal.aborted) return
      const waitMs = isPassedOn || attempt === 2 ? null : worthWaiting(error, monotonicMs() - began)
      if (waitMs === null) throw error
      await sleep(waitMs, undefined, { signal }).catch(() => {})
    }
  }
}

/** How long to wait before a second try; null where it is not worth one. */
function worthWaiting(error: unknown, passedMs: number): number | null {
  if (!(error instanceof ModelError) || passedMs > RETRY_WITHIN_MS) return null
  const { isTransient: isPassing, retryAfterMs } = error
  if (retryAfterMs !== null) return passedMs + retryAfterMs <= RETRY_WITHIN_MS ? retryAfterMs : null
  return isPassing ? 0 : null
}

export type Fail = (what: string, cause?: unknown) => ModelError

export const failing =
  (title: string): Fail =>
  (what, cause) =>
    new ModelError('upstream', `${title} ${what}`, { cause })

/** Counts the words of one answer and says at its end whether it was one. */
export function answerCheck(title: string, maySayNothing: boolean) {
  const fail = failing(title)
  let length = 0
  return {
    *say(say: string): Generator<LlmPart> {
      length += say.length
      if (length > MAX_WORDS) throw fail('did not come to an end')
      if (say !== '') yield { say }
    },
    /** Calls are passed on only when the answer is whole: half of one must not be acted on. */
    *end(
      calls: readonly (ToolCall & { isJson: boolean })[],
      { isFinished, isCut }: { isFinished: boolean; isCut: boolean },
    ): Generator<LlmPart> {
      if (!isFinished) throw new ModelError('upstream', `${title} broke off half-way`, { isPassing: true })
      if (length === 0 && calls.length === 0 && !maySayNothing) throw fail('gave no answer')
      for (const { isJson, ...call } of calls) {
        if (isCut && !isJson) throw fail('was cut off in a tool call')
        yield { call }
      }
    },
  }
}

/** Which model is asked: what the agent chose, where it may. */
export const modelOf = ({ model, models }: { model: string; models?: readonly string[] }, asked: unknown): string =>
  typeof asked === 'string' && asked !== '' && (models?.includes(asked) ?? true) ? asked : model
