// The second leg of a bridged transfer: dials the target and plays what it hears before both are joined.
import type { MediaLeg } from '../rtp/leg.ts'
import type { ActOutcome, Transfer } from '../voice/ports.ts'
import {
  type AnsweredAttempt,
  type AttemptOptions,
  type AttemptParts,
  acquireRouteSlot,
  attemptRoute,
  describeUnusable,
  NO_ROUTE,
} from './attempt-route.ts'
import type { CallCapacity } from './capacity.ts'
import { type DtmfSender, dtmfSender } from './dtmf.ts'
import type { TransferredCall } from './outbound-routing.ts'
import type { CallEnd } from './ports.ts'
import type { Route, UnusableRoute } from './route.ts'

export type BridgeParts = AttemptParts & {
  live: CallCapacity
  routesFor: (call: TransferredCall, transfer: Transfer) => Promise<(Route | UnusableRoute)[]>
  /** Why the machine cannot carry another leg now. */
  overload: () => string | undefined
}

/** The call that waits for its transfer. */
export type HeldCall = TransferredCall & { id: string; leg: MediaLeg }
/** `signal` aborts when the held call ends. */
export type TargetHooks = Pick<AttemptOptions, 'signal' | 'onLegEvent' | 'onInfoDigit'>
export type TransferTarget = Omit<AnsweredAttempt, 'audio'> & { dtmf: DtmfSender }
export type DialTarget = (
  call: HeldCall,
  transfer: Transfer,
  hooks: TargetHooks,
) => Promise<TransferTarget | ActOutcome>

const RING_MS = 30_000
/** For the extension and the whisper together. */
const INTRODUCTION_MS = 60_000

export const failedWith = (detail: string): ActOutcome => ({ status: 'failed', detail })

export function createBridge(parts: BridgeParts): DialTarget {
  async function attempt(call: HeldCall, transfer: Transfer, route: Route, hooks: TargetHooks) {
    const overload = parts.overload()
    if (overload) return { mayFailOver: false, outcome: failedWith(overload) }
    const slot = await acquireRouteSlot(parts.live, { userId: call.userId, route })
    if ('limit' in slot) return { mayFailOver: true, outcome: failedWith(slot.text) }
    const { signal, onLegEvent, onInfoDigit } = hooks
    const result = await attemptRoute(parts, route, {
      callId: call.id,
      userId: call.userId,
      slot,
      beside: call.leg,
      ringMs: transfer.ringTimeoutMs ?? RING_MS,
      signal,
      onLegEvent,
      onInfoDigit,
    })
    if ('end' in result) {
      const outcome: ActOutcome = signal.aborted ? { status: 'canceled' } : outcomeOf(result.end)
      return { mayFailOver: result.mayFailOver, outcome }
    }
    if (signal.aborted) {
      await result.close()
      return { mayFailOver: false, outcome: { status: 'canceled' } as ActOutcome }
    }
    const { leg, sip, audio, ended, close } = result
    const dtmf = dtmfSender({ leg, sip, audio, dtmfMode: route.trunk?.dtmfMode ?? 'auto' })
    return { target: { leg, sip, dtmf, ended, close } }
  }

  return async (call, transfer, hooks) => {
    const routes = await parts.routesFor(call, transfer)
    let last = failedWith(describeUnusable(routes).join('; ') || NO_ROUTE)
    for (const route of routes) {
      if ('problem' in route) continue
      if (hooks.signal.aborted) return { status: 'canceled' }
      const result = await attempt(call, transfer, route, hooks)
      if (result.target) return result.target
      last = result.outcome
      if (!result.mayFailOver) break
    }
    return last
  }
}

function outcomeOf({ status, sipCode, endDetail }: CallEnd): ActOutcome {
  const detail = [sipCode, endDetail].filter((part) => part !== undefined).join(' ')
  return { status: status === 'completed' ? 'failed' : status, ...(detail ? { detail } : {}) }
}

/** Dials the extension and plays the whisper to the target alone. False when either side has hung up. */
export async function introduce(
  { leg, sip, dtmf, ended }: TransferTarget,
  { extension, whisper }: Transfer,
  { signal, onError }: { signal: AbortSignal; onError: (error: unknown) => void },
): Promise<boolean> {
  const stop = new AbortController()
  const halt = () => stop.abort()
  const timer = setTimeout(halt, INTRODUCTION_MS)
  signal.addEventListener('abort', halt, { once: true })
  if (signal.aborted) halt()
  void ended.then(halt)
  if (extension) await dtmf.send({ digits: extension }).catch(onError)
  // The calls are joined even when the whisper cannot be played.
  if (whisper && !stop.signal.aborted) await leg.play(whisper(), stop.signal).catch(onError)
  clearTimeout(timer)
  signal.removeEventListener('abort', halt)
  return !signal.aborted && sip.state === 'established'
}
