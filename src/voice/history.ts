// The conversation as it was heard: the context of the next reply, and utterance events for the transcript.
import type { Message, Span } from './ports.ts'

/** From the first to the last sound: on the session's clock, and in the recording if there is one. */
export type SpeechTiming = { readonly startedAt: number; readonly endedAt: number; readonly recorded: Span | null }

/** `isCut`: the agent was interrupted. `timing` is null if nothing was spoken, as for digits. */
export type UtteranceEvent = {
  type: 'utterance'
  who: 'caller' | 'agent'
  text: string
  isCut: boolean
  timing: SpeechTiming | null
  /** An operator had the agent say it. */
  isOperator?: boolean
}

type AgentUtterance = {
  text: string
  isCut: boolean
  /** Tool calls of the turn, and their results. */
  toolMessages: readonly Message[]
  timing?: SpeechTiming | null
  isOperator?: boolean
}

export type ConversationHistory = ReturnType<typeof conversationHistory>

export function conversationHistory(systemPrompt: string, onUtterance: (event: UtteranceEvent) => void) {
  let messages: Message[] = [{ role: 'system', content: systemPrompt }]
  /** The caller's latest words, while the reply to them can be taken back. */
  let pending: { text: string; timing: SpeechTiming | null; isUnclear: boolean } | null = null

  /** `isUnclear`: the recognizer is unsure of the text. */
  function addCaller(text: string, timing: SpeechTiming | null = null, isUnclear = false): void {
    commitPending()
    if (text === '') return
    messages.push(fromCaller(text, isUnclear))
    onUtterance({ type: 'utterance', who: 'caller', text, isCut: false, timing })
  }

  function commitPending(): void {
    if (!pending) return
    const { text, timing, isUnclear } = pending
    pending = null
    addCaller(text, timing, isUnclear)
  }

  return {
    addCaller,
    /** As `addCaller`, but can be discarded until it is committed. */
    setPending(text: string, timing: SpeechTiming | null, isUnclear: boolean): void {
      commitPending()
      pending = text === '' ? null : { text, timing, isUnclear }
    },
    commitPending,
    discardPending(): void {
      pending = null
    },
    addAgent({ text, isCut, toolMessages, timing = null, isOperator = false }: AgentUtterance): void {
      commitPending()
      messages.push(...toolMessages)
      if (text === '') return
      messages.push({ role: 'agent', content: isCut ? `${text}…` : text })
      onUtterance({ type: 'utterance', who: 'agent', text, isCut, timing, ...(isOperator ? { isOperator } : {}) })
    },
    /** Moves these calls with their results to the end, so that the model continues from them. */
    moveToEnd(callIds: ReadonlySet<string>): void {
      const calls = messages.flatMap((message) => message.calls?.filter(({ id }) => callIds.has(id)) ?? [])
      const results = messages.filter(({ callId }) => callId !== undefined && callIds.has(callId))
      const rest = messages.flatMap((message) => withoutCalls(message, callIds))
      messages = calls.length === 0 ? rest : [...rest, { role: 'agent', content: '', calls }, ...results]
    },
    /** Merges consecutive messages of the caller. `next`: what they have probably just said. */
    forModel: (next = '', isUnclear = false): Message[] =>
      [
        ...messages,
        ...(pending ? [fromCaller(pending.text, pending.isUnclear)] : []),
        ...(next === '' ? [] : [fromCaller(next, isUnclear)]),
      ].reduce(withNext, [] as Message[]),
  }
}

const fromCaller = (content: string, isUnclear: boolean): Message => ({
  role: 'user',
  content,
  ...(isUnclear ? { isUnclear } : {}),
})

function withoutCalls(message: Message, callIds: ReadonlySet<string>): Message[] {
  if (message.callId !== undefined && callIds.has(message.callId)) return []
  if (!message.calls) return [message]
  const calls = message.calls.filter(({ id }) => !callIds.has(id))
  return calls.length === 0 ? [] : [{ ...message, calls }]
}

function withNext(before: Message[], message: Message): Message[] {
  const last = before.at(-1)
  if (last?.role !== 'user' || message.role !== 'user') before.push(message)
  else before[before.length - 1] = { ...last, ...message, content: `${last.content} ${message.content}` }
  return before
}
