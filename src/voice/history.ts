// What was said, as it was heard: for the next reply, and for whoever keeps the record.
import type { Message, Span } from './ports.ts'

/** From its first to its last sound: on the conversation's clock, and in the recording if there is one. */
export type When = { readonly at: number; readonly toAt: number; readonly recorded: Span | null }

/** `when` is null for what was not spoken, such as keys. */
export type Said = { type: 'said'; who: 'caller' | 'agent'; text: string; isCut: boolean; when: When | null }

export function spokenHistory(systemPrompt: string, tell: (said: Said) => void) {
  let messages: Message[] = [{ role: 'system', content: systemPrompt }]
  return {
    caller(text: string, when: When | null = null): void {
      if (text === '') return
      messages.push({ role: 'user', content: text })
      tell({ type: 'said', who: 'caller', text, isCut: false, when })
    },
    /** `did` is what the model and its tools did for it. */
    agent(text: string, isCut: boolean, did: readonly Message[], when: When | null = null): void {
      messages.push(...did)
      if (text === '') return
      messages.push({ role: 'agent', content: isCut ? `${text}…` : text })
      tell({ type: 'said', who: 'agent', text, isCut, when })
    },
    /** These calls and their answers become the last that happened: a model goes on from there. */
    bringLast(ids: ReadonlySet<string>): void {
      const calls = messages.flatMap((message) => message.calls?.filter(({ id }) => ids.has(id)) ?? [])
      const answers = messages.filter(({ callId }) => callId !== undefined && ids.has(callId))
      const rest = messages.flatMap((message) => withoutCalls(message, ids))
      messages = calls.length === 0 ? rest : [...rest, { role: 'agent', content: '', calls }, ...answers]
    },
    /** What the caller said in several turns, because nobody answered between, is one question. `next` is what he may have said now. */
    forModel: (next = ''): Message[] =>
      [...messages, ...(next === '' ? [] : [{ role: 'user' as const, content: next }])].reduce(
        withNext,
        [] as Message[],
      ),
  }
}

function withoutCalls(message: Message, ids: ReadonlySet<string>): Message[] {
  if (message.callId !== undefined && ids.has(message.callId)) return []
  if (!message.calls) return [message]
  const calls = message.calls.filter(({ id }) => !ids.has(id))
  return calls.length === 0 ? [] : [{ ...message, calls }]
}

function withNext(before: Message[], message: Message): Message[] {
  const last = before.at(-1)
  if (last?.role !== 'user' || message.role !== 'user') before.push(message)
  else before[before.length - 1] = { role: 'user', content: `${last.content} ${message.content}` }
  return before
}
