// One tool run: time-out, result sanitized for the model, and what is said afterwards.
import { CANCELLED } from '../base/concurrency/abort.ts'
import type { Clock, SessionEndReason, Tool, ToolCall, ToolInvocation, ToolResult } from './ports.ts'

const DEFAULT_TIMEOUT_MS = 15_000
/** Longer results are truncated for the model. */
const MAX_TEXT = 8_000

export type ToolOutcome = {
  /** Said verbatim; may be empty. */
  say: string
  /** Instructions to the model about the result. */
  note: string
  /** Hang up afterwards; null: the call continues. */
  hangupReason: SessionEndReason | null
  /** The call was transferred: nothing more is said. */
  isTransferred: boolean
}

export const timeoutOf = (tool: Tool | undefined): number => tool?.timeoutMs ?? DEFAULT_TIMEOUT_MS

/** Never throws, and never takes longer than the time-out; a later result is ignored. */
export async function runTool(
  tool: Tool | undefined,
  call: ToolCall,
  { context, clock }: { context: ToolInvocation; clock: Clock },
): Promise<ToolResult> {
  if (!tool) return { text: `There is no tool named ${call.name}.`, failed: true }
  const done = new AbortController()
  const timedOut = new AbortController()
  try {
    const timeout = clock.sleep(timeoutOf(tool), done.signal).then((): ToolResult => {
      if (!done.signal.aborted) timedOut.abort(CANCELLED)
      return { text: 'The tool timed out.', failed: true }
    })
    const run = Promise.try(() => tool.run(call, context, timedOut.signal))
    const result = await Promise.race([run, timeout])
    return { ...result, text: sanitizeResult(result.text) }
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown error'
    return { text: sanitizeResult(`The tool failed: ${why}`), failed: true }
  } finally {
    done.abort(CANCELLED)
  }
}

/** Bounds the text and removes control characters, except line feeds and tabs. */
function sanitizeResult(text: string): string {
  const clean = text.toWellFormed().replace(/[\p{Cc}\u2028\u2029]/gu, (found) => (/[\n\t]/.test(found) ? found : ''))
  return clean.length <= MAX_TEXT ? clean : `${clean.slice(0, MAX_TEXT).toWellFormed()}… (truncated)`
}

/** The tool's own `say` takes precedence over its configured message. */
export function outcomeOf(tool: Tool | undefined, call: ToolCall, result: ToolResult): ToolOutcome {
  const message = (result.failed ? tool?.messages?.failed(call.args) : tool?.messages?.complete(call.args)) ?? null
  const spoken = message?.role === 'assistant' ? message.text : ''
  const notes = [tool?.messages?.start(call.args), message].flatMap((each) =>
    each?.role === 'system' ? [each.text] : [],
  )
  return {
    say: (result.say ?? spoken).trim(),
    note: notes.join('\n'),
    hangupReason: result.endsCall ?? (message?.endsCall ? 'agent_ended' : null),
    isTransferred: result.isTransferred ?? false,
  }
}

/** Equal for calls of the same tool with equal arguments, in any key order. */
export const callKey = ({ name, args }: ToolCall): string => JSON.stringify([name, sorted(args)])

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, part]) => [key, sorted(part)])
}
