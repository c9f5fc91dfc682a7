// One request until its final response: failover to the next target on timeout or 503, and digest challenges.
import { monotonicMs } from '../../base/time/clock.ts'
import { isFlow, type ResolvedTargets, type SipTarget } from '../agent-context.ts'
import type { Challenges } from '../auth/challenges.ts'
import type { RequestOutcome } from '../dialog/call.ts'
import type { Flow, Hop, SipRequest, SipResponse } from '../message/message.ts'
import type { ClientTransaction, SipStack } from '../stack.ts'

export type Exchange = {
  stack: SipStack
  places(): Promise<Pick<ResolvedTargets, 'places' | 'problem'>>
  /** A new request each time, with a CSeq of its own. */
  build(target: SipTarget): SipRequest
  challenges: Challenges
  /** In total. */
  limitMs: number
  /** For each target but the last. */
  patienceMs: number
  signal?: AbortSignal
  onDead?(hop: Hop): void
  onAlive?(hop: Hop): void
  /** INVITE only: every 2xx, including late ones and retransmissions. Each needs an ACK. */
  onAccepted?(response: SipResponse, request: SipRequest): void
}

export async function exchange(parts: Exchange): Promise<RequestOutcome> {
  const { signal, challenges } = parts
  const end = monotonicMs() + parts.limitMs
  const { places, problem } = await parts.places()
  let last: RequestOutcome = { failure: 'unresolved', detail: problem }
  for (let at = 0; at < places.length; ) {
    const target = places[at] as SipTarget
    if (signal?.aborted) return { failure: 'timeout', detail: 'aborted' }
    const leftMs = end - monotonicMs()
    if (leftMs <= 0) break
    const isLast = at === places.length - 1
    const request = challenges.answer(parts.build(target))
    const outcome = await once(parts, target, request, isLast ? leftMs : Math.min(leftMs, parts.patienceMs))
    // A response is a better reason than the timeout of the next target.
    if ('response' in outcome || 'failure' in last) last = outcome
    if (!isFlow(target) && !signal?.aborted) ('failure' in outcome ? parts.onDead : parts.onAlive)?.(target)
    if ('response' in outcome) {
      if (challenges.take(outcome.response)) continue
      if (outcome.response.status !== 503) break
    }
    at += 1
    challenges.forget()
  }
  return last
}

function once({ stack, signal, onAccepted }: Exchange, target: SipTarget, request: SipRequest, limitMs: number) {
  return new Promise<RequestOutcome>((resolve) => {
    let isOver = false
    let transaction: ClientTransaction | undefined
    const finish = (outcome: RequestOutcome) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      resolve(outcome)
    }
    const giveUp = (detail: string) => {
      if (request.method === 'INVITE') transaction?.cancel()
      else transaction?.abandon()
      finish({ failure: 'timeout', detail })
    }
    const abort = () => giveUp('aborted')
    const timer = setTimeout(() => giveUp('no answer in time'), limitMs)
    signal?.addEventListener('abort', abort)
    transaction = stack.request(request, target, {
      onResponse(response: SipResponse, flow: Flow) {
        if (response.status < 200) return
        if (response.status < 300) onAccepted?.(response, request)
        finish({ response, flow })
      },
      onFailure: (failure, detail) => finish({ failure, detail }),
    })
  })
}
