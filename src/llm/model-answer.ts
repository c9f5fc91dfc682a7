// Checks on every model reply, whatever the protocol: it ends, it is not empty, and it is retried once, only while
// nothing was yielded.
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../base/time/clock.ts'
import type { LlmPart, ToolCall } from '../voice/ports.ts'
import { ModelError } from './model-http.ts'

const RETRY_WITHIN_MS = 1_000 // a retry is worthwhile while nobody has noticed the first attempt
const MAX_WORDS = 32_000 // characters of one reply: the size limit of a message

/** Ends without an error on abort. */
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

/** The delay before a retry; null if a retry is not worthwhile. */
function worthWaiting(error: unknown, passedMs: number): number | null {
  if (!(error instanceof ModelError) || passedMs > RETRY_WITHIN_MS) return null
  const { isTransient: isPassing, retryAfterMs } = error
  if (retryAfterMs !== null) return passedMs + retryAfterMs <= RETRY_WITHIN_MS ? retryAfterMs : null
  return isPassing ? 0 : null
}

/** The codes that name the service and nothing else. */
type AnswerFault =
  | 'service_nonsense'
  | 'service_failed_half_way'
  | 'service_endless'
  | 'service_no_answer'
  | 'service_cut_tool_call'
  | 'service_not_stream'

export type Fail = (code: AnswerFault, cause?: unknown) => ModelError

export const failing =
  (title: string): Fail =>
  (code, cause) =>
    new ModelError(code, { service: title }, { cause })

/** Counts the words of a reply and decides at its end whether it was valid. */
export function answerCheck(title: string, maySayNothing: boolean) {
  const fail = failing(title)
  let length = 0
  return {
    *say(say: string): Generator<LlmPart> {
      length += say.length
      if (length > MAX_WORDS) throw fail('service_endless')
      if (say !== '') yield { say }
    },
    /** Calls are yielded only when the reply is complete: a partial one must not be executed. */
    *end(
      calls: readonly (ToolCall & { isJson: boolean })[],
      { isFinished, isCut }: { isFinished: boolean; isCut: boolean },
    ): Generator<LlmPart> {
      if (!isFinished) throw new ModelError('service_broke_off', { service: title }, { isPassing: true })
      if (length === 0 && calls.length === 0 && !maySayNothing) throw fail('service_no_answer')
      for (const { isJson, ...call } of calls) {
        if (isCut && !isJson) throw fail('service_cut_tool_call')
        yield { call }
      }
    },
  }
}

/** The model to call: the agent's choice, if it is allowed. */
export const modelOf = ({ model, models }: { model: string; models?: readonly string[] }, asked: unknown): string =>
  typeof asked === 'string' && asked !== '' && (models?.includes(asked) ?? true) ? asked : model
