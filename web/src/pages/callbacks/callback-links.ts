// Links of a callback request: to dial it, to have an agent call, and to the call or conversation it came from. Pure.
import type { Callback } from '../../../../client/paths.ts'
import { isE164 } from '../../components/phone-number.ts'
import type { Tone } from '../../components/status-badge.tsx'

/** Only open requests need a color. */
export const callbackTones: Readonly<Record<Callback['status'], Tone>> = { open: 'warn', done: 'good', canceled: 'off' }

/** A tel: link for people who call back themselves; null if the number cannot be dialed. */
export const telHref = ({ phoneNumber }: Pick<Callback, 'phoneNumber'>): string | null =>
  phoneNumber && /^\+?\d{3,20}$/.test(phoneNumber) ? `tel:${phoneNumber}` : null

/** Agents can only call numbers in E.164. */
export const placeHref = ({ phoneNumber }: Pick<Callback, 'phoneNumber'>): string | null =>
  phoneNumber && isE164(phoneNumber) ? `/live?place=${encodeURIComponent(phoneNumber)}` : null

export const recordHref = ({ callId, conversationId }: Pick<Callback, 'callId' | 'conversationId'>): string | null =>
  callId ? `/calls/${callId}` : conversationId ? `/conversations/${conversationId}` : null
