// LLM client for OpenAI's chat-completions protocol: cloud providers, vLLM, Ollama, llama.cpp.
import { textOf } from '../base/outside/body.ts'
import { parsedOutside } from '../base/outside/json.ts'
import { limits } from '../base/outside/limits.ts'
import type { LlmPart } from '../voice/ports.ts'
import { type ChatChunk, callAssembler, reasoningFilter } from './chat-chunks.ts'
import { chatMessages, chatSettings, chatTools } from './chat-messages.ts'
import { EventTooLong, eventData } from './event-stream.ts'
import {
  answerCheck,
  type ChatClient,
  type ChatRequest,
  type ChatSettings,
  chatClient,
  type Fail,
  failing,
} from './model-answer.ts'
import { errorCode, type ModelAnswer, type ModelServer, modelHttp } from './model-http.ts'

export type OpenAiChatSettings = ChatSettings & {
  /** Base URL with its version, as OpenAI's own client takes it: https://api.openai.com/v1 */
  baseUrl: string
} & Pick<ModelServer, 'dispatcher'>

export function openAiChat(settings: OpenAiChatSettings): ChatClient {
  const server = {
    title: 'The language model',
    ...settings,
    baseUrl: settings.baseUrl.replace(/\/{1,9}$/, ''),
  }
  const http = modelHttp(server)
  const ask = (request: ChatRequest, signal: AbortSignal) => {
    const { history, tools, mayCallTools, wireName, model, given, maySayNothing } = request
    const body = {
      model,
      messages: chatMessages(history, wireName),
      stream: true,
      ...chatSettings(given, settings.maxTokens),
      ...(tools.length > 0 && { tools: chatTools(tools, wireName), ...(!mayCallTools && { tool_choice: 'none' }) }),
    }
    return http.post('/chat/completions', body, (answer) => parts(server, answer, maySayNothing), signal)
  }
  return chatClient(settings, ask, () => http.close())
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
