// The language-model interface of the AI SDK's provider packages: the part of versions 2, 3 and 4 that a conversation
// needs, and the conversion of history, tools and settings. Pure.
import type { Message, Tool } from '../voice/ports.ts'
import { type ChatMessage, chatMessages, chatSettings, chatTools } from './chat-messages.ts'

export type Metadata = Record<string, Record<string, unknown>>
type TextPart = { type: 'text'; text: string }
export type ReasoningPart = { type: 'reasoning'; text: string; providerOptions?: Metadata }
type CallPart = { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown; providerOptions?: Metadata }
type ResultPart = {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: { type: 'text'; value: string }
}
export type PromptMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: TextPart[] }
  | { role: 'assistant'; content: (TextPart | ReasoningPart | CallPart)[] }
  | { role: 'tool'; content: ResultPart[] }

export type CallOptions = {
  prompt: PromptMessage[]
  tools?: { type: 'function'; name: string; description: string; inputSchema: object }[]
  toolChoice?: { type: 'auto' | 'none' }
  abortSignal: AbortSignal
} & Record<string, unknown>

/** Only the fields that are read here; there are more kinds of parts and more fields. */
export type StreamPart = {
  type: string
  delta?: unknown
  id?: unknown
  toolCallId?: unknown
  toolName?: unknown
  input?: unknown
  providerExecuted?: unknown
  providerMetadata?: Metadata
  /** A string in version 2, { unified } since. */
  finishReason?: unknown
  error?: unknown
}

export type LanguageModel = {
  doStream(options: CallOptions): PromiseLike<{ stream: ReadableStream<StreamPart> }>
}

/** Returned to the model with its own calls: signatures and reasoning, without which some vendors refuse to continue. */
export type Remembered = { reasoning: readonly ReasoningPart[]; ofCall: ReadonlyMap<string, Metadata> }

/** Vendors allow letters, digits, _ and - in a call id; ids from other models may contain more. */
const idOf = (id: string) => id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64)

export function promptOf(
  history: readonly Message[],
  wireName: (name: string) => string,
  rememberedOf: (callId: string) => Remembered | undefined = () => undefined,
): PromptMessage[] {
  const messages = chatMessages(history, wireName)
  const names = new Map<string, string>()
  const prompt: PromptMessage[] = []
  const system = messages.findIndex(({ role }) => role !== 'system')
  for (const [i, message] of messages.entries()) {
    const isInstruction = system === -1 || i < system
    if (message.role === 'assistant') prompt.push(assistant(message, names, rememberedOf))
    else if (message.role === 'tool')
      addResult(prompt, message.tool_call_id, names.get(message.tool_call_id) ?? 'tool', message.content)
    else if (message.role === 'user') addUser(prompt, message.content)
    else if (isInstruction) prompt.push({ role: 'system', content: message.content })
    else addUser(prompt, `<system_note>${message.content}</system_note>`)
  }
  return withTurns(prompt)
}

/** Vendors agree only on a system message at the start; later instructions go into the user's messages. */
function addUser(prompt: PromptMessage[], text: string): void {
  const last = prompt.at(-1)
  if (last?.role === 'user') last.content.push({ type: 'text', text })
  else prompt.push({ role: 'user', content: [{ type: 'text', text }] })
}

function assistant(
  { content, tool_calls: calls = [] }: Extract<ChatMessage, { role: 'assistant' }>,
  names: Map<string, string>,
  rememberedOf: (callId: string) => Remembered | undefined,
): PromptMessage {
  const remembered = calls[0] && rememberedOf(calls[0].id)
  return {
    role: 'assistant',
    content: [
      ...(remembered?.reasoning ?? []),
      ...(content ? [{ type: 'text' as const, text: content }] : []),
      ...calls.map(({ id, function: { name, arguments: args } }): CallPart => {
        names.set(id, name)
        const metadata = remembered?.ofCall.get(id)
        return {
          type: 'tool-call',
          toolCallId: idOf(id),
          toolName: name,
          input: objectOf(JSON.parse(args)),
          ...(metadata ? { providerOptions: metadata } : {}),
        }
      }),
    ],
  }
}

/** Vendors require an object; other arguments are the model's mistake and stay visible to it. */
const objectOf = (args: unknown): object =>
  typeof args === 'object' && args !== null && !Array.isArray(args) ? args : { input: args }

function addResult(prompt: PromptMessage[], callId: string, toolName: string, value: string): void {
  const part: ResultPart = {
    type: 'tool-result',
    toolCallId: idOf(callId),
    toolName,
    output: { type: 'text', value },
  }
  const last = prompt.at(-1)
  if (last?.role === 'tool') last.content.push(part)
  else prompt.push({ role: 'tool', content: [part] })
}

/** Anthropic and Gemini require the first and the last message to be the user's; here the agent may have opened. */
function withTurns(prompt: PromptMessage[]): PromptMessage[] {
  const first = prompt.findIndex(({ role }) => role !== 'system')
  const note = (text: string): PromptMessage => ({ role: 'user', content: [{ type: 'text', text }] })
  const begin = note('<system_note>The conversation begins.</system_note>')
  if (first === -1) return [...prompt, begin]
  const mended = prompt[first]?.role === 'user' ? prompt : prompt.toSpliced(first, 0, begin)
  return mended.at(-1)?.role === 'assistant' ? [...mended, note('<system_note>Go on.</system_note>')] : mended
}

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** The settings that `chatSettings` accepts, under the AI SDK's names. */
export function callSettings(given: Readonly<Record<string, unknown>>, maxTokens?: number): Record<string, unknown> {
  const wire = chatSettings(given, maxTokens)
  const named = {
    temperature: wire.temperature,
    topP: wire.top_p,
    presencePenalty: wire.presence_penalty,
    frequencyPenalty: wire.frequency_penalty,
    seed: wire.seed,
    stopSequences: wire.stop,
    maxOutputTokens: wire.max_completion_tokens ?? wire.max_tokens,
    reasoning: efforts.includes(String(wire.reasoning_effort)) ? wire.reasoning_effort : undefined,
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}

export const callTools = (
  tools: readonly Tool[],
  wireName: (name: string) => string,
  mayCall = true,
): Partial<CallOptions> =>
  tools.length === 0
    ? {}
    : {
        tools: chatTools(tools, wireName).map(({ function: { name, description, parameters } }) => ({
          type: 'function',
          name,
          description,
          inputSchema: parameters,
        })),
        toolChoice: { type: mayCall ? 'auto' : 'none' },
      }
