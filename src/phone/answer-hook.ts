// The owner's answer hook of an inbound call: asked during set-up, while the caller hears ringing, and carried out.
import { headerVariables, readHeaders } from '../base/network/sip-headers.ts'
import type { InboundCall } from '../sip/dialog/call.ts'
import type { InboundRoute } from './inbound-routing.ts'
import type { AnswerDecision, BeforeAnswer, CallGuidance, CallRepository, Converse, RingingCall } from './ports.ts'

export type HookParts = {
  calls: Pick<CallRepository, 'decided'>
  beforeAnswer?: BeforeAnswer | undefined
  onError: (error: unknown) => void
}

/** The SIP headers that the trunk of this call lets through. */
export const headersOf = ({ invite }: Pick<InboundCall, 'invite'>, { trunk }: Pick<InboundRoute, 'trunk'>) =>
  readHeaders((name) => invite.headers.all(name), trunk?.headerVariables ?? [])

/** The variables of a call from its SIP headers; null when there are none. */
export function sipVariables(headers: Readonly<Record<string, string>>): Record<string, string> | null {
  const variables = headerVariables(headers)
  return Object.keys(variables).length === 0 ? null : variables
}

/** Asks the hook; undefined when there is none, or the caller has left. */
export function askHook(
  { beforeAnswer, onError }: HookParts,
  { callId, route, headers }: { callId: string; route: InboundRoute; headers: Readonly<Record<string, string>> },
  { signal, ring }: { signal: AbortSignal; ring: () => void },
): Promise<AnswerDecision | undefined> {
  if (!beforeAnswer) return Promise.resolve(undefined)
  const { userId, fromNumber, toNumber } = route.call
  const call: RingingCall = {
    callId,
    userId,
    didId: route.didId ?? null,
    agentId: route.agent.id,
    channel: 'phone',
    fromNumber,
    toNumber,
    headers,
    variables: sipVariables(headers) ?? {},
  }
  return beforeAnswer(call, { signal, onWaiting: ring }).catch((error) => {
    onError(error)
    return undefined
  })
}

/** Stores the decision. If that fails, the call is answered as if there were no hook. */
export async function storedDecision(
  { calls, onError }: HookParts,
  callId: string,
  decision: AnswerDecision | undefined,
): Promise<AnswerDecision | undefined> {
  if (!decision) return undefined
  const { variables, outcome, agent } = decision
  try {
    await calls.decided(callId, { agentId: agent?.id ?? null, variables, outcome })
    return decision
  } catch (error) {
    onError(error)
    return undefined
  }
}

export const guidanceOf = ({ language, context, late }: AnswerDecision): CallGuidance => ({ language, context, late })

/** Connects the caller to this number; the agent answers when nobody is reached there. */
export const transferringFirst =
  (converse: Converse, to: string): Converse =>
  async (call, transport, signal) => {
    const outcome = await transport.act({ do: 'transfer', to })
    if (outcome.status === 'connected' || signal.aborted) return { endReason: 'transferred' }
    const note = 'The caller was to be connected to a person, who could not be reached.'
    const { language = null, context = null, late = Promise.resolve(null) } = call.guidance ?? {}
    const guidance = { language, late, context: context === null ? note : `${context}\n${note}` }
    return converse({ ...call, guidance }, transport, signal)
  }
