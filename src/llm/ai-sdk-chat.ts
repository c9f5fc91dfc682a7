// LLM client for the AI SDK's providers: Anthropic, Google and others, each with its own protocol.
import { AppError } from '../base/errors/errors.ts'
import { LruCache } from '../base/lru-cache.ts'
import type { LlmPart, ToolCall } from '../voice/ports.ts'
import {
  type CallOptions,
  callSettings,
  callTools,
  type LanguageModel,
  type Metadata,
  promptOf,
  type ReasoningPart,
  type Remembered,
  type StreamPart,
} from './ai-sdk-model.ts'
import type { LanguageProvider } from './ai-sdk-providers.ts'
import { parsedArguments, reasoningFilter } from './chat-chunks.ts'
import {
  answerCheck,
  type ChatClient,
  type ChatRequest,
  type ChatSettings,
  chatClient,
  failing,
} from './model-answer.ts'
import {
  errorCode,
  late,
  type ModelServer,
  type ModelTimeouts,
  modelTimeouts,
  modelTrouble,
  refusal,
} from './model-http.ts'

const MAX_CALLS = 64
const MAX_REMEMBERED = 1000 // replies with calls, over all conversations
const MAX_DRAIN_MS = 500

export function aiSdkChat(provider: LanguageProvider, settings: ChatSettings): ChatClient {
  const server: ModelServer = { title: 'The language model', ...settings }
  const timeouts = { ...modelTimeouts, ...settings.timeouts }
  const remembered = new LruCache<string, Remembered>(MAX_REMEMBERED)
  const keep = (callId: string, kept: Remembered) => remembered.set(callId, kept)
  const ask = (request: ChatRequest, signal: AbortSignal) => {
    const { history, tools, mayCallTools, wireName, model, given, maySayNothing } = request
    const asked = {
      prompt: promptOf(history, wireName, (callId) => remembered.get(callId)),
      ...callSettings(given, settings.maxTokens),
      ...callTools(tools, wireName, mayCallTools),
    }
    const answer = streamed(provider.languageModel(model), asked, { server, timeouts }, signal)
    return parts(server, answer, maySayNothing, keep)
  }
  return chatClient(settings, ask, () => provider.close())
}

/** Yields the text of a reply as it arrives, its calls when it is complete, and no reasoning. */
async function* parts(
  server: ModelServer,
  answer: AsyncIterable<StreamPart>,
  maySayNothing: boolean,
  keep: (callId: string, kept: Remembered) => void,
): AsyncGenerator<LlmPart> {
  const fail = failing(server.title)
  const check = answerCheck(server.title, maySayNothing)
  const spoken = reasoningFilter()
  const calls: (ToolCall & { isJson: boolean })[] = []
  const ofCall = new Map<string, Metadata>()
  const reasoning = new Map<unknown, ReasoningPart>()
  let reason: unknown
  for await (const part of answer) {
    const { type, delta, providerMetadata } = part
    if (type === 'text-delta' && typeof delta === 'string') yield* check.say(spoken(delta))
    else if (type.startsWith('reasoning-')) think(reasoning, part)
    else if (type === 'tool-call' && part.providerExecuted !== true) {
      if (calls.length === MAX_CALLS) throw fail('service_nonsense')
      const id = String(part.toolCallId)
      calls.push({ id, name: String(part.toolName), ...parsedArguments(String(part.input ?? '')) })
      if (providerMetadata) ofCall.set(id, providerMetadata)
    } else if (type === 'error')
      throw statusError(server, part.error) ?? fail('service_failed_half_way', new Error(errorCode(part.error)))
    else if (type === 'finish') reason = finishOf(part)
  }
  const first = calls[0]
  if (first && (ofCall.size > 0 || reasoning.size > 0)) keep(first.id, { reasoning: [...reasoning.values()], ofCall })
  const isFinished = reason !== undefined && reason !== 'interrupted' && reason !== 'error'
  yield* check.end(calls, { isFinished, isCut: reason === 'length' })
}

