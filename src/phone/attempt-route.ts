// One attempt to place a call by one route: slot, media leg, INVITE, SIP ladder, and whether another route may be tried.
import type { InbandDigits, LegEvent, Media, MediaLeg } from '../rtp/leg.ts'
import type { CallCapacity, Caps, LimitReached, Slot } from './capacity.ts'
import { type DialParts, type DialResult, dial } from './dial.ts'
import { inbandDetection } from './dtmf.ts'
import { endOfUnanswered, isTrunkFailure } from './endings.ts'
import type { CallEnd } from './ports.ts'
import { type Route, slotOf, type UnusableRoute } from './route.ts'
import type { Round } from './slot-queue.ts'

export type AttemptParts = DialParts & {
  media: Media
  saveLadder: (callId: string, sipCallId: string) => Promise<void>
}

export type AttemptOptions = {
  callId: string
  userId: string
  slot: Slot
  /** Opens the leg on the media thread of this one, so that both can be bridged. */
  beside?: MediaLeg
  ringMs: number
  /** Cancels the attempt while it rings. */
  signal: AbortSignal
  onRinging?(): void
  onLegEvent(event: LegEvent): void
  onInfoDigit(digit: string, durationMs: number, leg: MediaLeg): void
}

export type AnsweredAttempt = Pick<DialResult, 'sip' | 'audio' | 'ended'> & {
  leg: MediaLeg
  /** Hangs up, and releases the leg and the slot. */
  close(): Promise<void>
}
export type FailedAttempt = { end: CallEnd; mayFailOver: boolean }

type WantedSlot = { userId: string; route: Route; share?: Caps['share']; round?: Round }

/** Reserves capacity for a call by this route. `round`: for a waiting call. */
export function acquireRouteSlot(
  live: CallCapacity,
  { userId, route, share, round }: WantedSlot,
): Promise<Slot | LimitReached> {
  const caps = { trunk: route.trunk?.maxConcurrentCalls, device: route.device?.maxConcurrentCalls, share }
  return live.acquireSlot({ userId, ...slotOf(route) }, caps, round)
}

/** Why routes cannot be used, before any is tried. */
export const describeUnusable = (routes: readonly (Route | UnusableRoute)[]): string[] =>
  routes.flatMap((route) => ('problem' in route ? [`${route.name} ${route.problem}`] : []))

export const NO_ROUTE = 'This agent has no trunk and no device to call by'

/** The slot is released when the attempt fails, throws, or is closed. */
export async function attemptRoute(
  parts: AttemptParts,
  route: Route,
  options: AttemptOptions,
): Promise<AnsweredAttempt | FailedAttempt> {
  const { slot, signal, onInfoDigit } = options
  let leg: MediaLeg | undefined
  const release = async () => {
    await leg?.close()
    await slot.release()
  }
  try {
    const opened = await openLeg(parts.media, inbandDetection(route.trunk), options)
    leg = opened
    if (signal.aborted) {
      await release()
      const end = { status: 'canceled', endReason: 'canceled_by_api', hangupBy: 'system' } as const
      return { mayFailOver: true, end }
    }
    const { sip, audio, ended, isAnswered, mismatch } = await dial(parts, route, opened, {
      owner: options.userId,
      ringMs: options.ringMs,
      signal,
      onRinging: () => options.onRinging?.(),
      onDigit: (digit, durationMs) => onInfoDigit(digit, durationMs, opened),
    })
    const close = async () => {
      sip.hangUp()
      await ended
      void parts.saveLadder(options.callId, sip.callId) // not awaited: it is retried while the database is away
      await release()
    }
    if (isAnswered) return { sip, leg: opened, audio, ended, close }
    const wire = await ended
    await close()
    if (!mismatch) return { mayFailOver: isTrunkFailure(wire), end: endOfUnanswered(wire) }
    const end = { status: 'failed', endReason: 'sip_error', endDetail: mismatch, hangupBy: 'system' } as const
    return { mayFailOver: true, end }
  } catch (error) {
    await release()
    throw error
  }
}

const openLeg = (media: Media, detectInbandDigits: InbandDigits, { beside, onLegEvent }: AttemptOptions) =>
  media.open({ ...(beside ? { beside } : {}), detectInbandDigits, onEvent: onLegEvent })
