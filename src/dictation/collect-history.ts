// Derives the state of collected values from the history alone, because early replies are discarded and calls resume.
import type { Message, ToolCall } from '../voice/ports.ts'
import { type CollectState, hear, startCollecting } from './collect-dialogue.ts'
import { resultFor } from './collect-speech.ts'
import { COLLECT, requestOf, startedContext } from './collect-tool.ts'
import type { ValueKind } from './kinds.ts'

/** One value: its calls (the model may repeat itself) and its dialogue. */
type Collecting = { calls: ToolCall[]; state: CollectState; startedAt: number }

type CollectView = {
  /** The dialogue of the value being collected, or null. */
  readonly active: CollectState | null
  /** Nobody has spoken since its call; `introduction`: what the model said with the call. */
  readonly isFresh: boolean
  readonly introduction: string
  /** The history for the model: each finished value is a call with its result, after the dialogue. */
  readonly messages: readonly Message[]
}

export function collectView(messages: readonly Message[]): CollectView {
  const calls = new Map<string, ToolCall>()
  const open: Collecting[] = []
  let batch: Collecting[] = []
  let closed: { batch: Collecting[]; at: number }[] = []
  const close = (at: number) => {
    if (batch.length > 0 && open.length === 0) {
      closed = [...closed, { batch, at }]
      batch = []
    }
  }
  for (const [at, message] of messages.entries()) {
    for (const call of message.calls ?? []) if (call.name.startsWith(COLLECT)) calls.set(call.id, call)
    const started = message.role === 'tool' ? startedBy(message, calls, at) : null
    if (started) {
      const same = batch.find((each) => isSameRequest(each, started))
      if (same) same.calls.push(...started.calls)
      else {
        batch.push(started)
        if (!started.state.outcome) open.push(started)
      }
    }
    if (message.role === 'tool' && messages[at + 1]?.role !== 'tool') close(at)
    if (message.role === 'user') {
      const first = open[0]
      if (!first) continue
      first.state = hear(first.state, message.content)
      if (first.state.outcome) open.shift()
      close(at)
    }
  }
  const active = open[0]
  return {
    active: active?.state ?? null,
    isFresh: active !== undefined && messages.slice(active.startedAt + 1).every(isSilent),
    introduction: active ? introductionOf(messages, active) : '',
    messages: closed.length === 0 ? messages : withResults(messages, closed),
  }
}

const isSilent = ({ role, content }: Message): boolean => role === 'tool' || content === ''

function startedBy(message: Message, calls: ReadonlyMap<string, ToolCall>, at: number): Collecting | null {
  const call = calls.get(message.callId ?? '')
  const context = call && startedContext(message.content)
  const request = context && requestOf(call?.args)
  return call && context && request ? { calls: [call], state: startCollecting(request, context), startedAt: at } : null
}

const isSameRequest = (a: Collecting, b: Collecting): boolean =>
  JSON.stringify(a.state.request) === JSON.stringify(b.state.request)

const introductionOf = (messages: readonly Message[], { calls }: Collecting): string =>
  messages.find((message) => message.calls?.some(({ id }) => id === calls[0]?.id))?.content ?? ''

/** What the caller should say next, for endpointing; null if nothing is collected. `messages` include tool results. */
export function expectationFromHistory(messages: readonly Message[]): ValueKind | 'yes-no' | null {
  const { active } = collectView(messages)
  if (!active) return null
  return active.value === null ? active.request.kind : 'yes-no'
}

/** The part of the value that earlier turns have dictated. */
export const dictatedSoFar = (messages: readonly Message[]): string => {
  const { active } = collectView(messages)
  return active?.value === null ? active.said : ''
}

/** Moves the calls of each finished batch behind its dialogue, with their results. */
function withResults(messages: readonly Message[], closed: readonly { batch: Collecting[]; at: number }[]): Message[] {
  const finished = new Set(closed.flatMap(({ batch }) => batch.flatMap(({ calls }) => calls.map(({ id }) => id))))
  return messages.flatMap((message, at) => {
    const ended = closed.filter((each) => each.at === at)
    return [...withoutCalls(message, finished), ...ended.flatMap(({ batch }) => resultMessages(batch))]
  })
}

function resultMessages(batch: readonly Collecting[]): Message[] {
  const calls = batch.flatMap((each) => each.calls)
  const results = batch.flatMap(({ calls: answered, state }) =>
    answered.map(({ id }): Message => ({ role: 'tool', content: resultFor(state), callId: id })),
  )
  return [{ role: 'agent', content: '', calls }, ...results]
}

/** Words spoken with a call stay in their place. */
function withoutCalls(message: Message, finished: ReadonlySet<string>): Message[] {
  if (message.callId !== undefined) return finished.has(message.callId) ? [] : [message]
  if (!message.calls?.some(({ id }) => finished.has(id))) return [message]
  const { calls, ...rest } = message
  const others = calls.filter(({ id }) => !finished.has(id))
  if (others.length > 0) return [{ ...rest, calls: others }]
  return message.content === '' ? [] : [rest]
}