function think(thoughts: Map<unknown, ReasoningPart>, { id, delta, providerMetadata }: StreamPart): void {
  const known = thoughts.get(id) ?? { type: 'reasoning' as const, text: '' }
  const text = typeof delta === 'string' ? known.text + delta : known.text
  thoughts.set(id, { ...known, text, ...(providerMetadata ? { providerOptions: providerMetadata } : {}) })
}

const finishOf = ({ finishReason }: StreamPart): unknown =>
  typeof finishReason === 'object' && finishReason !== null
    ? (finishReason as { unified?: unknown }).unified
    : finishReason

type Bounds = { server: ModelServer; timeouts: ModelTimeouts }

/** Parts without content. */
const preludes = new Set(['stream-start', 'response-metadata', 'ping', 'raw'])

/** The parts of a reply up to `finish`. Stops at once on abort, even if the provider ignores the signal. */
async function* streamed(
  model: LanguageModel,
  asked: Omit<CallOptions, 'abortSignal'>,
  { server, timeouts: { firstByteMs, idleMs } }: Bounds,
  signal: AbortSignal,
): AsyncGenerator<StreamPart> {
  const stop = new AbortController()
  const stopped = Promise.withResolvers<never>()
  stopped.promise.catch(() => {})
  const end = (error: unknown) => {
    stopped.reject(error)
    stop.abort()
  }
  const leave = () => end(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  let timer: NodeJS.Timeout | undefined
  const expectWithin = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => end(late(server)), ms)
  }
  let reader: ReadableStreamDefaultReader<StreamPart> | undefined
  let isWhole = false
  try {
    expectWithin(firstByteMs)
    const options = { ...asked, abortSignal: stop.signal } as CallOptions
    const { stream } = await Promise.race([stopped.promise, model.doStream(options)])
    reader = stream.getReader()
    for (;;) {
      const next = await Promise.race([stopped.promise, reader.read()])
      if (next.done) break
      if (preludes.has(next.value.type)) continue
      clearTimeout(timer) // time spent by the consumer does not count against the server
      yield next.value
      if (next.value.type === 'finish') break
      expectWithin(idleMs)
    }
    isWhole = true
  } catch (error) {
    throw troubleOf(server, error)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
    if (isWhole && reader) letEnd(reader, stop)
    else stop.abort()
  }
}

/** The reply is complete: the rest is drained in the background, so that the connection can be reused. */
function letEnd(reader: ReadableStreamDefaultReader<StreamPart>, stop: AbortController): void {
  const timer = setTimeout(() => stop.abort(), MAX_DRAIN_MS).unref()
  const rest = async () => {
    while (!(await reader.read()).done);
  }
  rest()
    .catch(() => {})
    .finally(() => clearTimeout(timer))
}

function troubleOf(server: ModelServer, error: unknown): Error {
  if (error instanceof AppError) return error
  const beneath = networkError(error)
  if (beneath) return modelTrouble(server, beneath)
  const { name = 'unknown' } = (error ?? {}) as { name?: string }
  return statusError(server, error) ?? failing(server.title)('service_nonsense', new Error(name))
}

/** Keeps only status and code of a package's error: the rest repeats the conversation and the server's text. */
function statusError(server: ModelServer, error: unknown): Error | undefined {
  const { statusCode, responseHeaders, responseBody, data } = (error ?? {}) as {
    statusCode?: unknown
    responseHeaders?: Record<string, string>
    responseBody?: unknown
    data?: { error?: unknown }
  }
  if (typeof statusCode !== 'number' || statusCode < 400) return undefined
  if (typeof responseBody === 'string') server.onRefusal?.(statusCode, responseBody)
  return refusal(server, statusCode, responseHeaders?.['retry-after'], errorCode(data?.error))
}

/** The connection error that the package wrapped. */
function networkError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth === 5) return undefined
  if (error instanceof AppError) return error
  if (typeof (error as { code?: unknown }).code === 'string') return error
  return networkError(error.cause, depth + 1)
}
