// What the chat clients of all protocols share. Every reply is checked: it must end and must not be empty. A failed one is retried once,
// while nothing was yielded.
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../base/time/clock.ts'
import type { Llm, LlmPart, Message, ReplyOptions, Tool, ToolCall } from '../voice/ports.ts'
import { wireNames } from './chat-messages.ts'
import { ModelError, type ModelServer, type ModelTimeouts } from './model-http.ts'

const RETRY_WITHIN_MS = 1_000 // later, the caller would notice the delay of a retry
const MAX_REPLY_LETTERS = 32_000 // the size limit of a message

export type ChatSettings = {
  apiKey: string | null
  /** Used if the agent names no model, or one that is not allowed. */
  model: string
  /** The models that an agent may choose; any if absent. */
  models?: readonly string[]
  /** The name in turn records; default: the model. */
  name?: string
  /** The token limit of one reply, whatever the agent requests. */
  maxTokens?: number
  timeouts?: Partial<ModelTimeouts>
} & Pick<ModelServer, 'onRefusal'>

export type ChatRequest = {
  history: readonly Message[]
  tools: readonly Tool[]
  mayCallTools: boolean
  wireName: (name: string) => string
  model: string
  /** The agent's `llmConfig`. */
  given: Readonly<Record<string, unknown>>
  maySayNothing: boolean
}

export type ChatClient = Llm & { close(): Promise<void> }

/** `ask` sends one request; tools have their wire names in its calls. */
export function chatClient(
  settings: ChatSettings,
  ask: (request: ChatRequest, signal: AbortSignal) => AsyncIterable<LlmPart>,
  close: () => Promise<void>,
): ChatClient {
  async function* once(
    history: readonly Message[],
    tools: readonly Tool[],
    { settings: given = {}, mayCallTools = true }: ReplyOptions,
    signal: AbortSignal,
  ): AsyncGenerator<LlmPart> {
    const names = wireNames(tools)
    const model = modelOf(settings, given.model)
    const maySayNothing = isAfterToolResult(history)
    const request = { history, tools, mayCallTools, wireName: names.wire, model, given, maySayNothing }
    for await (const part of ask(request, signal))
      yield 'call' in part ? { call: { ...part.call, name: names.own(part.call.name) } } : part
  }
  return {
    name: settings.name ?? settings.model,
    isModel: true,
    reply: (history, tools, options, signal) => twice(() => once(history, tools, options, signal), signal),
    close,
  }
}

/** After a tool result a model may have nothing to add; otherwise silence is a failure. */
export const isAfterToolResult = (history: readonly Message[]): boolean => history.at(-1)?.role === 'tool'

/** Ends without an error on abort. */
async function* twice(once: () => AsyncIterable<LlmPart>, signal: AbortSignal): AsyncGenerator<LlmPart> {
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
      if (length > MAX_REPLY_LETTERS) throw fail('service_endless')
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
const modelOf = ({ model, models }: ChatSettings, asked: unknown): string =>
  typeof asked === 'string' && asked !== '' && (models?.includes(asked) ?? true) ? asked : model
