// LLM client for OpenAI's chat-completions protocol: cloud providers, vLLM, Ollama, llama.cpp.
import { textOf } from '../base/outside/body.ts'
import { parsedOutside } from '../base/outside/json.ts'
import { limits } from '../base/outside/limits.ts'
import type { Llm, LlmPart, Message, ReplyOptions, Tool } from '../voice/ports.ts'
import { type ChatChunk, callAssembler, reasoningFilter } from './chat-chunks.ts'
import { chatMessages, chatSettings, chatTools, wireNames } from './chat-messages.ts'
import { EventTooLong, eventData } from './event-stream.ts'
import { answerCheck, type Fail, failing, modelOf, twice } from './model-answer.ts'
import { errorCode, type ModelAnswer, type ModelServer, type ModelTimeouts, modelHttp } from './model-http.ts'

export type OpenAiChatSettings = {
  /** Base URL with its version, as OpenAI's own client takes it: https://api.openai.com/v1 */
  baseUrl: string
  apiKey: string | null
  /** Used if the agent names no model, or one that is not allowed. */
  model: string
  /** The models that an agent may choose; any if absent. */
  models?: readonly string[]
  /** The name in turn records. */
  name?: string
  /** The token limit of one reply, whatever the agent requests. */
  maxTokens?: number
  timeouts?: Partial<ModelTimeouts>
} & Pick<ModelServer, 'dispatcher' | 'onRefusal'>

export function openAiChat(settings: OpenAiChatSettings): Llm & { close(): Promise<void> } {
  const server = {
    title: 'The language model',
    ...settings,
    baseUrl: settings.baseUrl.replace(/\/{1,9}$/, ''),
  }
  const http = modelHttp(server)

  async function* once(
    history: readonly Message[],
    tools: readonly Tool[],
    options: ReplyOptions,
    signal: AbortSignal,
  ) {
    const names = wireNames(tools)
    const given = options.settings ?? {}
    const body = {
      model: modelOf(settings, given.model),
      messages: chatMessages(history, names.wire),
      stream: true,
      ...chatSettings(given, settings.maxTokens),
      ...(tools.length > 0 ? { tools: chatTools(tools, names.wire) } : {}),
      ...(tools.length > 0 && options.mayCallTools === false ? { tool_choice: 'none' } : {}),
    }
    // After a tool result a model may have nothing to add; otherwise silence is a failure.
    const maySayNothing = history.at(-1)?.role === 'tool'
    for await (const part of http.post(
      '/chat/completions',
      body,
      (answer) => parts(server, answer, maySayNothing),
      signal,
    ))
      yield 'call' in part ? { call: { ...part.call, name: names.own(part.call.name) } } : part
  }

  return {
    name: settings.name ?? settings.model,
    isModel: true,

    reply: (history, tools, options, signal) => twice(() => once(history, tools, options, signal), signal),

    close: () => http.close(),
  }
}

async function* parts({ title }: ModelServer, answer: ModelAnswer, maySayNothing: boolean): AsyncGenerator<LlmPart> {
  const fail = failing(title)
  const check = answerCheck(title, maySayNothing)
  const spoken = reasoningFilter()
  const calls = callAssembler()
  let isFinished = false
  let isCut = false
  try {
    for await (const data of chunksOf(answer, fail)) {
      if (data === '[DONE]') {
        isFinished = true
        break
      }
      const chunk = chunkOf(data, fail)
      if (chunk.error) throw fail('service_failed_half_way', new Error(errorCode(chunk.error)))
      const choice = chunk.choices?.[0]
      const delta = choice?.delta ?? choice?.message
      calls.add(delta?.tool_calls)
      if (typeof delta?.content === 'string') yield* check.say(spoken(delta.content))
      if (typeof choice?.finish_reason === 'string') {
        isFinished = true
        isCut = choice.finish_reason === 'length'
      }
    }
  } catch (error) {
    if (error instanceof RangeError || error instanceof EventTooLong) throw fail('service_nonsense', error)
    throw error
  }
  yield* check.end(calls.whole(), { isFinished, isCut })
}

/** Events, or the single response of a server that does not stream although it was asked to. */
async function* chunksOf({ type, pieces }: ModelAnswer, fail: Fail): AsyncGenerator<string> {
  if (/^(text\/event-stream|$)/i.test(type)) return yield* eventData(pieces)
  if (!/^application\/json/i.test(type)) throw fail('service_not_stream')
  const text = await textOf(pieces, limits.modelEvent.bytes)
  if (Buffer.byteLength(text) > limits.modelEvent.bytes) throw fail('service_endless')
  yield text
}

function chunkOf(data: string, fail: Fail): ChatChunk {
  const chunk = parsedOutside(data, limits.modelEvent)
  if (typeof chunk === 'object' && chunk !== null) return chunk
  throw fail('service_nonsense')
}
