// One examination: the trunk, what it is examined with, and the time that is left.
import { monotonicMs } from '../../base/clock.ts'
import type { Media } from '../../rtp/leg.ts'
import type { Credentials, UserAgent } from '../../sip/dialog/call.ts'
import type { Hop } from '../../sip/message/message.ts'
import { formatHost } from '../../sip/message/uri.ts'
import type { SipStack } from '../../sip/stack.ts'
import type { Refusal, Resolver } from '../../sip/transport/resolver.ts'
import type { Trunk } from '../ports.ts'
import type { MessageCapture } from './message-capture.ts'

/** The telephone as the doctor uses it: the one that is on, or one of the doctor's own. */
export type DiagnosticPhone = {
  ua: Pick<UserAgent, 'request' | 'invite'> & { stack: Pick<SipStack, 'contactOf'> }
  resolver: Resolver
  /** Why the trunk must not be sent to a place. */
  refusalFor: (trunk: Trunk) => Refusal
  media: Pick<Media, 'open'>
  settings: { host: string; publicAddress: string | null; rtpPorts: { from: number; to: number } }
  contactUser: (trunk: Trunk) => string
  /** Whether what we register must be taken back: nobody else keeps it. */
  isStandalone: boolean
  /** A place for one more call, or why there is none. */
  acquireSlot: (trunk: Trunk) => { release(): void } | { text: string }
}

export type Diagnosis = {
  phone: DiagnosticPhone
  trunk: Trunk
  host: string
  hops: readonly Hop[]
  capture: MessageCapture
  signal: AbortSignal
  /** Of the whole examination, but never more than asked for. */
  remainingMs(most: number): number
}

export function credentialsOf({ username, password, realm }: Trunk): Credentials | undefined {
  return username && password ? { username, password, ...(realm ? { realm } : {}) } : undefined
}

export const describeHop = ({ transport, address, port }: Hop): string =>
  `${formatHost(address)}:${port} (${transport})`

export function timeBudget(totalMs: number): (most: number) => number {
  const end = monotonicMs() + totalMs
  return (most) => Math.max(1, Math.min(most, end - monotonicMs()))
}
