// The context of one trunk diagnosis: the trunk, the phone it uses, and the time budget.
import { monotonicMs } from '../../base/time/clock.ts'
import type { Media } from '../../rtp/leg.ts'
import type { UserAgent } from '../../sip/dialog/call.ts'
import type { Hop } from '../../sip/message/message.ts'
import { formatHost } from '../../sip/message/uri.ts'
import type { SipStack } from '../../sip/stack.ts'
import type { Refusal, Resolver } from '../../sip/transport/resolver.ts'
import type { Trunk } from '../ports.ts'
import type { MessageCapture } from './message-capture.ts'

/** The phone that runs a diagnosis: the platform's, or a standalone one. */
export type DiagnosticPhone = {
  ua: Pick<UserAgent, 'request' | 'invite'> & { stack: Pick<SipStack, 'contactOf'> }
  resolver: Resolver
  /** Why a hop must not be used for this trunk. */
  refusalFor: (trunk: Trunk) => Refusal
  /** Why a carrier that does not ask for the trunk's password must not have a call. */
  unchallengedRefusalFor: (trunk: Trunk) => Refusal
  media: Pick<Media, 'open'>
  settings: { host: string; publicAddress: string | null; rtpPorts: { from: number; to: number } }
  contactUser: (trunk: Trunk) => string
  /** A standalone phone unregisters afterwards: nobody else maintains the registration. */
  isStandalone: boolean
  /** A slot for one more call, or why there is none. */
  acquireSlot: (trunk: Trunk) => Promise<{ release(): void | Promise<void> } | { text: string }>
}

export type Diagnosis = {
  phone: DiagnosticPhone
  trunk: Trunk
  host: string
  hops: readonly Hop[]
  capture: MessageCapture
  signal: AbortSignal
  /** The rest of the time budget, at most `most`. */
  remainingMs(most: number): number
}

export const describeHop = ({ transport, address, port }: Hop): string =>
  `${formatHost(address)}:${port} (${transport})`

export function timeBudget(totalMs: number): (most: number) => number {
  const end = monotonicMs() + totalMs
  return (most) => Math.max(1, Math.min(most, end - monotonicMs()))
}
