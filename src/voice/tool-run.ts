// One run of a tool: its time limit, its result made fit for a model, and what is said when it has ended.
import type { Clock, SessionEndReason, Tool, ToolCall, ToolInvocation, ToolResult } from './ports.ts'

/** A tool that takes longer is given up, unless it says otherwise. */
const TOOL_MS = 15_000
/** So much of a result is given to the model. */
const MAX_TEXT = 8_000

export type ToolEnding = {
  /** Said as it is; empty: nothing is. */
  say: string
  /** What the model is told to do about the result. */
  note: string
  /** Why the call is hung up then; null: it goes on. */
  leave: SessionEndReason | null
  /** The call was given away: nothing more is said. */
  isLast: boolean
}

export const limitOf = (tool: Tool | undefined): number => tool?.timeoutMs ?? TOOL_MS

/** Never throws, and never takes longer than the tool may: what it still does then is nobody's business. */
export async function runTool(
  tool: Tool | undefined,
  call: ToolCall,
  context: ToolInvocation,
  clock: Clock,
): Promise<ToolResult> {
  if (!tool) return { text: `There is no tool named ${call.name}`, failed: true }
  const done = new AbortController()
  const timeUp = new AbortController()
  try {
    const late = clock.sleep(limitOf(tool), done.signal).then((): ToolResult => {
      if (!done.signal.aborted) timeUp.abort()
      return { text: 'The tool took too long.', failed: true }
    })
    const ran = Promise.try(() => tool.run(call, context, timeUp.signal))
    const result = await Promise.race([ran, late])
    return { ...result, text: plainResult(result.text) }
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown error'
    return { text: plainResult(`The tool failed: ${why}`), failed: true }
  } finally {
    done.abort()
  }
}

/** Bounded, and of control characters only the ends of lines and tabulators. */
export function plainResult(text: string): string {
  const plain = text.toWellFormed().replace(/[\p{Cc}\u2028\u2029]/gu, (found) => (/[\n\t]/.test(found) ? found : ''))
  return plain.length <= MAX_TEXT ? plain : `${plain.slice(0, MAX_TEXT).toWellFormed()}… (the rest was cut off)`
}

/** What the tool itself wants to be said goes before its owner's message. */
export function endingOf(tool: Tool | undefined, call: ToolCall, result: ToolResult): ToolEnding {
  const message = (result.failed ? tool?.messages?.failed(call.args) : tool?.messages?.complete(call.args)) ?? null
  const spoken = message?.role === 'assistant' ? message.text : ''
  const told = [tool?.messages?.start(call.args), message].flatMap((each) =>
    each?.role === 'system' ? [each.text] : [],
  )
  return {
    say: (result.say ?? spoken).trim(),
    note: told.join('\n'),
    leave: result.endsCall ?? (message?.endsCall ? 'agent_ended' : null),
    isLast: result.isLast ?? false,
  }
}

/** The same for two calls of one tool with equal arguments, whatever the order of these. */
export const callKey = ({ name, args }: ToolCall): string => JSON.stringify([name, sorted(args)])

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, part]) => [key, sorted(part)])
}
