// Captures the SIP messages of a diagnosis: complete for the checks, masked for the report.
import { Ladder, type LadderEntry } from '../../sip/ladder.ts'
import type { Flow, SipMessage, SipResponse } from '../../sip/message/message.ts'
import { parseCSeq } from '../../sip/message/values.ts'
import type { TraceEvent } from '../../sip/stack.ts'

const MAX_MESSAGES = 200

export type CapturedMessage = { direction: 'in' | 'out'; flow: Flow; message: SipMessage }

export type MessageCapture = {
  /** Captures messages of this Call-ID from now on. */
  follow(callId: string): string
  messages: readonly CapturedMessage[]
  /** Responses to a method, in order of arrival. */
  responsesTo(method: string, callId?: string): SipResponse[]
  entries(): LadderEntry[]
  end(): void
}

export type MessageCaptures = ReturnType<typeof messageCaptures>

export function messageCaptures() {
  const byCallId = new Map<string, (event: TraceEvent) => void>()
  return {
    trace(event: TraceEvent): void {
      if (byCallId.size > 0) byCallId.get(event.message.headers.get('call-id') ?? '')?.(event)
    },

    begin(): MessageCapture {
      const ladder = new Ladder({ entries: MAX_MESSAGES })
      const messages: CapturedMessage[] = []
      const ids: string[] = []
      const take = (event: TraceEvent) => {
        ladder.add(event)
        const { direction, flow, message, retransmitted } = event
        if (!retransmitted && messages.length < MAX_MESSAGES) messages.push({ direction, flow, message })
      }
      return {
        messages: messages,
        follow(callId) {
          ids.push(callId)
          byCallId.set(callId, take)
          return callId
        },
        responsesTo: (method, callId) =>
          messages.flatMap(({ direction, message }) => {
            if (direction !== 'in' || message.kind !== 'response') return []
            if (parseCSeq(message.headers.get('cseq') ?? '')?.method !== method) return []
            return callId === undefined || message.headers.get('call-id') === callId ? [message] : []
          }),
        entries: () => ladder.entries,
        end() {
          for (const id of ids) byCallId.delete(id)
        },
      }
    },
  }
}

/** Whether we sent credentials in this dialog. */
export const sentCredentials = ({ messages }: MessageCapture, callId: string): boolean =>
  messages.some(
    ({ direction, message: { headers } }) =>
      direction === 'out' &&
      headers.get('call-id') === callId &&
      (headers.has('authorization') || headers.has('proxy-authorization')),
  )
