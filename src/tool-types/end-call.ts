// Tool type end_call: the agent hangs up unless one of the owner's rejectIf conditions holds.
import { onlyInCalls, parametersWith, refused } from './call-tool-schema.ts'
import { argumentOf, type Condition, compare } from './messages.ts'
import type { Outcome, Run, ToolRecord, ToolType } from './ports.ts'
import { fillJson, valuesOf } from './template.ts'

/**
 * A condition on an argument or on a variable of the call or of an earlier tool. `message` tells the model why, in the
 * owner's words.
 */
type Rejection = Partial<Condition> & { variable?: string; message?: string }
type EndConfig = {
  message?: string | null
  waitForSpeech?: boolean | null
  rejectIf?: readonly Rejection[] | null
}

const TIMEOUT_MS = 10_000
const operators = new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte'])

export function endCallConfigError({ config }: ToolRecord): string | null {
  const isWrong = ({ param, variable, operator }: Rejection) =>
    typeof (param ?? variable) !== 'string' || (operator !== undefined && !operators.has(operator))
  return (config as EndConfig).rejectIf?.some(isWrong)
    ? `each entry of rejectIf needs param or variable, and as operator one of ${[...operators].join(', ')}`
    : null
}

export function endCall(): ToolType {
  return {
    problem: endCallConfigError,
    functions(tool) {
      if (endCallConfigError(tool) !== null) return []
      return [
        {
          name: tool.name,
          description: tool.description ?? 'Ends this call, once all is said.',
          parameters: parametersWith(tool, {}, []),
          hasEffect: true,
          isRepeatable: true,
          timeoutMs: TIMEOUT_MS,
          run: (run) => end(run, tool),
        },
      ]
    },
  }
}

async function end(run: Run, tool: ToolRecord): Promise<Outcome> {
  const { context, args } = run
  if (!context.call) return onlyInCalls
  const { message, waitForSpeech, rejectIf } = tool.config as EndConfig
  const stands = rejectIf?.find(({ param, variable, operator = 'eq', value }) =>
    compare(
      param === undefined ? argumentOf(context.variables, variable ?? '') : argumentOf(args, param),
      operator,
      value ?? true,
    ),
  )
  if (stands) {
    const why = stands.message ?? `not while ${stands.param ?? stands.variable} is as it is`
    return refused(`The call may not be ended now: ${why}. Go on with the conversation.`)
  }
  const say = message ? String(fillJson(message, valuesOf(run, tool))) : undefined
  if (say === undefined && waitForSpeech === false) {
    await context.call.act({ do: 'hangup', reason: 'agent_ended' })
    return { ok: true, text: 'The call has ended.', isLast: true }
  }
  return { ok: true, text: 'The call ends now.', endsCall: 'agent_ended', ...(say === undefined ? {} : { say }) }
}
