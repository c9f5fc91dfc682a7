// A request outside any dialog (REGISTER, OPTIONS, MESSAGE): sent to the first target that responds, with digest challenges.
import {
  type AgentContext,
  boundBy,
  capabilities,
  contactFor,
  nextHop,
  resolveUri,
  routesOf,
  type SipTarget,
} from '../agent-context.ts'
import { Challenges } from '../auth/challenges.ts'
import type { NonceCounters } from '../auth/digest.ts'
import type { OutOfDialogRequest, RequestOutcome } from '../dialog/call.ts'
import { newCallId, newRequest, newTag } from '../message/build.ts'
import type { HeaderList } from '../message/headers.ts'
import type { SipRequest } from '../message/message.ts'
import { taggedNameAddr } from '../message/name-addr.ts'
import { exchange } from './exchange.ts'

/** Only these create a dialog or a binding and carry a Contact. */
const carriesContact = new Set(['REGISTER', 'SUBSCRIBE', 'OPTIONS'])

export function sendOutOfDialog(
  shared: AgentContext,
  asked: OutOfDialogRequest,
  memory: NonceCounters,
  signal?: AbortSignal,
): Promise<RequestOutcome> {
  const context = boundBy(shared, asked.refusal)
  const { stack, resolver, timers } = context
  const { method, uri, flow, contactUser, body, headers = {} } = asked
  const callId = asked.callId ?? newCallId()
  const from = taggedNameAddr(asked.from, newTag())
  const to = taggedNameAddr(asked.to)
  const saysContact = Object.keys(headers).some((name) => /^(contact|m)$/i.test(name))
  let cseq = asked.cseq ?? 1

  const build = (target: SipTarget): SipRequest => {
    const ours: HeaderList = [
      ['user-agent', context.name],
      ...capabilities,
      ...(carriesContact.has(method) && !saysContact
        ? ([['contact', contactFor(stack, target, contactUser)]] as const)
        : []),
      ...Object.entries(headers),
    ]
    const routes = routesOf(asked)
    return newRequest({ method, uri, from, to, callId, cseq: cseq++, routes, headers: ours, body })
  }

  return exchange({
    stack,
    places: async () => (flow ? { places: [flow], problem: '' } : resolveUri(resolver, nextHop(asked))),
    build,
    challenges: new Challenges(asked.credentials, memory),
    limitMs: asked.timeoutMs ?? 64 * timers.t1,
    patienceMs: Math.min(8 * timers.t1, (asked.timeoutMs ?? Number.POSITIVE_INFINITY) / 2),
    signal,
    onDead: (hop) => resolver.markDead(hop),
    onAlive: (hop) => resolver.markAlive(hop),
  })
}
