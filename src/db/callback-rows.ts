// The row of a call-back request; part of tables.ts.
import type { CallbackReason, CallbackStatus } from '../base/domain/callbacks.ts'

/** One per conversation and reason. Deleted with its call or conversation. */
export type CallbackRow = {
  id: string
  userId: string
  agentId: string | null
  callId: string | null // null: requested by text
  conversationId: string | null
  name: string | null
  phoneNumber: string | null // E.164 if the country is known
  matter: string | null
  reason: CallbackReason
  status: CallbackStatus
  note: string | null // from the person who calls back
  dueAt: string | null // not before this; null: any time
  createdAt: string
  updatedAt: string
}
