// Converts history, tools and settings to the interface of node-llama-cpp, and its tool calls back. Pure.
import type { Message, Tool, ToolCall } from '../voice/ports.ts'
import { callSettings, type PromptMessage, promptOf } from './ai-sdk-model.ts'
import { chatTools } from './chat-messages.ts'
import type { ChatFunctions, ChatItem, Generated } from './model-file-library.ts'

type WireName = (name: string) => string
type ModelTurn = Extract<ChatItem, { type: 'model' }>

/** Ends with the model's turn to be generated: empty, or with the tool results that it continues from. */
export function chatItems(history: readonly Message[], wireName: WireName): ChatItem[] {
  const items: ChatItem[] = []
  for (const message of promptOf(history, wireName)) {
    if (message.role === 'tool') addResults(items, message)
    else if (message.role === 'assistant') modelTurn(items).response.push(...responseOf(message))
    else addText(items, message.role, textOf(message))
  }
  modelTurn(items)
  return items
}

function addText(items: ChatItem[], type: 'system' | 'user', text: string): void {
  const last = items.at(-1)
  if (last?.type === type) last.text += `\n${text}`
  else items.push({ type, text })
}

/** The model's words before and after a tool call are one turn. */
function modelTurn(items: ChatItem[]): ModelTurn {
  const last = items.at(-1)
  if (last?.type === 'model') return last
  const turn: ModelTurn = { type: 'model', response: [] }
  items.push(turn)
  return turn
}

const textOf = ({ content }: Extract<PromptMessage, { role: 'system' | 'user' }>): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('\n')

const responseOf = ({ content }: Extract<PromptMessage, { role: 'assistant' }>): ModelTurn['response'] =>
  content.flatMap((part): ModelTurn['response'] => {
    if (part.type === 'text') return [part.text]
    if (part.type !== 'tool-call') return []
    return [{ type: 'functionCall', name: part.toolName, params: part.input, result: part.toolCallId }]
  })

/** A call holds its id in place of the result until that is found. */
function addResults(items: ChatItem[], { content }: Extract<PromptMessage, { role: 'tool' }>): void {
  const { response } = modelTurn(items)
  for (const { toolCallId, output } of content)
    for (const part of response) if (typeof part !== 'string' && part.result === toolCallId) part.result = output.value
}

const DEFAULT_TEMPERATURE = 0.7
const DEFAULT_TOKENS = 400
const MAX_TOKENS = 2000

/** The agent's `llmConfig` under the library's names. */
export function generateSettings(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { temperature, topP, seed, stopSequences, maxOutputTokens, frequencyPenalty, presencePenalty } = callSettings({
    maxTokens: DEFAULT_TOKENS,
    ...given,
  })
  const penalties = { frequencyPenalty, presencePenalty }
  const named = {
    temperature: temperature ?? DEFAULT_TEMPERATURE,
    topP,
    seed,
    customStopTriggers: stopSequences,
    maxTokens: Math.min(Number(maxOutputTokens ?? DEFAULT_TOKENS), MAX_TOKENS),
    repeatPenalty: (frequencyPenalty ?? presencePenalty) === undefined ? undefined : penalties,
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}

type Schema = Readonly<Record<string, unknown>>
const anything = { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] }
const plainTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null'])
const MAX_DEPTH = 8

export const chatFunctions = (tools: readonly Tool[], wireName: WireName): ChatFunctions =>
  Object.fromEntries(
    chatTools(tools, wireName).map(({ function: { name, description, parameters } }) => [
      name,
      { description, params: grammarSchema(parameters as Schema, 0) },
    ]),
  )

/**
 * The library supports a subset of JSON Schema and writes every property: optional ones may be null and are then removed from the
 * call.
 */
function grammarSchema(schema: Schema, depth: number): Schema {
  const { type, properties, required, items, description } = schema
  const about = typeof description === 'string' ? { description } : {}
  const choices = schema.oneOf ?? schema.anyOf
  if (depth > MAX_DEPTH) return anything
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return { enum: schema.enum, ...about }
  if (Object.hasOwn(schema, 'const')) return { const: schema.const, ...about }
  if (Array.isArray(choices) && choices.length > 0)
    return { oneOf: choices.map((choice) => grammarSchema(asSchema(choice), depth + 1)), ...about }
  if (type === 'array') return { type, items: grammarSchema(asSchema(items), depth + 1), ...about }
  if (type !== 'object') return isPlain(type) ? { type, ...about } : { ...anything, ...about }
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const fields = Object.entries(asSchema(properties)).map(([name, value]) => {
    const field = grammarSchema(asSchema(value), depth + 1)
    return [name, needed.includes(name) ? field : { oneOf: [field, { type: 'null' }] }]
  })
  return { type, properties: Object.fromEntries(fields), ...about }
}

const isPlain = (type: unknown) => [type].flat().every((one) => plainTypes.has(one)) && [type].flat().length > 0

const asSchema = (value: unknown): Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {}

export function callsOf(
  { functionCalls = [] }: Generated,
  options: { newId: () => string; own: WireName },
): ToolCall[] {
  return functionCalls.map(({ functionName, params }) => ({
    id: options.newId(),
    name: options.own(functionName),
    args: withoutNulls(params ?? {}),
  }))
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([, one]) => one !== null)
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutNulls(one)]))
}
