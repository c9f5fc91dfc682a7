// An agent's tools in a rehearsal: each returns what the script says, or a neutral result. Nothing is executed.
import type { EndReason } from '../base/domain/end-reasons.ts'
import { wordsIn } from '../llm/words.ts'
import type { Clock, Tool } from '../voice/ports.ts'
import type { SimulatedToolCall } from './outcome.ts'
import type { ScriptedTool } from './script.ts'

export type OfferedTool = Pick<Tool, 'name' | 'description' | 'parameters' | 'messages'> & {
  /** Why these arguments would be rejected; null if they are valid. */
  refusal?(args: unknown): string | null
  /** A built-in function without side effects: executed unless the script has a result for it. */
  run?: Tool['run']
  /** The end reason, if the tool ends the call. */
  endsCall?: EndReason
}

/** The model sees a normalized form of a tool's name. */
export const isSameName = (one: string, other: string): boolean =>
  one === other || wordsIn(one).join(' ') === wordsIn(other).join(' ')

const NEUTRAL = 'Done. (This is a rehearsal: nothing was executed, and there is no data.)'

export function scriptedTools(
  offered: readonly OfferedTool[],
  scripts: Readonly<Record<string, ScriptedTool>>,
  { clock, calls }: { clock: Clock; calls: SimulatedToolCall[] },
): Tool[] {
  return offered.map(({ endsCall, refusal, run, ...tool }) => {
    const script = Object.entries(scripts).find(([name]) => isSameName(name, tool.name))?.[1]
    const failed = typeof script?.error === 'string'
    const text = typeof script?.error === 'string' ? script.error : resultText(script?.result)
    // A script may name any reason: it appears only in the outcome of the rehearsal.
    const ending = (script ? script.endsCall : endsCall) as EndReason | null | undefined
    return {
      ...tool,
      async run(call, context, signal) {
        const atMs = Math.round(clock.now())
        if (run && !script) {
          const ended = await run(call, context, signal)
          const { text: result, failed: hasFailed } = ended
          calls.push({ name: tool.name, args: call.args, atMs, result, failed: hasFailed, isScripted: false })
          return ended
        }
        const refused = refusal?.(call.args) ?? null
        const outcome = refused === null ? { result: text, failed } : { result: refused, failed: true }
        calls.push({ name: tool.name, args: call.args, atMs, ...outcome, isScripted: script !== undefined })
        if (refused !== null) return { text: refused, failed: true }
        if (script?.delayMs) await clock.sleep(script.delayMs, signal)
        return { text, failed, ...(ending && !failed ? { endsCall: ending } : {}) }
      },
    }
  })
}

function resultText(result: unknown): string {
  if (result === undefined || result === null) return NEUTRAL
  return typeof result === 'string' ? result : JSON.stringify(result)
}
