// Where a call-back request leads: to a telephone, to a call by an agent, to the call or conversation it came from. Pure.
import type { Callback } from '../../../../client/paths.ts'
import { isE164 } from '../../components/phone-number.ts'
import type { Tone } from '../../components/status-badge.tsx'

/** Only what waits needs a color. */
export const callbackTones: Readonly<Record<Callback['status'], Tone>> = { open: 'warn', done: 'good', canceled: 'off' }

/** For the telephone of whoever calls back; null: nothing can be dialed. */
export const telHref = ({ phoneNumber }: Pick<Callback, 'phoneNumber'>): string | null =>
  phoneNumber && /^\+?\d{3,20}$/.test(phoneNumber) ? `tel:${phoneNumber}` : null

/** An agent can call complete numbers only. */
export const placeHref = ({ phoneNumber }: Pick<Callback, 'phoneNumber'>): string | null =>
  phoneNumber && isE164(phoneNumber) ? `/live?place=${encodeURIComponent(phoneNumber)}` : null

export const recordHref = ({ callId, conversationId }: Pick<Callback, 'callId' | 'conversationId'>): string | null =>
  callId ? `/calls/${callId}` : conversationId ? `/conversations/${conversationId}` : null
