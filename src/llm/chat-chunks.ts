// Assembles a model's stream: text at once, tool calls when complete, reasoning dropped.
import { newId } from '../base/ids.ts'
import { parseOutside } from '../base/outside/json.ts'
import { limits } from '../base/outside/limits.ts'
import type { ToolCall } from '../voice/ports.ts'

type CallPiece = { index?: unknown; id?: unknown; function?: { name?: unknown; arguments?: unknown } | null }
export type ChatChunk = {
  error?: unknown
  choices?: readonly {
    delta?: { content?: unknown; tool_calls?: unknown } | null
    /** In a response that was not streamed despite the request. */
    message?: { content?: unknown; tool_calls?: unknown } | null
    finish_reason?: unknown
  }[]
}

const MAX_CALLS = 64
const MAX_ARGUMENTS = 1_048_576

/** Assembles the calls of one reply from deltas with indexes. */
export function callAssembler() {
  const calls: { key: unknown; id: string; name: string; text: string }[] = []

  function callOf(piece: CallPiece) {
    const id = typeof piece.id === 'string' ? piece.id : ''
    // Some servers send no index, or the same one for every call: then a different id is a different call.
    const known =
      piece.index === undefined
        ? calls.findLast((call) => id === '' || call.id === id)
        : calls.findLast((call) => call.key === piece.index && (id === '' || call.id === '' || call.id === id))
    if (known) return known
    if (calls.length === MAX_CALLS) throw new RangeError('too many calls')
    const call = { key: piece.index, id, name: '', text: '' }
    calls.push(call)
    return call
  }

  return {
    add(pieces: unknown): void {
      if (!Array.isArray(pieces)) return
      for (const piece of pieces as (CallPiece | null)[]) {
        if (typeof piece !== 'object' || piece === null) continue
        const call = callOf(piece)
        if (typeof piece.id === 'string' && piece.id !== '') call.id = piece.id
        const { name, arguments: text } = piece.function ?? {}
        if (typeof name === 'string' && name !== call.name) call.name += name
        if (typeof text === 'string') call.text += text
        else if (typeof text === 'object' && text !== null) call.text = JSON.stringify(text)
        if (call.text.length > MAX_ARGUMENTS) throw new RangeError('arguments without end')
      }
    },
    /** Arguments that are not JSON stay a string: the tool's own validation then tells the model what is wrong. */
    whole: (): (ToolCall & { isJson: boolean })[] =>
      calls
        .filter(({ name }) => name !== '')
        .map(({ id, name, text }) => ({ id: id || newId('call'), name, ...parsedArguments(text) })),
  }
}

export function parsedArguments(text: string): { args: unknown; isJson: boolean } {
  if (text.trim() === '') return { args: {}, isJson: true }
  try {
    return { args: parseOutside(text, limits.modelText), isJson: true }
  } catch {
    return { args: text, isJson: false }
  }
}

const OPEN = '<think>'
const CLOSE = '</think>'

/** Drops the reasoning that a self-hosted model writes at the start of its reply. */
export function reasoningFilter() {
  let held = ''
  let state: 'start' | 'thinking' | 'pausing' | 'speaking' = 'start'
  const spoken = (text: string): string => {
    const words = text.trimStart()
    state = words === '' ? 'pausing' : 'speaking'
    return words
  }
  return (text: string): string => {
    if (state === 'speaking') return text
    if (state === 'pausing') return spoken(text)
    held += text
    if (state === 'start') {
      const begin = held.trimStart()
      if (begin.length < OPEN.length && OPEN.startsWith(begin)) return ''
      state = begin.startsWith(OPEN) ? 'thinking' : 'speaking'
      if (state === 'speaking') return held
    }
    const end = held.indexOf(CLOSE)
    if (end === -1) {
      held = held.slice(-CLOSE.length)
      return ''
    }
    return spoken(held.slice(end + CLOSE.length))
  }
}
