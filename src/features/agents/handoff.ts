// Handoff of a call from one agent to another: the next agent's opening, prompt and variables.

import type { Tool } from '../../voice/ports.ts'
import type { PreparedAgent } from './agent-setup.ts'
import { greetingIn } from './session-options.ts'

export const MAX_HANDOFFS = 5
/** End reason of a session when another agent takes over. */
export const HANDED_OVER = 'handed_over'

/** The next agent speaks first, without AMD: the given message, its own opening or a greeting. */
export function asSuccessor(next: PreparedAgent, message: string | null): PreparedAgent {
  const { openingDelayMs, amd, generatesOpening, preface, ...options } = next.options
  return { ...next, options: { ...options, opening: message ?? options.opening ?? greetingIn(next.agent.language) } }
}

export const withOperatorNote = (next: PreparedAgent, note: string): PreparedAgent =>
  withPrompt(next, `A note about this call from a person who watches it: ${note}`)

/** Gives the next agent the transcript and the variables collected so far. */
export function withTranscript(
  next: PreparedAgent,
  before: { agentName: string; transcript: string; variables: Readonly<Record<string, string>> },
): PreparedAgent {
  const context = `This call was handed over to you by another agent, ${before.agentName}. The transcript so far:`
  const successor = withPrompt(next, `${context}\n${before.transcript}`)
  return { ...successor, variables: { ...next.variables, ...before.variables } }
}

const withPrompt = (next: PreparedAgent, text: string): PreparedAgent => ({
  ...next,
  options: { ...next.options, systemPrompt: `${next.options.systemPrompt}\n\n${text}` },
})

/** On handoff, the session ends once everything said so far was played. */
export const endingOnHandoff = (tool: Tool, isHandedOver: () => boolean): Tool => ({
  ...tool,
  async run(...invocation) {
    const { isTransferred, ...result } = await tool.run(...invocation)
    if (isHandedOver()) return { ...result, endsCall: HANDED_OVER }
    return isTransferred === undefined ? result : { ...result, isTransferred }
  },
})
