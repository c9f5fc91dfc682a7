// Converts history and tools to the chat-completions protocol. Pure; strict servers reject what is not normalized here.
import { withoutAccents } from '../base/text/text.ts'
import type { Message, Tool } from '../voice/ports.ts'

export type ChatCall = { id: string; type: 'function'; function: { name: string; arguments: string } }
export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: ChatCall[] }
  | { role: 'tool'; tool_call_id: string; content: string }

type ChatTool = { type: 'function'; function: { name: string; description: string; parameters: object } }

/** The result of a call without one in the history: it was interrupted, or its result was lost. */
export const UNANSWERED = 'No result: the call was interrupted.'

/** Marks what the caller said where the recognizer is unsure of it, and tells the model what the mark means. */
const UNCLEAR = '[heard unclearly]'
const UNCLEAR_MEANS = `What the caller says after ${UNCLEAR} may be misheard: before you act on it, ask them to repeat or confirm it.`

function withMarks(history: readonly Message[]): readonly Message[] {
  if (!history.some(({ isUnclear }) => isUnclear)) return history
  const [first, ...rest] = history.map((message) =>
    message.isUnclear ? { ...message, content: `${UNCLEAR} ${message.content}` } : message,
  )
  const isSystem = first?.role === 'system'
  const content = [isSystem ? first.content : '', UNCLEAR_MEANS].join('\n\n').trim()
  return [{ role: 'system', content }, ...(first && !isSystem ? [first] : []), ...rest]
}

/**
 * Every call is followed by its results and no result stands alone (OpenAI would answer 400); consecutive messages of
 * one role are merged (the templates of many local models require alternation).
 */
export function chatMessages(history: readonly Message[], wireName: (name: string) => string): ChatMessage[] {
  const answers = new Map<string, string>()
  for (const { role, callId, content, note } of history)
    if (role === 'tool' && callId) answers.set(callId, note ? `${note}\n${content}` : content)
  const messages: ChatMessage[] = []
  for (const message of withMarks(history)) {
    if (message.role === 'tool') continue
    if (message.role === 'agent' && message.calls?.length) {
      messages.push({
        role: 'assistant',
        content: message.content || null,
        tool_calls: message.calls.map(({ id, name, args }) => ({
          id,
          type: 'function',
          function: { name: wireName(name), arguments: JSON.stringify(args ?? {}) },
        })),
      })
      for (const { id } of message.calls)
        messages.push({ role: 'tool', tool_call_id: id, content: answers.get(id) ?? UNANSWERED })
      continue
    }
    if (message.content.trim() === '') continue
    const role = message.role === 'agent' ? 'assistant' : message.role
    const last = messages.at(-1)
    if (last?.role === role && !('tool_calls' in last)) last.content += `\n${message.content}`
    else messages.push({ role, content: message.content })
  }
  return messages
}

/** The protocol allows up to 64 letters, digits, _ and - in a tool's name; ours may have any name. */
export function wireNames(tools: readonly Tool[]) {
  const wireOf = new Map<string, string>()
  const nameOf = new Map<string, string>()
  for (const { name } of tools) {
    const plain = plainName(name)
    let wire = plain
    for (let i = 2; nameOf.has(wire); i++) wire = `${plain.slice(0, 60)}_${i}`
    wireOf.set(name, wire)
    nameOf.set(wire, name)
  }
  return {
    wire: (name: string) => wireOf.get(name) ?? plainName(name),
    /** A name that the model invented stays unchanged: the runner reports that there is no such tool. */
    own: (wire: string) => nameOf.get(wire) ?? wire,
  }
}

const plainName = (name: string) =>
  withoutAccents(name)
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .slice(0, 64) || 'tool'

export function chatTools(tools: readonly Tool[], wireName: (name: string) => string): ChatTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: {
      name: wireName(name),
      description,
      parameters: 'type' in parameters ? parameters : { type: 'object', properties: {}, ...parameters },
    },
  }))
}

const numbers: Readonly<Record<string, { names: readonly string[]; min: number; max: number }>> = {
  temperature: { names: ['temperature'], min: 0, max: 2 },
  top_p: { names: ['topP', 'top_p'], min: 0, max: 1 },
  presence_penalty: { names: ['presencePenalty', 'presence_penalty'], min: -2, max: 2 },
  frequency_penalty: { names: ['frequencyPenalty', 'frequency_penalty'], min: -2, max: 2 },
  seed: { names: ['seed'], min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER },
}

const MAX_STOP_SEQUENCES = 4 // OpenAI's limit
const MAX_STOP_LETTERS = 100

/**
 * The part of an agent's `llmConfig` that is sent to the server. Invalid values were stored as received and are dropped here.
 */
export function chatSettings(given: Readonly<Record<string, unknown>>, maxTokens?: number): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  for (const [wire, { names, min, max }] of Object.entries(numbers)) {
    const value = names.map((name) => given[name]).find((one) => typeof one === 'number')
    if (typeof value === 'number' && value >= min && value <= max) settings[wire] = value
  }
  const effort = given.reasoningEffort ?? given.reasoning_effort
  if (typeof effort === 'string' && /^[a-z]{1,16}$/.test(effort)) settings.reasoning_effort = effort
  const stop = [given.stop ?? given.stopSequences ?? []].flat()
  const stops = stop.filter((text) => typeof text === 'string' && text !== '' && text.length <= MAX_STOP_LETTERS)
  if (stops.length > 0) settings.stop = stops.slice(0, MAX_STOP_SEQUENCES)
  // Some models accept only one of the two names: an agent may choose which.
  const newer = tokens(given.maxCompletionTokens ?? given.max_completion_tokens, maxTokens)
  const older = tokens(given.maxTokens ?? given.max_tokens, maxTokens) ?? maxTokens
  if (newer !== undefined) settings.max_completion_tokens = newer
  else if (older !== undefined) settings.max_tokens = older
  return settings
}

const tokens = (value: unknown, cap = Number.POSITIVE_INFINITY): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 ? Math.min(value, cap) : undefined
