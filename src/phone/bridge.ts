// The second leg of a bridge: somebody is called for a caller who waits, and told what it is about before the two are joined.
import type { LegEvent, Media, MediaLeg } from '../rtp/leg.ts'
import type { CallEnding, SipCall } from '../sip/dialog/call.ts'
import type { ActOutcome, Transfer } from '../voice/ports.ts'
import type { CallCapacity } from './capacity.ts'
import { type DialParts, dial } from './dial.ts'
import { type DtmfSender, dtmfSender, inbandDetection } from './dtmf.ts'
import { endOfUnanswered, isTrunkFailure } from './endings.ts'
import { type Route, slotOf, type TransferredCall, type UnusableRoute } from './outbound-routing.ts'

export type BridgeParts = DialParts & {
  media: Media
  live: CallCapacity
  targetsOf: (call: TransferredCall, transfer: Transfer) => Promise<(Route | UnusableRoute)[]>
  /** Why the machine can bear no further leg now. */
  refusal: () => string | undefined
  saveLadder: (callId: string, sipCallId: string) => Promise<void>
}

/** Who is called, and by which ways he hears of the call that he is called for. */
export type HeldCall = TransferredCall & { id: string; leg: MediaLeg }
export type TargetHooks = {
  /** The caller has left, or the call is over for another reason. */
  signal: AbortSignal
  onLegEvent(event: LegEvent): void
  onInfoDigit(digit: string, durationMs: number): void
}

export type TransferTarget = {
  leg: MediaLeg
  sip: SipCall
  keys: DtmfSender
  ended: Promise<CallEnding>
  /** Hangs up, and gives back what was taken for it. */
  close(): Promise<void>
}
export type DialTarget = (
  call: HeldCall,
  transfer: Transfer,
  hooks: TargetHooks,
) => Promise<TransferTarget | ActOutcome>

const RING_MS = 30_000
/** Extension and whisper together. */
const INTRODUCTION_MS = 60_000

export const failedWith = (detail: string): ActOutcome => ({ status: 'failed', detail })

export function createBridge(parts: BridgeParts): DialTarget {
  const { live } = parts

  async function attempt(call: HeldCall, transfer: Transfer, route: Route, hooks: TargetHooks) {
    const { trunk, device } = route
    const full = parts.refusal()
    if (full) return { next: false, outcome: failedWith(full) }
    const slot = live.acquireSlot(
      { userId: call.userId, ...slotOf(route) },
      { trunk: trunk?.maxConcurrentCalls, device: device?.maxConcurrentCalls },
    )
    if ('limit' in slot) return { next: true, outcome: failedWith(slot.text) }
    let leg: MediaLeg | undefined
    const leave = async () => {
      await leg?.close()
      slot.release()
    }
    try {
      const dtmfMode = trunk?.dtmfMode ?? 'auto'
      const opened = await parts.media.open({
        beside: call.leg,
        detectInbandDigits: inbandDetection(trunk),
        onEvent: hooks.onLegEvent,
      })
      leg = opened
      const { onInfoDigit: onDigit, signal } = hooks
      const ringMs = transfer.ringTimeoutMs ?? RING_MS
      const { sip, audio, ended, isAnswered, mismatch } = await dial(parts, route, opened, {
        owner: call.userId,
        ringMs,
        signal,
        onDigit,
      })
      if (isAnswered && !signal.aborted) {
        const close = async () => {
          sip.hangUp()
          await ended
          await leave()
          await parts.saveLadder(call.id, sip.callId)
        }
        return { target: { leg: opened, sip, keys: dtmfSender({ leg: opened, sip, audio, dtmfMode }), ended, close } }
      }
      sip.hangUp()
      const wire = await ended
      await leave()
      await parts.saveLadder(call.id, sip.callId)
      if (mismatch) return { next: true, outcome: failedWith(mismatch) }
      const { status, endDetail, sipCode } = endOfUnanswered(wire)
      const detail = [sipCode, endDetail].filter((part) => part !== undefined).join(' ')
      const how = signal.aborted ? 'canceled' : status === 'completed' ? 'failed' : status
      return { next: isTrunkFailure(wire), outcome: { status: how, ...(detail ? { detail } : {}) } as ActOutcome }
    } catch (error) {
      await leave()
      throw error
    }
  }

  return async (call, transfer, hooks) => {
    const routes = await parts.targetsOf(call, transfer)
    const problems = routes.flatMap((route) => ('problem' in route ? [`${route.name} ${route.problem}`] : []))
    let last = failedWith(problems.join('; ') || 'This agent has no trunk and no device to call by')
    for (const route of routes) {
      if ('problem' in route) continue
      if (hooks.signal.aborted) return { status: 'canceled' }
      const tried = await attempt(call, transfer, route, hooks)
      if (tried.target) return tried.target
      last = tried.outcome
      if (!tried.next) break
    }
    return last
  }
}

/** What the target alone hears before the two are joined. False when nobody is left to be joined. */
export async function introduce(
  { leg, sip, keys, ended }: TransferTarget,
  { extension, whisper }: Transfer,
  signal: AbortSignal,
  onTrouble: (error: unknown) => void,
): Promise<boolean> {
  const stop = new AbortController()
  const halt = () => stop.abort()
  const late = setTimeout(halt, INTRODUCTION_MS)
  signal.addEventListener('abort', halt, { once: true })
  if (signal.aborted) halt()
  void ended.then(halt)
  if (extension) await keys.press({ digits: extension }).catch(onTrouble)
  // A voice that fails is no reason to leave two people waiting for each other.
  if (whisper && !stop.signal.aborted) await leg.play(whisper(), stop.signal).catch(onTrouble)
  clearTimeout(late)
  signal.removeEventListener('abort', halt)
  return !signal.aborted && sip.state === 'established'
}
