// What was said, as it was heard: for the next reply, and for whoever keeps the record.
import type { Message } from './ports.ts'

export type Said = { type: 'said'; who: 'caller' | 'agent'; text: string; isCut: boolean }

export function spokenHistory(systemPrompt: string, tell: (said: Said) => void) {
  const messages: Message[] = [{ role: 'system', content: systemPrompt }]
  return {
    caller(text: string): void {
      if (text === '') return
      messages.push({ role: 'user', content: text })
      tell({ type: 'said', who: 'caller', text, isCut: false })
    },
    /** `did` is what the model and its tools did for it. */
    agent(text: string, isCut: boolean, did: readonly Message[]): void {
      messages.push(...did)
      if (text === '') return
      messages.push({ role: 'agent', content: isCut ? `${text}…` : text })
      tell({ type: 'said', who: 'agent', text, isCut })
    },
    /** What the caller said in several turns, because nobody answered between, is one question. */
    forModel: (): Message[] => messages.reduce(withNext, [] as Message[]),
  }
}

function withNext(before: Message[], message: Message): Message[] {
  const last = before.at(-1)
  if (last?.role !== 'user' || message.role !== 'user') before.push(message)
  else before[before.length - 1] = { role: 'user', content: `${last.content} ${message.content}` }
  return before
}
